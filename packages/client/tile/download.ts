// A file made on the page, given to the browser's downloads.

/** A browser may ask its person where to, before it reads what it was given. */
const ADDRESS_HOLDS_MS = 60_000;

export function download(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), ADDRESS_HOLDS_MS);
}

// A file's bytes in the page: as an object URL, or saved by the browser.
import { padi } from "../../store/workspace.ts";
import { fileName } from "./places.ts";

/** A browser may ask its person where to, before it reads what it was given. */
const ADDRESS_HOLDS_MS = 60_000;

export async function readBytes(
  root: string,
  path: string,
  signal?: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  const { base64 } = await padi().call(
    "fs.readBytes",
    { repoPath: root, filePath: path },
    signal === undefined ? {} : { signal },
  );
  return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
}

/** Saved as bytes of no type, so that no browser opens it in the page's name. Rejects with what padi said. */
export async function saveBytes(root: string, path: string): Promise<void> {
  const url = URL.createObjectURL(
    new Blob([await readBytes(root, path)], { type: "application/octet-stream" }),
  );
  const link = document.createElement("a");
  link.href = url;
  link.download = fileName(path);
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), ADDRESS_HOLDS_MS);
}

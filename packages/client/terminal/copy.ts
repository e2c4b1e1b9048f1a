// Text to the clipboard. First at once, inside of the click that asked for it: the interface that browsers offer now answers
// later, and refuses a page that is not in front by then or whose permission is in doubt.

/** Rejects when the browser does not let it happen. */
export async function copyText(text: string): Promise<void> {
  if (copiedAtOnce(text)) return;
  if (window.isSecureContext && (await wroteByInterface(text))) return;
  if (!copiedFromField(text)) throw new Error("The browser does not allow it on this page.");
}

/** By answering the browser's own copy: nothing is selected and nothing loses the keyboard. Not every browser asks. */
function copiedAtOnce(text: string): boolean {
  let copied = false;
  const offer = (event: Event): void => {
    event.preventDefault();
    event.stopImmediatePropagation();
    if (!(event instanceof ClipboardEvent) || event.type !== "copy" || !event.clipboardData) return;
    event.clipboardData.setData("text/plain", text);
    copied = true;
  };
  // Without a selection a browser copies nothing unless somebody says beforehand that there is something.
  for (const name of ["beforecopy", "copy"]) window.addEventListener(name, offer, { capture: true });
  const done = document.execCommand("copy");
  for (const name of ["beforecopy", "copy"]) window.removeEventListener(name, offer, { capture: true });
  return done && copied;
}

/** Refused where the page is not in front, or its permission was withdrawn. */
function wroteByInterface(text: string): Promise<boolean> {
  return navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  );
}

function copiedFromField(text: string): boolean {
  const focused = document.activeElement;
  const area = document.createElement("textarea");
  area.value = text;
  area.style.position = "fixed";
  document.body.append(area);
  area.select();
  const copied = document.execCommand("copy");
  area.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return copied;
}

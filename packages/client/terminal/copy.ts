// Text to the clipboard, also on pages that the browser does not trust with its clipboard interface (plain http).

/** Rejects when the browser does not let it happen. */
export async function copyText(text: string): Promise<void> {
  if (window.isSecureContext && (await wroteByInterface(text))) return;
  const focused = document.activeElement;
  const area = document.createElement("textarea");
  area.value = text;
  area.style.position = "fixed";
  document.body.append(area);
  area.select();
  const copied = document.execCommand("copy");
  area.remove();
  if (focused instanceof HTMLElement) focused.focus();
  if (!copied) throw new Error("The browser does not allow it on this page.");
}

/** Refused where the page is not in front, or its permission was withdrawn: the older way may still go. */
function wroteByInterface(text: string): Promise<boolean> {
  return navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  );
}

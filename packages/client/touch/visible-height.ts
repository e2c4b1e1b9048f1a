// How much of the page can be seen while a keyboard covers its foot. Browsers that make the page itself smaller then (the
// viewport's interactive-widget) need nothing; Safari only tells of it here, and scrolls the page up, which it must not.

/** Zoomed by two fingers the page is larger than what is seen of it, and that is meant. */
const UNZOOMED = 1.01;

/** Keeps `--visible-height` on the root element in step. Returns how to stop. */
export function startVisibleHeight(): () => void {
  const seen = window.visualViewport;
  if (!seen) return () => {};
  const root = document.documentElement;
  const fit = (): void => {
    if (seen.scale > UNZOOMED) return;
    const covered = window.innerHeight - seen.height;
    if (covered > 1) root.style.setProperty("--visible-height", `${Math.round(seen.height)}px`);
    else root.style.removeProperty("--visible-height");
    if (seen.offsetTop > 0 || window.scrollY > 0) window.scrollTo(0, 0);
  };
  // A page that was put away must not take its grid back from the desk when it wakes: nobody types in it yet.
  const rest = (): void => {
    const focused = document.activeElement;
    if (document.hidden && matchMedia("(pointer: coarse)").matches && focused instanceof HTMLElement)
      focused.blur();
  };
  fit();
  seen.addEventListener("resize", fit);
  seen.addEventListener("scroll", fit);
  document.addEventListener("visibilitychange", rest);
  return () => {
    seen.removeEventListener("resize", fit);
    seen.removeEventListener("scroll", fit);
    document.removeEventListener("visibilitychange", rest);
  };
}

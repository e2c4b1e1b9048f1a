// HTML of ours in a shadow root, apart from the page's own styles. Only for what @kolu/transcript renders: it writes every
// tag itself, around escaped text. The page's policy is the second wall.
import { type JSX, useLayoutEffect, useRef } from "react";

export interface ShadowHtmlProps {
  html: string;
  css: string;
  label: string;
  className: string;
  /** Stays at the end while it grows, as long as the reader is there. */
  followEnd?: boolean;
}

/** Nearer to the end than this, the reader is at the end. */
const AT_END_PX = 40;

export function ShadowHtml({ html, css, label, className, followEnd = false }: ShadowHtmlProps): JSX.Element {
  const host = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = host.current!;
    const first = element.shadowRoot === null;
    const root = element.shadowRoot ?? element.attachShadow({ mode: "open" });
    const atEnd = first || element.scrollHeight - element.scrollTop - element.clientHeight < AT_END_PX;
    const open = openFolds(root);
    root.innerHTML = `<style>${css}</style>${html}`;
    for (const [at, fold] of [...root.querySelectorAll("details")].entries()) fold.open = open.has(at);
    if (followEnd && atEnd) element.scrollTop = element.scrollHeight;
  }, [html, css, followEnd]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section ref={host} className={className} aria-label={label} tabIndex={0} />
  );
}

/** Folds that the reader has opened, by their place: what is shown so only grows at its end. */
function openFolds(root: ShadowRoot): Set<number> {
  const open = [...root.querySelectorAll("details")].map((fold, at) => (fold.open ? at : -1));
  return new Set(open.filter((at) => at >= 0));
}

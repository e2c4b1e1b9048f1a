// What an eye and a screen reader need of the page, computed from what the browser shows: contrast (WCAG AA), sizes, names.
import type { Page } from "playwright-core";

export interface Finding {
  rule: "contrast" | "size" | "name" | "id";
  /** Where: the element and its text. */
  where: string;
  found: string;
}

/** Walks everything that is visible now. Terminals' own screens are left out: they keep their contrast themselves. */
export function audit(page: Page): Promise<Finding[]> {
  return page.evaluate(auditHere);
}

/** Runs in the page. */
function auditHere(): Finding[] {
  type Rgba = [number, number, number, number];
  const findings = new Map<string, Finding>();
  const canvas = new OffscreenCanvas(1, 1);
  const context = canvas.getContext("2d", { willReadFrequently: true })!;
  const colours = new Map<string, Rgba>();

  function rgba(css: string): Rgba {
    const known = colours.get(css);
    if (known) return known;
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = css;
    context.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = context.getImageData(0, 0, 1, 1).data;
    const colour: Rgba = [r!, g!, b!, a! / 255];
    colours.set(css, colour);
    return colour;
  }
  function over([r, g, b, a]: Rgba, [R, G, B]: Rgba): Rgba {
    return [r * a + R * (1 - a), g * a + G * (1 - a), b * a + B * (1 - a), 1];
  }
  function luminance([r, g, b]: Rgba): number {
    const [x, y, z] = [r, g, b].map((value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * x! + 0.7152 * y! + 0.0722 * z!;
  }
  function contrast(a: Rgba, b: Rgba): number {
    const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x);
    return (light! + 0.05) / (dark! + 0.05);
  }
  function ancestors(element: Element): Element[] {
    const all: Element[] = [];
    for (let at: Element | null = element; at; at = at.parentElement) all.push(at);
    return all;
  }
  /** What lies behind an element's text: every background from the page's floor up. */
  function ground(element: Element): Rgba {
    return ancestors(element)
      .toReversed()
      .reduce<Rgba>(
        (under, at) => over(rgba(getComputedStyle(at).backgroundColor), under),
        [255, 255, 255, 1],
      );
  }
  function report(rule: Finding["rule"], element: Element, found: string): void {
    const text = (element.textContent ?? "").trim().slice(0, 40);
    const where = `${element.tagName.toLowerCase()}.${element.getAttribute("class") ?? ""} "${text}"`;
    findings.set(`${rule} ${where}`, { rule, where, found });
  }
  function isShown(element: Element): boolean {
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return false;
    const box = element.getBoundingClientRect();
    return box.width > 1 && box.height > 1;
  }
  const ignored = ".xterm, .visually-hidden, .terminal-host, [data-painted], [inert] *, :disabled";

  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!element || node.textContent?.trim() === "" || element.closest(ignored) || !isShown(element))
      continue;
    const style = getComputedStyle(element);
    const sizePx = Number.parseFloat(style.fontSize);
    if (sizePx < 10.99) report("size", element, `${sizePx} px`);
    const behind = ground(element);
    const faint = ancestors(element).reduce((all, at) => all * Number(getComputedStyle(at).opacity), 1);
    const [r, g, b, a] = rgba(element.closest("svg") ? style.fill : style.color);
    const ratio = contrast(over([r, g, b, a * faint], behind), behind);
    const large = sizePx >= 24 || (sizePx >= 18.66 && Number(style.fontWeight) >= 700);
    if (ratio < (large ? 3 : 4.5) - 0.05) report("contrast", element, ratio.toFixed(2));
  }

  const acting =
    'button, a[href], input, textarea, select, [role="button"], [role="tab"], [role="dialog"], dialog';
  for (const element of document.querySelectorAll(acting)) {
    if (element.closest(ignored) || !isShown(element)) continue;
    const labels = (element as HTMLInputElement).labels;
    const names = [
      element.getAttribute("aria-label"),
      element.getAttribute("title"),
      (element.getAttribute("aria-labelledby") ?? "")
        .split(" ")
        .map((id) => document.getElementById(id)?.textContent ?? "")
        .join(""),
      labels && labels.length > 0 ? labels[0]!.textContent : "",
      element.matches("input, textarea, select") ? "" : element.textContent,
      element.querySelector("[aria-label]")?.getAttribute("aria-label"),
    ];
    if (!names.some((name) => (name ?? "").trim() !== "")) report("name", element, "no name");
  }

  const seen = new Set<string>();
  for (const { id } of document.querySelectorAll("[id]")) {
    if (id !== "" && seen.has(id)) report("id", document.getElementById(id)!, `#${id} twice`);
    seen.add(id);
  }
  return [...findings.values()];
}

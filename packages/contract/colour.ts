// What can be said of #rrggbb colours: WCAG's luminance and contrast, and how far apart two of them look. Pure.

/** 0 black … 1 white. */
export function luminance(hex: string): number {
  const [r, g, b] = linear(hex);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** 1 … 21. */
export function contrast(a: string, b: string): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (light! + 0.05) / (dark! + 0.05);
}

/** `share` of `over` laid on `under`, as CSS color-mix in srgb does it. */
export function mix(over: string, under: string, share: number): string {
  const top = channels(over);
  const mixed = channels(under).map((value, index) => Math.round(value * (1 - share) + top[index]! * share));
  return `#${mixed.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}

/** How far apart two colours look: the distance in OKLab, 0 … about 1. */
export function oklabDistance(a: string, b: string): number {
  const [from, to] = [oklab(a), oklab(b)];
  return Math.hypot(...from.map((value, axis) => value - to[axis]!));
}

/** How colourful it is: 0 is grey, about 0.3 the most that a screen shows. */
export function oklabChroma(hex: string): number {
  const [, a, b] = oklab(hex);
  return Math.hypot(a, b);
}

/** Lightness 0 … 1, then the two axes of hue. The figures are those of the space's definition. */
export function oklab(hex: string): [lightness: number, a: number, b: number] {
  const [r, g, b] = linear(hex);
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

function linear(hex: string): [r: number, g: number, b: number] {
  return channels(hex).map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
}

function channels(hex: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
}

/** oklch(lightness chroma hue) as #rrggbb, clipped to what a screen shows. */
export function oklchToHex(lightness: number, chroma: number, hueDegrees: number): string {
  const hue = (hueDegrees * Math.PI) / 180;
  const [a, b] = [chroma * Math.cos(hue), chroma * Math.sin(hue)];
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const linear = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  const channel = (value: number): number => {
    const part = value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055;
    return Math.round(Math.min(1, Math.max(0, part)) * 255);
  };
  return `#${linear.map((value) => channel(value).toString(16).padStart(2, "0")).join("")}`;
}

// WCAG relative luminance and contrast of #rrggbb colours. Pure.

/** 0 black … 1 white. */
export function luminance(hex: string): number {
  const [r, g, b] = channels(hex).map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
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

function channels(hex: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
}

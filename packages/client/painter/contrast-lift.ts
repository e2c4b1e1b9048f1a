// Lifts a foreground to a contrast on its background, in the steps in which xterm.js 6.0.0 does it (common/Color.ts): the
// same terminal must not change its colours when it turns from painted to live. Pure; colours are 0xrrggbb.

export function luminanceOf(rgb: number): number {
  return (
    0.2126 * linear((rgb >> 16) & 0xff) + 0.7152 * linear((rgb >> 8) & 0xff) + 0.0722 * linear(rgb & 0xff)
  );
}

function linear(channel: number): number {
  const part = channel / 255;
  return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
}

function contrastOf(a: number, b: number): number {
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** Away from the background's luminance first; where that way ends short, whichever way reaches more. */
export function liftContrast(fg: number, bg: number, ratio: number): number {
  const floor = luminanceOf(bg);
  const own = luminanceOf(fg);
  if (contrastOf(own, floor) >= ratio) return fg;
  const [first, second] = own < floor ? [darker, lighter] : [lighter, darker];
  const near = walk(fg, floor, ratio, first);
  const nearRatio = contrastOf(luminanceOf(near), floor);
  if (nearRatio >= ratio) return near;
  const far = walk(fg, floor, ratio, second);
  return nearRatio > contrastOf(luminanceOf(far), floor) ? near : far;
}

function walk(from: number, floor: number, ratio: number, step: (channel: number) => number): number {
  let rgb = from;
  while (contrastOf(luminanceOf(rgb), floor) < ratio) {
    const next = (step((rgb >> 16) & 0xff) << 16) | (step((rgb >> 8) & 0xff) << 8) | step(rgb & 0xff);
    if (next === rgb) return rgb;
    rgb = next;
  }
  return rgb;
}

function darker(channel: number): number {
  return channel - Math.ceil(channel * 0.1);
}

function lighter(channel: number): number {
  return Math.min(255, channel + Math.ceil((255 - channel) * 0.1));
}

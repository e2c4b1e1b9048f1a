// The element that holds a terminal's cells, placed alike whoever paints them.
import type { Fit } from "./geometry.ts";

export function placeHost(host: HTMLElement, fit: Fit): void {
  stretchHost(host, 1);
  host.style.left = `${fit.left}px`;
  host.style.top = `${fit.top}px`;
  host.style.width = `${Math.ceil(fit.width)}px`;
  host.style.height = `${fit.height}px`;
}

export function stretchHost(host: HTMLElement, scale: number): void {
  if (scale === 1) {
    host.style.transform = "";
    return;
  }
  // About the corner of the frame, where the fit's own left and top are measured from.
  host.style.transformOrigin = `-${host.style.left} -${host.style.top}`;
  host.style.transform = `scale(${scale})`;
}

// The dots of the plane: a layer of its own that slides under the tiles.

import { GRID_PX } from "@kolu/contract/plane/geometry.ts";
import { type JSX, useEffect, useRef } from "react";
import { useCamera } from "./camera-store.ts";
import { floorSize, placeFloor } from "./floor-place.ts";

/** Radius of a dot: with the zoom, and never too small to be seen. */
const DOT_PX = 0.8;
const DOT_MIN_PX = 0.55;

export function Floor(): JSX.Element {
  const layer = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let painted = { zoom: 0, w: 0, h: 0 };
    const show = (): void => {
      const element = layer.current!;
      const { camera, screen, moving } = useCamera.getState();
      const { paintedZoom, x, y, scale } = placeFloor(camera, painted.zoom || camera.zoom, !moving);
      element.style.transform = `translate(${x}px, ${y}px) scale(${scale})`;
      const size = floorSize(screen, paintedZoom);
      if (painted.zoom === paintedZoom && painted.w === size.w && painted.h === size.h) return;
      painted = { zoom: paintedZoom, ...size };
      element.style.width = `${size.w}px`;
      element.style.height = `${size.h}px`;
      element.style.backgroundSize = `${GRID_PX * paintedZoom}px ${GRID_PX * paintedZoom}px`;
      element.style.setProperty("--dot", `${Math.max(DOT_MIN_PX, DOT_PX * paintedZoom)}px`);
    };
    show();
    return useCamera.subscribe(show);
  }, []);
  return <div ref={layer} className="floor" />;
}

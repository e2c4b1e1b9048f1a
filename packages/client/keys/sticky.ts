// Ctrl of the key bar: pressed once, it belongs to the next key, wherever that comes from.
import { create } from "zustand";

export const useSticky = create<{ ctrl: boolean }>(() => ({ ctrl: false }));

export function toggleCtrl(): void {
  useSticky.setState(({ ctrl }) => ({ ctrl: !ctrl }));
}

/** Whether Ctrl is held for this key; from then on it is not. */
export function takeCtrl(): boolean {
  const { ctrl } = useSticky.getState();
  if (ctrl) useSticky.setState({ ctrl: false });
  return ctrl;
}

/** What a terminal is sent for these bytes with Ctrl held, or null where Ctrl means nothing with them. Pure. */
export function withCtrl(bytes: Uint8Array): Uint8Array | null {
  const [code] = bytes;
  if (bytes.length !== 1 || code === undefined) return null;
  if (code === 0x20) return Uint8Array.of(0);
  if (code === 0x3f) return Uint8Array.of(0x7f);
  const upper = code >= 0x61 && code <= 0x7a ? code - 0x20 : code;
  return upper >= 0x40 && upper <= 0x5f ? Uint8Array.of(upper & 0x1f) : null;
}

/** The bytes that a terminal typed, changed by a Ctrl that was held for them. */
export function typedBytes(bytes: Uint8Array): Uint8Array {
  if (!useSticky.getState().ctrl) return bytes;
  const changed = withCtrl(bytes);
  if (changed === null) return bytes;
  takeCtrl();
  return changed;
}

// What stands on a terminal's screen and above it. kaval answers; padi knows which ids there are, and draws pictures.
import { AttachCloseCode } from "@kolu/contract/attach.ts";
import { HOT_LINES } from "@kolu/contract/limits.ts";
import type { PadiContract } from "@kolu/contract/padi.ts";
import { refuse, terminalNotFound } from "@kolu/contract/refusals.ts";
import type { Handlers } from "@kolu/contract/rpc.ts";
import type { Pictures } from "@kolu/picture/pictures.ts";
import { dialAttach } from "@kolu/wire/dial.ts";
import type { KavalLink } from "../kaval-link.ts";
import { given } from "../terminals/spawn.ts";
import type { TerminalStore } from "../terminals/store.ts";
import type { Themes } from "../terminals/themes.ts";

export interface ScreenWorld {
  store: TerminalStore;
  kaval: KavalLink;
  pictures: Pictures;
  themes: Themes;
}

/** kaval hands a screen over in milliseconds; a longer silence is a fault of it. */
const SCREEN_TIMEOUT_MS = 10_000;

export function screenHandlers({
  store,
  kaval,
  pictures,
  themes,
}: ScreenWorld): Pick<Handlers<PadiContract>, "screen.text" | "screen.image" | "screen.history"> {
  return {
    async "screen.text"(params, { signal }) {
      store.require(params.id);
      const { text, cursor } = await kaval.call("screen.text", params, { signal });
      return { text, cursor };
    },
    async "screen.image"({ id, lines }) {
      const { themeName } = store.require(id);
      const scheme = (await themes.schemeOf(themeName)).colors;
      const screen = await readScreen(kaval, id, lines === undefined ? 0 : lines);
      const { png, ...facts } = await pictures.draw({ screen, scheme, lines: lines ?? null });
      return { mimeType: "image/png", ...facts, data: Buffer.from(png).toString("base64") };
    },
    "screen.history"({ id, maxLines, before, epoch }, { signal }) {
      store.require(id);
      return kaval.call("screen.history", { id, maxLines, ...given({ before, epoch }) }, { signal });
    },
  };
}

/** A screen as kaval hands it to a viewer, which keeps the serialising off padi and the drawing off kaval. */
async function readScreen(
  kaval: KavalLink,
  id: string,
  scrollback: number,
): Promise<{ vt: Uint8Array; cols: number; rows: number }> {
  // Waits for a kaval that is just being started, and says which it is when there is none.
  await kaval.call("hello", {});
  const got = Promise.withResolvers<{ vt: Uint8Array; cols: number; rows: number }>();
  const query = { role: "observer", scrollback: Math.min(scrollback, HOT_LINES) } as const;
  const link = await dialAttach({ socketPath: kaval.socketPath }, id, query, (frame) => {
    // Copied, for it goes to another thread and is a view of what was received.
    if (frame.kind === "snapshot") got.resolve({ ...frame, vt: new Uint8Array(frame.vt) });
  });
  const late = setTimeout(got.reject, SCREEN_TIMEOUT_MS, new Error("kaval does not hand over the screen."));
  void link.closed.then((code) =>
    got.reject(
      code === AttachCloseCode.removed
        ? terminalNotFound(id)
        : refuse("kaval-unreachable", { socketPath: kaval.socketPath }, "kaval went away. Try again."),
    ),
  );
  try {
    const { vt, cols, rows } = await got.promise;
    return { vt, cols, rows };
  } finally {
    clearTimeout(late);
    link.close();
  }
}

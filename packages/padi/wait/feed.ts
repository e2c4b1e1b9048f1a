// The bytes of one terminal as a wait hears them: an observer on kaval's attach socket, from a known place on.
import { AttachCloseCode, type AttachQuery } from "@kolu/contract/attach.ts";
import { VIEWER_WINDOW_BYTES } from "@kolu/contract/limits.ts";
import { type AttachLink, dialAttach } from "@kolu/wire/dial.ts";

/** Acknowledging this often keeps the window open without a frame for every frame. */
const ACK_EVERY_BYTES = VIEWER_WINDOW_BYTES / 16;

export interface FeedEvents {
  /** The feed begins at this offset. */
  onBegin(offset: number): void;
  /** Output from `offset` on. */
  onBytes(offset: number, bytes: Uint8Array): void;
  /** Output up to `offset` cannot be had any more. */
  onGap(offset: number): void;
  /** The program ended, and every byte of it has been heard. */
  onExit(): void;
  /** The terminal was removed: there is nothing left to hear. */
  onRemoved(): void;
  /** The feed ended without any of that. */
  onClosed(): void;
}

export interface Feed {
  close(): void;
}

/**
 * Where to begin, best first. A place that kaval's ring has lost is answered by a snapshot: then the next one is tried,
 * and with the last one the wait begins at the snapshot.
 */
export type Beginning = AttachQuery[];

/** Resolves once the beginning is settled. Rejects with DialFailed. */
export async function openFeed(
  socketPath: string,
  id: string,
  beginning: Beginning,
  events: FeedEvents,
): Promise<Feed> {
  for (const [index, query] of beginning.entries()) {
    const isLast = index === beginning.length - 1;
    const feed = await tryFeed(socketPath, id, query, events, isLast);
    if (feed) return feed;
  }
  throw new Error("A feed needs at least one place to begin.");
}

async function tryFeed(
  socketPath: string,
  id: string,
  query: AttachQuery,
  events: FeedEvents,
  acceptSnapshot: boolean,
): Promise<Feed | null> {
  const { promise: settled, resolve: settle } = Promise.withResolvers<boolean>();
  let link: AttachLink | null = null;
  let begun = false;
  let dropped = false;
  let ackedTo = 0;

  const ack = (endOffset: number): void => {
    if (endOffset - ackedTo < ACK_EVERY_BYTES) return;
    ackedTo = endOffset;
    link?.send({ kind: "ack", offset: endOffset });
  };

  link = await dialAttach({ socketPath }, id, { ...query, role: "observer", scrollback: 0 }, (frame) => {
    if (dropped) return;
    switch (frame.kind) {
      case "resume":
        begun = true;
        ackedTo = frame.offset;
        events.onBegin(frame.offset);
        return settle(true);
      case "snapshot":
        if (!begun && !acceptSnapshot) {
          dropped = true;
          return settle(false);
        }
        if (begun) events.onGap(frame.offset);
        else events.onBegin(frame.offset);
        begun = true;
        ackedTo = frame.offset;
        return settle(true);
      case "output":
        events.onBytes(frame.offset, frame.bytes);
        return ack(frame.offset + frame.bytes.length);
      case "exit":
        dropped = true;
        events.onExit();
        return settle(true);
      case "grid":
      case "input-ack":
      case "input-refused":
        return;
      default:
        frame satisfies never;
    }
  });
  void link.closed.then((code) => {
    settle(true);
    if (!dropped && code === AttachCloseCode.removed) events.onRemoved();
    else if (!dropped) events.onClosed();
    dropped = true;
  });
  const close = (): void => {
    dropped = true;
    link.close();
  };
  if (await settled) return { close };
  close();
  return null;
}

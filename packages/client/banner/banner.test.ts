import type { DaemonStatus } from "@kolu/contract/padi.ts";
import { expect, test } from "vitest";
import type { LinkState } from "../store/link.ts";
import { bannerOf } from "./banner-of.ts";

const live: LinkState = { kind: "live", sinceMs: 0, attempt: 0, cause: null, detail: null };
const hello = {
  name: "padi",
  protocol: "1.0",
  buildId: "x",
  pid: 1,
  bootId: "b",
  stateRoot: "/",
  startedAtMs: 5,
};
const status = (kaval: DaemonStatus["kaval"]): DaemonStatus => ({ padi: hello, kaval });

test("nothing is said while all is well, or before anything is known", () => {
  expect(bannerOf(live, null, null)).toBeNull();
  expect(bannerOf(live, status({ state: "connected", hello, adopted: true, sinceMs: 0 }), null)).toBeNull();
});

const cases: Record<string, [link: LinkState, status: DaemonStatus | null, title: RegExp]> = {
  "first connection": [{ ...live, kind: "connecting" }, null, /^Connecting/],
  "server away": [{ ...live, kind: "lost", cause: "server" }, null, /^Connection lost, reconnecting/],
  "padi away": [{ ...live, kind: "lost", cause: "padi" }, null, /workspace daemon is being restarted/],
  "signed out": [{ ...live, kind: "signed-out" }, null, /no longer let in/],
  outdated: [{ ...live, kind: "outdated" }, null, /has been updated/],
  "kaval starting": [live, status({ state: "connecting" }), /^Starting the terminal daemon/],
  "kaval down": [live, status({ state: "down", error: "It was killed.", sinceMs: 9 }), /daemon is down/],
  "kaval of another version": [
    live,
    status({ state: "incompatible", daemonVersion: "2.0", requiredVersion: "1.0" }),
    /another version/,
  ],
};
for (const [title, [link, told, words]] of Object.entries(cases))
  test(`banner: ${title}`, () => {
    const banner = bannerOf(link, told, null);
    expect(banner?.title).toMatch(words);
    // One thing can be done about each.
    expect(banner?.action).not.toBeNull();
    expect(banner?.command === null).toBe(banner?.action !== "copy-command");
  });

test("a lost link hides what was known of the daemons behind it", () => {
  const down = status({ state: "down", error: "x", sinceMs: 0 });
  expect(bannerOf({ ...live, kind: "lost", cause: "server" }, down, null)?.kind).toBe("lost");
});

test("both versions are named when they do not fit", () => {
  const text = bannerOf(
    live,
    status({ state: "incompatible", daemonVersion: "2.0", requiredVersion: "1.3" }),
    null,
  )!.text;
  expect(text).toContain("2.0");
  expect(text).toContain("1.3");
});

test("a page from before an update is told so, once nothing worse is the matter", () => {
  const well = status({ state: "connected", hello, adopted: true, sinceMs: 0 });
  expect(bannerOf(live, well, "x")).toBeNull();
  expect(bannerOf(live, well, "an-older-build")?.action).toBe("reload");
  const down = status({ state: "down", error: "It died.", sinceMs: 0 });
  expect(bannerOf(live, down, "an-older-build")?.kind).toBe("daemon");
});

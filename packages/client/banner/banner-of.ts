// What is wrong with the path from this page to the shells, in words, with one thing to do about it. Pure.
import type { DaemonStatus } from "@kolu/contract/padi.ts";
import type { LinkState } from "../store/link.ts";

export interface Banner {
  kind: "connecting" | "lost" | "signed-out" | "daemon" | "update";
  tone: "busy" | "trouble";
  title: string;
  text: string;
  action: "retry" | "reload" | "copy-command" | null;
  /** For copy-command. */
  command: string | null;
  /** Show it only once it has lasted this long: most interruptions are over before a person could read about them. */
  afterMs: number;
  sinceMs: number;
}

const BLIP_MS = 700;

/** What hurts most comes first: no link, then no shells, then a page from before an update. */
export function bannerOf(
  link: LinkState,
  status: DaemonStatus | null,
  firstBuildId: string | null,
): Banner | null {
  const broken = bannerOfLink(link) ?? (status === null ? null : bannerOfKaval(status));
  if (broken !== null || status === null) return broken;
  return firstBuildId === null || firstBuildId === status.padi.buildId ? null : bannerOfUpdate(status);
}

function bannerOfUpdate({ padi }: DaemonStatus): Banner {
  return banner(padi.startedAtMs, {
    kind: "update",
    tone: "busy",
    title: "kolu has been updated.",
    text: "This page is from before. Reload it when it suits you: terminals and layout stay.",
    action: "reload",
  });
}

type Words = Pick<Banner, "kind" | "tone" | "title" | "text"> & Partial<Banner>;

function banner(sinceMs: number, words: Words): Banner {
  return { action: null, command: null, afterMs: BLIP_MS, sinceMs, ...words };
}

function bannerOfLink(link: LinkState): Banner | null {
  switch (link.kind) {
    case "live":
      return null;
    case "connecting":
      return banner(link.sinceMs, {
        kind: "connecting",
        tone: "busy",
        title: "Connecting…",
        text: link.detail ?? "Looking for this kolu's workspace.",
        action: "retry",
        afterMs: 1_000,
      });
    case "signed-out":
      return banner(link.sinceMs, {
        kind: "signed-out",
        tone: "trouble",
        title: "This browser is no longer let in.",
        text: "Your terminals are untouched. For a new link, run this in a shell on that machine:",
        action: "copy-command",
        command: "kolu open --link",
        afterMs: 0,
      });
    case "outdated":
      return banner(link.sinceMs, {
        kind: "update",
        tone: "trouble",
        title: "kolu has been updated.",
        text: "This page is from before and cannot talk to it. Terminals go on running.",
        action: "reload",
        afterMs: 0,
      });
    case "lost":
      return bannerOfLoss(link);
    default:
      return link.kind satisfies never;
  }
}

function bannerOfLoss(link: LinkState): Banner {
  if (link.cause === "padi")
    return banner(link.sinceMs, {
      kind: "lost",
      tone: link.attempt > 3 ? "trouble" : "busy",
      title: "The workspace daemon is being restarted…",
      text: `${link.detail === null ? "" : `${link.detail} `}Shells go on running; your screens stay readable, typing waits.`,
      action: "retry",
    });
  return banner(link.sinceMs, {
    kind: "lost",
    tone: link.attempt > 3 ? "trouble" : "busy",
    title: "Connection lost, reconnecting…",
    text: "Your screens stay readable; typing waits.",
    action: "retry",
  });
}

const DOCTOR = { action: "copy-command", command: "kolu doctor" } as const;

function bannerOfKaval({ kaval, padi }: DaemonStatus): Banner | null {
  switch (kaval.state) {
    case "connected":
      return null;
    case "connecting":
      return banner(padi.startedAtMs, {
        kind: "daemon",
        tone: "busy",
        title: "Starting the terminal daemon…",
        text: "Terminals appear as soon as it answers. If it does not, this says why:",
        ...DOCTOR,
        afterMs: 1_500,
      });
    case "down":
      return banner(kaval.sinceMs, {
        kind: "daemon",
        tone: "trouble",
        title: "The terminal daemon is down.",
        text: `${kaval.error} What ran in your terminals has ended; their screens are kept and can be restored. It is started again and again; what hinders it says:`,
        ...DOCTOR,
      });
    case "incompatible":
      return banner(padi.startedAtMs, {
        kind: "daemon",
        tone: "trouble",
        title: "The running terminal daemon is of another version.",
        text: `It speaks ${kaval.daemonVersion}, this kolu needs ${kaval.requiredVersion}. It holds your running shells, so nothing but you ends it: go on with the kolu that started it, or finish your work there and then end it: this kolu starts its own.`,
        action: "copy-command",
        command: "kolu stop --all",
        afterMs: 0,
      });
    default:
      return kaval satisfies never;
  }
}

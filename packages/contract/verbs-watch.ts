// Rows of watch subscriptions: supervising many terminals with one call.
import { z } from "zod";
import { defined, verb } from "./verb.ts";
import { WatchFrame, WatchName, WatchNextParams, WatchOpened, WatchOpenParams } from "./watch.ts";

export const watchOpen = verb({
  name: "watch_open",
  title: "Open a terminal watch",
  description:
    "Opens, or reattaches to, a named subscription over all terminals. Without states, heldForMs and nagMs it reports what happens: `asking`, `finished`, `gone`, once each. With any of them it reports how terminals stand: `snapshot` (already so), `transition` (held for heldForMs), `nag` (still so after nagMs), and nothing when one goes away. Events are kept while you are away, also over a restart of kolu. Reopening with other states, heldForMs or nagMs empties the queue.",
  method: "watch.open",
  input: WatchOpenParams.omit({ callerTerminalId: true, keepMs: true }),
  output: WatchOpened,
  toParams: (input, caller) => ({
    ...defined(input),
    ...(caller.terminalId === null ? {} : { callerTerminalId: caller.terminalId }),
  }),
  toOutput: (opened) => opened,
  refusals: [
    "empty-ids",
    "muted-covers-include",
    "ignore-self-unresolvable",
    "ignore-self-invalid",
    "ignore-self-not-in-fleet",
    "watches-full",
  ],
  annotations: { readOnly: false, destructive: false, idempotent: true },
});

export const watchNext = verb({
  name: "watch_next",
  title: "Wait for the next terminal event",
  description:
    "Hands over everything that a subscription has gathered, at once when there is something, else as soon as there is. Pass each answer's `ackAfter` back as `after`, or its events come again, under the same `seq`. With `dropped` above 0 you were away for too long: compare with the list of terminals. `timeout` and `closed` lose nothing.",
  method: "watch.next",
  input: WatchNextParams,
  output: WatchFrame,
  toParams: (input) => defined(input),
  toOutput: (frame) => frame,
  refusals: ["watch-not-found"],
  annotations: { readOnly: false, destructive: false, idempotent: false },
});

export const watchClose = verb({
  name: "watch_close",
  title: "Close a terminal watch",
  description: "Ends a subscription and throws its queue away. The terminals go on.",
  method: "watch.close",
  input: z.object({ name: WatchName }),
  output: z.object({}),
  toParams: (input) => input,
  toOutput: () => ({}),
  refusals: ["watch-not-found"],
  annotations: { readOnly: false, destructive: true, idempotent: false },
});

// What a person prefers, shared by every browser: padi keeps it, and obeys the part that concerns it. Out of an agent's reach.
import { z } from "zod";

/** Which theme a new terminal takes, whoever makes it. */
export const NewTheme = z.discriminatedUnion("kind", [
  /** None of its own: it goes dark and light with the page. */
  z.object({ kind: z.literal("page") }),
  z.object({ kind: z.literal("fixed"), themeName: z.string() }),
  /** That of the terminal that it is made from: the parent of a split, else the active one or the caller's. */
  z.object({ kind: z.literal("inherit") }),
  /** A calm one that looks unlike those of the terminals that are there. */
  z.object({ kind: z.literal("shuffle") }),
]);
export type NewTheme = z.infer<typeof NewTheme>;

const PageScheme = z.enum(["dark", "light"]);

/** What a person may be told of. `program`: a bell or a notification that a program without an agent sends itself. */
export const AlertKind = z.enum(["needs-you", "finished", "error", "program"]);
export type AlertKind = z.infer<typeof AlertKind>;

/** By which means. `badge`: it counts on the tab's icon and title, and on an installed page's icon. */
export const AlertMeans = z.object({ sound: z.boolean(), notification: z.boolean(), badge: z.boolean() });
export type AlertMeans = z.infer<typeof AlertMeans>;

/** Minutes of the day by the clock of the browser; `from` after `to` goes over midnight. */
const QuietHours = z.object({ fromMinute: z.int().min(0).max(1_439), toMinute: z.int().min(0).max(1_439) });
export type QuietHours = z.infer<typeof QuietHours>;

/** By the id of an action; null: no chord at all. An action that is not named has its own. */
const Bindings = z.record(z.string(), z.string().nullable());
export type Bindings = z.infer<typeof Bindings>;

export const Preferences = z.object({
  scheme: z.enum(["dark", "light", "system"]),
  /** What "system" meant on the page that somebody looked at last: padi has no screen to ask. */
  systemScheme: PageScheme,
  newTheme: NewTheme,
  fontPx: z.number().min(6).max(40),
  restore: z.enum(["ask", "auto"]),
  alerts: z.record(AlertKind, AlertMeans),
  /** No sound and no notification meanwhile; the badge goes on counting. */
  quietHours: QuietHours.nullable(),
  /** A person's own chords, for keyboards with a Cmd key and for the others. */
  keys: z.object({ mac: Bindings, other: Bindings }),
  camera: z.object({ x: z.number(), y: z.number(), zoom: z.number() }).nullable(),
});
export type Preferences = z.infer<typeof Preferences>;

/** What holds until a person has chosen. */
export const DEFAULT_PREFERENCES: Preferences = {
  scheme: "system",
  // What most terminals are.
  systemScheme: "dark",
  newTheme: { kind: "page" },
  fontPx: 13,
  restore: "ask",
  alerts: {
    "needs-you": { sound: false, notification: true, badge: true },
    finished: { sound: false, notification: true, badge: true },
    error: { sound: false, notification: true, badge: true },
    program: { sound: false, notification: false, badge: false },
  },
  quietHours: null,
  keys: { mac: {}, other: {} },
  camera: null,
};

/** Dark or light, for whoever is not a page. */
export function schemeOf(preferences: Preferences): "dark" | "light" {
  return preferences.scheme === "system" ? preferences.systemScheme : preferences.scheme;
}

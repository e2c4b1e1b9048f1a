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

export const Preferences = z.object({
  scheme: z.enum(["dark", "light", "system"]),
  /** What "system" meant on the page that somebody looked at last: padi has no screen to ask. */
  systemScheme: PageScheme,
  newTheme: NewTheme,
  fontPx: z.number().min(6).max(40),
  restore: z.enum(["ask", "auto"]),
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
  camera: null,
};

/** Dark or light, for whoever is not a page. */
export function schemeOf(preferences: Preferences): "dark" | "light" {
  return preferences.scheme === "system" ? preferences.systemScheme : preferences.scheme;
}

// Every action of the page that has a name: its title, and its chord on each platform. Pure; page-actions.ts says what each
// one does. The terminal's own chords (copy, paste, search, font size) are in terminal/keyboard.ts.
import type { Action } from "./actions.ts";

type Row = Pick<Action, "title" | "group" | "chord" | "repeats">;

const place = <N extends number>(n: N): Row => ({
  title: `Terminal ${n} of the dock`,
  group: "Terminals",
  chord: { other: `Ctrl+Shift+${n}`, mac: `Cmd+${n}` },
});

const move = (where: string, arrow: string): Row => ({
  title: `Move the tile, or what is selected, ${where}`,
  group: "Canvas",
  chord: { other: `Ctrl+Shift+Arrow${arrow}`, mac: `Cmd+Alt+Arrow${arrow}` },
  repeats: true,
});

const resize = (how: string, arrow: string): Row => ({
  title: `Make the tile ${how}`,
  group: "Canvas",
  chord: { other: `Ctrl+Alt+Shift+Arrow${arrow}`, mac: `Cmd+Alt+Shift+Arrow${arrow}` },
  repeats: true,
});

export const ACTION_TABLE = {
  "terminal.launch": {
    title: "New terminal: repository, worktree, agent",
    group: "Terminals",
    chord: { other: "Ctrl+Shift+L", mac: "Cmd+Shift+Enter" },
  },
  "terminal.new": {
    title: "New plain terminal at once",
    group: "Terminals",
    chord: { other: "Ctrl+Shift+Enter", mac: "Cmd+Enter" },
  },
  "terminal.split": {
    title: "Split the terminal",
    group: "Terminals",
    chord: { other: "Ctrl+Shift+`", mac: "Cmd+Shift+`" },
  },
  "terminal.next-needing-you": {
    title: "Next terminal that needs you",
    group: "Terminals",
    chord: { other: "Ctrl+Shift+Space", mac: "Cmd+Shift+Space" },
  },
  "terminal.next-not-seen": {
    title: "Next finished terminal not seen yet",
    group: "Terminals",
    chord: { other: "Ctrl+Shift+Y", mac: "Cmd+Shift+Y" },
  },
  "terminal.next": {
    title: "Next terminal",
    group: "Terminals",
    chord: { other: "Ctrl+Shift+]", mac: "Cmd+Shift+]" },
  },
  "terminal.previous": {
    title: "Previous terminal",
    group: "Terminals",
    chord: { other: "Ctrl+Shift+[", mac: "Cmd+Shift+[" },
  },
  "terminal.place-1": place(1),
  "terminal.place-2": place(2),
  "terminal.place-3": place(3),
  "terminal.place-4": place(4),
  "terminal.place-5": place(5),
  "terminal.place-6": place(6),
  "terminal.place-7": place(7),
  "terminal.place-8": place(8),
  "terminal.place-9": place(9),
  "canvas.maximise": {
    title: "Maximise the tile, or put it back",
    group: "Canvas",
    chord: { other: "Ctrl+Shift+M", mac: "Cmd+Shift+M" },
  },
  "canvas.fit": {
    title: "Fit everything",
    group: "Canvas",
    chord: { other: "Ctrl+Shift+.", mac: "Cmd+Shift+." },
  },
  "canvas.fit-selection": {
    title: "Fit the selected tiles, or the active one",
    group: "Canvas",
    chord: { other: "Ctrl+Alt+Shift+.", mac: "Cmd+Alt+." },
  },
  "canvas.arrange": { title: "Arrange by repository", group: "Canvas", chord: null },
  "canvas.undo": {
    title: "Undo the last change of layout",
    group: "Canvas",
    chord: { other: "Ctrl+Shift+Z", mac: "Cmd+Z" },
  },
  "canvas.redo": {
    title: "Redo the change of layout",
    group: "Canvas",
    chord: { other: "Ctrl+Alt+Shift+Z", mac: "Cmd+Shift+Z" },
  },
  "canvas.move-left": move("left", "Left"),
  "canvas.move-right": move("right", "Right"),
  "canvas.move-up": move("up", "Up"),
  "canvas.move-down": move("down", "Down"),
  "canvas.narrower": resize("narrower", "Left"),
  "canvas.wider": resize("wider", "Right"),
  "canvas.lower": resize("lower", "Up"),
  "canvas.higher": resize("higher", "Down"),
  "canvas.zoom-in": { title: "Zoom in", group: "Canvas", chord: null },
  "canvas.zoom-out": { title: "Zoom out", group: "Canvas", chord: null },
  "canvas.zoom-reset": { title: "Zoom to 100 %", group: "Canvas", chord: null },
  "page.search-text": {
    title: "Search the text of all terminals",
    group: "Page",
    chord: { other: "Ctrl+Shift+G", mac: "Cmd+Shift+F" },
  },
  "page.palette": {
    title: "Search terminals, text, repositories, commands",
    group: "Page",
    chord: { other: "Ctrl+Shift+K", mac: "Cmd+K" },
  },
  "page.keys": { title: "Show all keys", group: "Page", chord: { other: "Ctrl+Shift+/", mac: "Cmd+/" } },
  "page.settings": {
    title: "Settings: appearance, notifications, keys",
    group: "Page",
    chord: { other: "Ctrl+Shift+,", mac: "Cmd+," },
  },
  "page.workspace": {
    title: "Backups, export and import of the workspace",
    group: "Page",
    chord: null,
  },
  "page.dock": {
    title: "Dock: cards, rail, hidden",
    group: "Page",
    chord: { other: "Ctrl+Shift+B", mac: "Cmd+Shift+B" },
  },
  "panel.inspector": {
    title: "Details of this terminal",
    group: "Page",
    chord: { other: "Ctrl+Shift+\\", mac: "Cmd+Shift+\\" },
  },
  "panel.code": {
    title: "Files and changes of this terminal",
    group: "Page",
    chord: { other: "Ctrl+Shift+E", mac: "Cmd+Shift+E" },
  },
  "page.notify": {
    title: "Notify me when somebody needs me or has finished",
    group: "Page",
    chord: null,
  },
  "page.install": { title: "Install kolu as an app", group: "Page", chord: null },
  "page.font-larger": { title: "Larger text in all terminals", group: "Page", chord: null },
  "page.font-smaller": { title: "Smaller text in all terminals", group: "Page", chord: null },
  "page.restore": {
    title: "After a crash: ask before restoring, or restore by itself",
    group: "Page",
    chord: null,
  },
  "page.scheme": { title: "Scheme: dark, light, system", group: "Page", chord: null },
} as const satisfies Record<string, Row>;

export type ActionId = keyof typeof ACTION_TABLE;

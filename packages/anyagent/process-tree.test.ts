import { describe, expect, it } from "vitest";
import { finerBootMs, parseStat } from "./process-linux.ts";
import { parseLsofCwd, parsePs } from "./process-mac.ts";
import { type ProcessEntry, TREE_MAX_PROCESSES, type TreeSource, walkTree } from "./process-tree.ts";

/** pid: [parent, group, name] */
function source(processes: Record<number, [parent: number, group: number, name: string]>): TreeSource {
  const entry = (pid: number): ProcessEntry | null => {
    const found = processes[pid];
    if (found === undefined) return null;
    const [parentPid, groupPid, name] = found;
    return { pid, parentPid, groupPid, name, startTime: "1", startedAtMs: null };
  };
  return {
    entry,
    children: (pid) =>
      Object.keys(processes)
        .map(Number)
        .filter((child) => processes[child]![0] === pid),
  };
}

const walk = (from: TreeSource, rootPid: number | null, foregroundPid: number, stop = "none") =>
  walkTree(from, { rootPid, foregroundPid, stopAt: (entry) => entry.name === stop }).map(
    (entry) => entry.name,
  );

describe("the foreground group's tree", () => {
  const cases: Record<
    string,
    { tree: Parameters<typeof source>[0]; foreground: number; names: string[]; stop?: string }
  > = {
    "is the leader alone": { tree: { 2: [1, 2, "sh"], 3: [2, 3, "vim"] }, foreground: 3, names: ["vim"] },
    "goes down through wrappers, other groups and terminals too": {
      tree: { 2: [1, 2, "sh"], 3: [2, 3, "script"], 4: [3, 4, "sh"], 5: [4, 4, "acme"] },
      foreground: 3,
      names: ["script", "sh", "acme"],
    },
    "takes in the other members of a pipeline": {
      tree: { 2: [1, 2, "sh"], 3: [2, 3, "cat"], 4: [2, 3, "acme"], 5: [2, 5, "background"] },
      foreground: 3,
      names: ["cat", "acme"],
    },
    "finds the members when the leader has exited": {
      tree: { 2: [1, 2, "sh"], 6: [2, 6, "sh"], 4: [6, 3, "acme"], 5: [6, 5, "background"] },
      foreground: 3,
      names: ["acme"],
    },
    "does not look below an agent": {
      tree: { 2: [1, 2, "sh"], 3: [2, 3, "acme"], 4: [3, 3, "bash"], 5: [4, 3, "acme"] },
      foreground: 3,
      names: ["acme"],
      stop: "acme",
    },
    "is empty when the group is gone": { tree: { 2: [1, 2, "sh"] }, foreground: 9, names: [] },
  };
  for (const [title, { tree, foreground, names, stop }] of Object.entries(cases)) {
    it(title, () => expect(walk(source(tree), 2, foreground, stop)).toEqual(names));
  }

  it("is bounded", () => {
    const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [at + 3, [at + 2, 3, "cc"]]));
    expect(walk(source(many as Parameters<typeof source>[0]), null, 3)).toHaveLength(TREE_MAX_PROCESSES);
  });
});

describe("process entries", () => {
  const fields = "S 10 20 10 34816 20 4194560 1 0 0 0 0 0 0 0 20 0 1 0 309292 1 1";
  it("are read from /proc whatever the process calls itself", () => {
    expect(parseStat(`69 (cl) au (de) ${fields}`, 1_000)).toEqual({
      pid: 69,
      parentPid: 10,
      groupPid: 20,
      name: "cl) au (de",
      startTime: "309292",
      startedAtMs: 3_093_920,
    });
  });
  it("of a zombie are none", () => {
    expect(parseStat(`69 (claude) ${fields.replace("S", "Z")}`, null)).toBeNull();
    expect(parseStat("", null)).toBeNull();
  });

  it("starts at a boot that is known to more than the second, where the uptime agrees with it", () => {
    expect(finerBootMs(1_000_000, 1_000_877)).toBe(1_000_877);
    // A container that is told another machine's uptime.
    expect(finerBootMs(1_000_000, 7_000_000)).toBe(1_000_000);
    expect(finerBootMs(1_000_000, Number.NaN)).toBe(1_000_000);
  });
  it("work where macOS's lsof says", () => {
    expect(parseLsofCwd("p600\nfcwd\nn/Users/me/My Project\n")).toBe("/Users/me/My Project");
    expect(parseLsofCwd("")).toBeNull();
  });
  it("are read from macOS's ps, zombies left out", () => {
    const text = [
      "  501     1   501 Ss   Mon Nov 30 08:45:51 2026 /bin/zsh",
      "  600   501   600 S+   Mon Nov  2 08:45:52 2026 /Users/me/My Tools/claude",
      "  601   501   601 Z    Mon Nov  2 08:45:52 2026 (claude)",
    ].join("\n");
    expect(parsePs(text)).toEqual([
      {
        pid: 501,
        parentPid: 1,
        groupPid: 501,
        name: "zsh",
        startTime: "Mon Nov 30 08:45:51 2026",
        startedAtMs: Date.parse("Mon Nov 30 08:45:51 2026"),
      },
      {
        pid: 600,
        parentPid: 501,
        groupPid: 600,
        name: "claude",
        startTime: "Mon Nov 2 08:45:52 2026",
        startedAtMs: Date.parse("Mon Nov 2 08:45:52 2026"),
      },
    ]);
  });
});

import type { ProcessEntry } from "@kolu/anyagent/process-tree.ts";
import type { Log } from "@kolu/entry-log/log-dir.ts";
import { describe, expect, it } from "vitest";
import { candidatesOf } from "./find.ts";
import { dirNameOf, parseName, rootOf, sidecarOf } from "./store.ts";

const [OLDER, NEWER] = ["019fca61-be8e-75b0-b72f-b68984e0d3c1", "019fca62-0a11-7c2d-9a44-5d0a4e1c2b3f"];
const logOf = (time: string, id: string, modified = time): Log => ({
  path: `/x/2026-08-03T${time.replaceAll(/[:.]/g, "-")}-000Z_${id}.jsonl`,
  header: { kind: "header", sessionId: id, startedAtMs: Date.parse(`2026-08-03T${time}Z`), cwd: "/w" },
  nameId: id,
  modifiedAtMs: Date.parse(`2026-08-03T${modified}Z`),
});
const xyne = (time: string): ProcessEntry => {
  const startedAtMs = Date.parse(`2026-08-03T${time}Z`);
  return { pid: 7, parentPid: 1, groupPid: 7, name: "xyne", startTime: "7", startedAtMs };
};
const logs = [logOf("10:00:00", OLDER!), logOf("11:30:00", NEWER!)];
const evidence = (argv: string[], process: ProcessEntry, from = logs) =>
  candidatesOf(from, argv, process).map((one) => [one.key.slice(-41, -6), one.evidence]);

describe("the sessions of a terminal with Xyne", () => {
  it("are those that began after its start, and all when it continues", () => {
    expect(evidence(["xyne"], xyne("11:29:59"))).toEqual([[NEWER!.slice(1), "created-after-start"]]);
    expect(evidence(["xyne"], xyne("12:00:00"))).toEqual([]);
    expect(evidence(["xyne", "--continue"], xyne("12:00:00"))).toHaveLength(2);
  });

  it("are an older one that was written to since", () => {
    const [resumed] = evidence(["xyne"], xyne("12:00:00"), [logOf("10:00:00", OLDER!, "12:30:00")]);
    expect(resumed?.[1]).toBe("same-directory");
  });

  it("are the one that is named", () => {
    expect(evidence(["xyne", "--session", OLDER!], xyne("12:00:00"))).toEqual([[OLDER!.slice(1), "exact"]]);
  });

  it("rank by their names and not by their files' times", () => {
    const swapped = [logOf("10:00:00", OLDER!, "13:00:00"), logOf("11:30:00", NEWER!, "11:31:00")];
    const [older, newer] = candidatesOf(swapped, ["xyne", "--continue"], xyne("14:00:00"));
    expect(newer!.updatedAtMs! > older!.updatedAtMs!).toBe(true);
  });
});

describe("the store of Xyne", () => {
  it("is named after the directory as Xyne does it", () => {
    expect(dirNameOf("/x/.: y")).toBe("-x----y");
  });

  it("lies in the home, or where kolu's override says", () => {
    expect(rootOf({ HOME: "/h" }, {})).toBe("/h/.xyne");
    expect(rootOf({ HOME: "/h" }, { KOLU_XYNE_DIR: "/k" })).toBe("/k");
  });

  it("knows its files by their names", () => {
    const name = `2026-08-03T10-00-00-000Z_${OLDER}`;
    expect(parseName(`${name}.jsonl`)).toEqual({
      startedAtMs: Date.parse("2026-08-03T10:00:00Z"),
      id: OLDER,
    });
    for (const other of [`${name}_summary.json`, "notes.jsonl", `2026-13-45T99-00-00-000Z_${OLDER}.jsonl`]) {
      expect(parseName(other), other).toBeNull();
    }
    expect(sidecarOf(`/x/${name}.jsonl`)).toBe(`/x/${name}_summary.json`);
  });
});

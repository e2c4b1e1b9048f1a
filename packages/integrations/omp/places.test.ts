import { describe, expect, it } from "vitest";
import { breadcrumbName, type PlacesQuestion, stateDirOf } from "./places.ts";

const stateDir = (
  environ: Record<string, string>,
  changes: { argv?: string[]; directories?: string[]; overrides?: Record<string, string> } = {},
) => {
  const question: PlacesQuestion = {
    environ: { HOME: "/h", ...environ },
    argv: changes.argv ?? ["bun", "/bin/omp"],
    cwd: "/w",
    overrides: changes.overrides ?? {},
    isDirectory: (path) => changes.directories?.includes(path) === true,
  };
  const found = stateDirOf(question);
  return "dir" in found ? found.dir : found.fault;
};
const flag = (...words: string[]) => ({ argv: ["bun", "/bin/omp", ...words] });

describe("where breadcrumbs are", () => {
  const rows: Record<string, [dir: string, expected: string]> = {
    "by default": [stateDir({}), "/h/.omp/agent"],
    "the flag names a profile": [stateDir({}, flag("--profile", "work")), "/h/.omp/profiles/work/agent"],
    "also with an equals sign, before both variables": [
      stateDir({ OMP_PROFILE: "a", PI_PROFILE: "b" }, flag("--profile=work")),
      "/h/.omp/profiles/work/agent",
    ],
    "then its own variable": [stateDir({ OMP_PROFILE: "a", PI_PROFILE: "b" }), "/h/.omp/profiles/a/agent"],
    "then Pi's": [stateDir({ PI_PROFILE: "b" }), "/h/.omp/profiles/b/agent"],
    "its own wins when it is set and empty": [
      stateDir({ OMP_PROFILE: "", PI_PROFILE: "b" }),
      "/h/.omp/agent",
    ],
    "default is the default": [stateDir({ OMP_PROFILE: "default" }), "/h/.omp/agent"],
    "a profile goes before a moved agent directory": [
      stateDir({ OMP_PROFILE: "a", PI_CODING_AGENT_DIR: "/moved" }),
      "/h/.omp/profiles/a/agent",
    ],
    "a moved agent directory": [stateDir({ PI_CODING_AGENT_DIR: "/moved" }), "/moved"],
    "it goes before XDG's": [
      stateDir({ PI_CODING_AGENT_DIR: "/moved", XDG_STATE_HOME: "/x" }, { directories: ["/x/omp"] }),
      "/moved",
    ],
    "another configuration directory": [stateDir({ PI_CONFIG_DIR: ".my" }), "/h/.my/agent"],
    "with a profile": [stateDir({ PI_CONFIG_DIR: ".my", OMP_PROFILE: "a" }), "/h/.my/profiles/a/agent"],
    "XDG's, when it is there": [stateDir({ XDG_STATE_HOME: "/x" }, { directories: ["/x/omp"] }), "/x/omp"],
    "but not when it is not": [stateDir({ XDG_STATE_HOME: "/x" }), "/h/.omp/agent"],
    "it goes before another configuration directory": [
      stateDir({ XDG_STATE_HOME: "/x", PI_CONFIG_DIR: ".my" }, { directories: ["/x/omp"] }),
      "/x/omp",
    ],
    "a profile below it, when that is there": [
      stateDir({ XDG_STATE_HOME: "/x", OMP_PROFILE: "a" }, { directories: ["/x/omp", "/x/omp/profiles/a"] }),
      "/x/omp/profiles/a",
    ],
    "but not when only the other is": [
      stateDir({ XDG_STATE_HOME: "/x", OMP_PROFILE: "a" }, { directories: ["/x/omp"] }),
      "/h/.omp/profiles/a/agent",
    ],
    "kolu's override stands for the default": [stateDir({}, { overrides: { KOLU_OMP_DIR: "/k" } }), "/k"],
    "and replaces nothing that the process was told": [
      stateDir({ PI_CODING_AGENT_DIR: "/moved" }, { overrides: { KOLU_OMP_DIR: "/k" } }),
      "/moved",
    ],
    "a flag after the end of options is a prompt": [
      stateDir({}, flag("--", "--profile", "work")),
      "/h/.omp/agent",
    ],
  };
  for (const [title, [dir, expected]] of Object.entries(rows)) it(title, () => expect(dir).toBe(expected));

  it("is nowhere for a profile that omp itself refuses", () => {
    for (const name of ["Work", "-a", "a.", "nul", "com1.x", "a/b", "x".repeat(65)]) {
      expect(stateDir({ OMP_PROFILE: name }), name).toContain(name);
    }
  });

  it("is named after the terminal's device", () => {
    expect(breadcrumbName("/dev/pts/3")).toBe("pts-3");
    expect(breadcrumbName("/dev/ttys001")).toBe("ttys001");
    expect(breadcrumbName("pipe:[123]")).toBeNull();
  });
});

// docs/coverage.md judged against the repository: the table on top has to be the count of its rows, and every file and test
// that a row names has to be there. Pure; coverage.test.ts reads the files.

const TOPICS = ["Agent detection", "Driving agents from a shell", "MCP server"];
const STATES = ["beaten", "met", "part", "not yet"];
const AGENTS = new Set(["claude", "codex", "grok", "opencode", "pi", "omp", "xyne"]);
const TOP_FOLDERS = new Set(["e2e", "tools", "bench", "docs"]);

/** Where a path of the page is in the repository; null for words in backticks that are none. */
function pathOf(word: string): string | null {
  const situations = /^agents:([\w-]+)$/.exec(word);
  if (situations !== null) return `e2e/agents/${situations[1]}.agents.ts`;
  const folder = /^([\w-]+)\/[\w./-]+$/.exec(word)?.[1];
  if (folder === undefined) return null;
  if (AGENTS.has(folder)) return `packages/integrations/${word}`;
  return TOP_FOLDERS.has(folder) ? word : `packages/${word}`;
}

export interface CoverageFindings {
  /** The rows of the summary, as they have to stand in the page. */
  summary: string[];
  /** Sentences: a row of another shape, a file or a test that is not there. */
  faults: string[];
}

/** @param read a file's text by its path in the repository; "" for a directory, null when there is none */
export function judgeCoverage(page: string, read: (path: string) => string | null): CoverageFindings {
  const faults: string[] = [];
  const counts = new Map(TOPICS.map((topic) => [topic, STATES.map(() => 0)]));
  let topic = "";
  for (const line of page.split("\n")) {
    if (line.startsWith("## ")) topic = line.slice(3);
    if (!/^\| (?!---|promise |topic )/.test(line)) continue;
    const cells = line.split(/(?<!\\)\|/).slice(1, -1);
    const count = counts.get(topic);
    if (count !== undefined) {
      const at = STATES.indexOf(cells[1]?.trim() ?? "");
      if (cells.length !== 3 || at < 0) faults.push(`a row of another shape: ${line}`);
      else count[at]! += 1;
    }
    faults.push(...faultsOfProof(cells.at(-1) ?? "", read));
  }
  const rows = [...counts].map(([name, count]) => `| ${name} | ${count.join(" | ")} |`);
  const sums = STATES.map((_, at) => [...counts.values()].reduce((sum, count) => sum + count[at]!, 0));
  return { summary: [...rows, `| **together** | ${sums.join(" | ")} |`], faults };
}

/** A quoted name is a test, or a part of its name, of the file that was named before it. */
function faultsOfProof(cell: string, read: (path: string) => string | null): string[] {
  const faults: string[] = [];
  let path: string | null = null;
  for (const [, word, name] of cell.replaceAll("\\`", "'").matchAll(/`([^`]+)`|"([^"]+)"/g)) {
    if (word !== undefined) {
      const found = pathOf(word);
      if (found === null) continue;
      path = found;
      if (read(path) === null) faults.push(`there is no ${path}`);
    } else if (path === null) faults.push(`"${name}" is of no file`);
    else if (read(path)?.replaceAll("`", "'").includes(name!) === false)
      faults.push(`${path} has no "${name}"`);
  }
  return faults;
}

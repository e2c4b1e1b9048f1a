// The tables of recent repositories and recent agent commands: what a person may want again.
import type { DatabaseSync } from "node:sqlite";
import type { RecentAgent, RecentRepo } from "@kolu/contract/launch.ts";

/** More than a person scans; the least recently used go. */
const RECENT_REPOS_MAX = 20;
/** A few for each repository. */
const RECENT_AGENTS_MAX = 40;

export interface RecentsTables {
  repos(): RecentRepo[];
  agents(): RecentAgent[];
  putRepo(repo: RecentRepo): void;
  putAgent(agent: RecentAgent): void;
}

export function recentsTables(db: DatabaseSync): RecentsTables {
  const repos = db.prepare(
    "SELECT root, name, used_at_ms AS usedAtMs FROM recent_repos ORDER BY used_at_ms DESC, root",
  );
  const agents = db.prepare(
    `SELECT command, kind, nullif(repo_root, '') AS repoRoot, used_at_ms AS usedAtMs FROM recent_agent_lines
     ORDER BY used_at_ms DESC, command`,
  );
  const putRepo = db.prepare(
    `INSERT INTO recent_repos (root, name, used_at_ms) VALUES (?, ?, ?)
     ON CONFLICT (root) DO UPDATE SET name = excluded.name, used_at_ms = excluded.used_at_ms`,
  );
  const putAgent = db.prepare(
    `INSERT INTO recent_agent_lines (command, repo_root, kind, used_at_ms) VALUES (?, ?, ?, ?)
     ON CONFLICT (command, repo_root) DO UPDATE SET kind = excluded.kind, used_at_ms = excluded.used_at_ms`,
  );
  const trimRepos = db.prepare(
    "DELETE FROM recent_repos WHERE root NOT IN (SELECT root FROM recent_repos ORDER BY used_at_ms DESC LIMIT ?)",
  );
  const trimAgents = db.prepare(
    `DELETE FROM recent_agent_lines WHERE (command, repo_root) NOT IN
     (SELECT command, repo_root FROM recent_agent_lines ORDER BY used_at_ms DESC LIMIT ?)`,
  );
  return {
    // Plain objects: a row of the database has no prototype.
    repos: () => repos.all().map((row) => ({ ...row }) as unknown as RecentRepo),
    agents: () => agents.all().map((row) => ({ ...row }) as unknown as RecentAgent),
    putRepo({ root, name, usedAtMs }) {
      putRepo.run(root, name, usedAtMs);
      trimRepos.run(RECENT_REPOS_MAX);
    },
    putAgent({ command, kind, repoRoot, usedAtMs }) {
      putAgent.run(command, repoRoot ?? "", kind, usedAtMs);
      trimAgents.run(RECENT_AGENTS_MAX);
    },
  };
}

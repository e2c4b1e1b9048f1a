// The tables of recent repositories and recent agent commands: what a person may want again.
import type { DatabaseSync } from "node:sqlite";

/** More than a person scans; the least recently used go. */
const RECENT_REPOS_MAX = 20;
const RECENT_AGENTS_MAX = 10;

export interface RecentRepo {
  root: string;
  name: string;
  usedAtMs: number;
}
export interface RecentAgent {
  /** Normalised command line, without a prompt in it. */
  command: string;
  kind: string;
  usedAtMs: number;
}

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
    "SELECT command, kind, used_at_ms AS usedAtMs FROM recent_agents ORDER BY used_at_ms DESC, command",
  );
  const putRepo = db.prepare(
    `INSERT INTO recent_repos (root, name, used_at_ms) VALUES (?, ?, ?)
     ON CONFLICT (root) DO UPDATE SET name = excluded.name, used_at_ms = excluded.used_at_ms`,
  );
  const putAgent = db.prepare(
    `INSERT INTO recent_agents (command, kind, used_at_ms) VALUES (?, ?, ?)
     ON CONFLICT (command) DO UPDATE SET kind = excluded.kind, used_at_ms = excluded.used_at_ms`,
  );
  const trimRepos = db.prepare(
    "DELETE FROM recent_repos WHERE root NOT IN (SELECT root FROM recent_repos ORDER BY used_at_ms DESC LIMIT ?)",
  );
  const trimAgents = db.prepare(
    "DELETE FROM recent_agents WHERE command NOT IN (SELECT command FROM recent_agents ORDER BY used_at_ms DESC LIMIT ?)",
  );
  return {
    repos: () => repos.all() as unknown as RecentRepo[],
    agents: () => agents.all() as unknown as RecentAgent[],
    putRepo({ root, name, usedAtMs }) {
      putRepo.run(root, name, usedAtMs);
      trimRepos.run(RECENT_REPOS_MAX);
    },
    putAgent({ command, kind, usedAtMs }) {
      putAgent.run(command, kind, usedAtMs);
      trimAgents.run(RECENT_AGENTS_MAX);
    },
  };
}

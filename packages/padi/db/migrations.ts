// The schema, as the steps that made it. A step that has shipped is never edited: add one below it. The database's
// `user_version` is the number of steps that it has taken.

export const MIGRATIONS: readonly string[] = [
  // A record is one JSON document, read leniently field by field: a field that a release adds or reshapes costs no
  // migration, and one that cannot be read costs only itself.
  `
  CREATE TABLE terminals (
    id TEXT PRIMARY KEY,
    document TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE tombstones (
    id TEXT PRIMARY KEY,
    removed_at_ms INTEGER NOT NULL,
    -- 1 until kaval has been seen without the terminal: until then it must never be taken for a stranger.
    kaval_may_hold INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE preferences (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE recent_repos (
    root TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    used_at_ms INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE recent_agents (
    command TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    used_at_ms INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE meta (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
  `
  CREATE TABLE watches (
    name TEXT PRIMARY KEY,
    document TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE watch_events (
    name TEXT NOT NULL REFERENCES watches (name) ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    document TEXT NOT NULL,
    PRIMARY KEY (name, seq)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE watch_marks (
    name TEXT NOT NULL REFERENCES watches (name) ON DELETE CASCADE,
    id TEXT NOT NULL,
    document TEXT NOT NULL,
    PRIMARY KEY (name, id)
  ) STRICT, WITHOUT ROWID;
  `,
  // An agent's command line is remembered for each repository: what fits one seldom fits all.
  `
  CREATE TABLE recent_agent_lines (
    command TEXT NOT NULL,
    -- '' outside of any repository
    repo_root TEXT NOT NULL,
    kind TEXT NOT NULL,
    used_at_ms INTEGER NOT NULL,
    PRIMARY KEY (command, repo_root)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO recent_agent_lines SELECT command, '', kind, used_at_ms FROM recent_agents;
  DROP TABLE recent_agents;
  `,
];

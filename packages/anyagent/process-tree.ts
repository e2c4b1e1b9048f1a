// Facts about processes behind one interface, and the walk from a terminal's foreground group to everything in it. The
// sources are process-linux.ts and process-mac.ts; what a system hides is said as hidden.

export interface ProcessEntry {
  pid: number;
  parentPid: number;
  groupPid: number;
  /** The kernel's short name: the base name of what was executed, unless the program renamed itself. */
  name: string;
  /** Opaque and stable for one process. On Linux field 22 of /proc/<pid>/stat. */
  startTime: string;
  /** Epoch milliseconds of the start, within a second; null when it cannot be told. */
  startedAtMs: number | null;
}

/** A fact of a process that the system may keep from us. */
export type Visible<T> = { kind: "known"; value: T } | { kind: "hidden"; reason: string };

export interface TreeQuery {
  /** The terminal's root process; members of a group whose leader has exited are found through it. */
  rootPid: number | null;
  foregroundPid: number;
  /** Nothing below such a process is looked at. */
  stopAt(entry: ProcessEntry): boolean;
}

export interface ProcessFacts {
  /** The foreground group and everything it started (on other terminals too: `script` runs its command on one of its
   * own), nearest to the leader first. Empty when it is gone. Never rejects. */
  foregroundTree(query: TreeQuery): Promise<ProcessEntry[]>;
  /** Null when there is no such process any more (a zombie is none). Never rejects. */
  entry(pid: number): Promise<ProcessEntry | null>;
  environ(pid: number): Promise<Visible<Readonly<Record<string, string>>>>;
  argv(pid: number): Promise<Visible<string[]>>;
  /** Device of its standard input, such as /dev/pts/3. */
  tty(pid: number): Promise<Visible<string>>;
  /** The directory that it works in, under the name that it had when it was removed. */
  cwd(pid: number): Promise<Visible<string>>;
  /** Absolute paths of the regular files that it has open. */
  openFiles(pid: number): Promise<Visible<string[]>>;
}

/** No terminal of a person has more processes of interest; a build's thousand compilers are not walked. */
export const TREE_MAX_PROCESSES = 256;

export interface TreeSource {
  entry(pid: number): ProcessEntry | null;
  children(pid: number): number[];
}

/** The walk itself, over any source: nearest to the group's leader first, then what its members started. */
export function walkTree(source: TreeSource, query: TreeQuery): ProcessEntry[] {
  const found = new Map<number, ProcessEntry>();
  const descend = (from: ProcessEntry[]): void => {
    let level = from;
    while (level.length > 0) {
      const next: ProcessEntry[] = [];
      for (const entry of level) {
        if (found.has(entry.pid) || found.size >= TREE_MAX_PROCESSES) continue;
        found.set(entry.pid, entry);
        if (!query.stopAt(entry)) next.push(...childrenOf(source, entry.pid));
      }
      level = next;
    }
  };
  const leader = source.entry(query.foregroundPid);
  if (leader !== null) descend([leader]);
  descend(otherMembers(source, query, leader));
  return [...found.values()];
}

/** Members of the group beside its leader, as in `tee log | agent`: the leader's siblings, or, when the leader has
 * exited, whatever of the group the terminal's root still has beneath it. */
function otherMembers(source: TreeSource, query: TreeQuery, leader: ProcessEntry | null): ProcessEntry[] {
  const isMember = (entry: ProcessEntry) => entry.groupPid === query.foregroundPid;
  // The root's siblings are other terminals: none of its group, and perhaps a hundred of them.
  if (leader !== null && leader.pid === query.rootPid) return [];
  if (leader !== null) return childrenOf(source, leader.parentPid).filter(isMember);
  if (query.rootPid === null) return [];
  const members: ProcessEntry[] = [];
  let level = childrenOf(source, query.rootPid);
  for (let seen = 0; level.length > 0 && seen < TREE_MAX_PROCESSES; ) {
    seen += level.length;
    members.push(...level.filter(isMember));
    level = level.filter((entry) => !isMember(entry)).flatMap((entry) => childrenOf(source, entry.pid));
  }
  return members;
}

function childrenOf(source: TreeSource, pid: number): ProcessEntry[] {
  // Pid 1 adopts every orphan of the machine: its children are nobody's siblings.
  if (pid <= 1) return [];
  return source
    .children(pid)
    .map((child) => source.entry(child))
    .filter((entry) => entry !== null);
}

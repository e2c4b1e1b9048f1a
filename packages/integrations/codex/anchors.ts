// Which process opened which thread. Codex writes no pid beside a thread; but whenever a terminal program starts, resumes or
// switches to one, it touches that thread's capability file, and in the same moment logs, under its pid, that the server
// connected to it for the new thread. The two stamps lie within 120 ms (observed on 0.171.0). Pure.

/** A thread's capability file. */
export interface Opening {
  threadId: string;
  atMs: number;
}

/** A line of the log: a new connection to the terminal program with this pid. */
export interface Connection {
  pid: number;
  atMs: number;
}

/** On a busy machine the two come apart; threads are opened by hand, which takes longer. */
export const SAME_MOMENT_MS = 2_000;

/** Pairs each opening with the connection nearest to it, each at most once. */
export function pairUp(
  openings: readonly Opening[],
  connections: readonly Connection[],
): Map<Opening, Connection> {
  const near = openings.flatMap((opening) =>
    connections
      .map((connection) => ({ opening, connection, apartMs: Math.abs(opening.atMs - connection.atMs) }))
      .filter(({ apartMs }) => apartMs <= SAME_MOMENT_MS),
  );
  near.sort((left, right) => left.apartMs - right.apartMs);
  const pairs = new Map<Opening, Connection>();
  const used = new Set<Connection>();
  for (const { opening, connection } of near) {
    if (pairs.has(opening) || used.has(connection)) continue;
    pairs.set(opening, connection);
    used.add(connection);
  }
  return pairs;
}

/** In band a terminal program reports that it is idle 50 to 350 ms after it opened a thread (observed on 0.171.0); on a busy
 * machine it says `working` for seconds first. */
const REPORTS_WITHIN_MS = 5_000;
/** The stamp of a file may be coarser than ours. */
const REPORTS_SLACK_MS = 50;

/** Does a terminal whose program became idle at that time look as if it opened the thread just before? */
export function looksOpenedHere(opening: Opening, reportedAtMs: number | null): boolean {
  if (reportedAtMs === null) return false;
  const afterMs = reportedAtMs - opening.atMs;
  return afterMs >= -REPORTS_SLACK_MS && afterMs <= REPORTS_WITHIN_MS;
}

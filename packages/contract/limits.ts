// Limits that more than one process has to agree on. Each says what happens at it.

/** RPC messages above this close the connection with a clear reason; nothing of ours comes near it. */
export const RPC_MESSAGE_MAX_BYTES = 32 * 1024 * 1024;
/** A transcript as JSON; in a longer one what tools read and printed is cut until it fits, and what still does not is refused.
 * Below RPC_MESSAGE_MAX_BYTES by what escaping may add. */
export const TRANSCRIPT_MAX_BYTES = 24 * 1024 * 1024;
/** Output sent to one viewer and not yet acknowledged; beyond it the viewer is paused, then re-synchronised. */
export const VIEWER_WINDOW_BYTES = 4 * 1024 * 1024;
/** Input waiting for a program that does not read; beyond it a send is refused with `input-queue-full`. */
export const INPUT_QUEUE_MAX_BYTES = 8 * 1024 * 1024;
/** The output ring of a terminal at rest, and while output flows and somebody watches. */
export const RING_REST_BYTES = 64 * 1024;
export const RING_BUSY_BYTES = 512 * 1024;
/** Lines of scrollback kept for each terminal; the oldest go first. */
export const SCROLLBACK_LINES = 10_000;
/** Lines of scrollback that come along with a screen unless a viewer asks for more or fewer; older ones are paged. */
export const HOT_LINES = 1_000;
/** A timer above this fires at once in JavaScript, so longer waits are refused. */
export const TIMER_MAX_MS = 2_147_483_647;
/** How long a removed id is remembered, so that a wait on it says `gone` rather than "no such terminal". */
export const TOMBSTONE_MS = 60 * 60 * 1000;
export const GRID_MIN = 2;
export const GRID_MAX_COLS = 1_000;
export const GRID_MAX_ROWS = 1_000;
export const DEFAULT_COLS = 80;
export const DEFAULT_ROWS = 24;
/** Events that a watch subscription keeps for its client; the oldest are dropped and counted. */
export const WATCH_QUEUE_MAX = 512;
/** Subscriptions of one padi; one more is refused with `watches-full`. */
export const WATCHES_MAX = 64;
export const WATCH_NAME_MAX_CHARS = 128;
/** A file is read up to here; the rest is left out, and that is said. */
export const FILE_READ_MAX_BYTES = 1024 * 1024;
/** A file that is read whole, whatever it holds (a picture); a larger one is refused with `too-large`. */
export const FILE_BYTES_MAX_BYTES = 16 * 1024 * 1024;
/** Entries that the listing of one directory holds; the rest is left out, and that is said. */
export const DIRECTORY_MAX_ENTRIES = 2_000;
/** A diff above this is refused with `too-large`. */
export const DIFF_MAX_BYTES = 8 * 1024 * 1024;
/** Paths that one listing holds; the rest is left out, and that is said. */
export const FS_LIST_MAX_PATHS = 50_000;
/** Rows that a picture of a terminal may show; more is refused, never cut. */
export const PICTURE_ROWS_MAX = 200;
/** Hits that one search may ask for. */
export const SEARCH_HITS_MAX = 1_000;
/** A file that a page hands to a terminal; a larger one is refused. */
export const UPLOAD_MAX_BYTES = 50 * 1024 * 1024;
/** One piece of it: small enough that nobody waits for it. */
export const UPLOAD_PIECE_MAX_BYTES = 384 * 1024;

// A daemon's log: one line an event, to stderr, which its starter points at a file in the state root.

export interface Log {
  info(message: string): void;
  /** `cause` is printed whole, with its own causes: a fault must be diagnosable from the log alone. */
  error(message: string, cause?: unknown): void;
}

export function createLog(name: string): Log {
  const write = (level: string, text: string): void => {
    process.stderr.write(`${new Date().toISOString()} ${name} ${level} ${text}\n`);
  };
  return {
    info: (message) => write("info", message),
    error: (message, cause) =>
      write("error", cause === undefined ? message : `${message}: ${describe(cause)}`),
  };
}

function describe(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const own = cause.stack ?? cause.message;
  return cause.cause === undefined ? own : `${own}\n  caused by ${describe(cause.cause)}`;
}

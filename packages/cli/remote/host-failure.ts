// Every way in which another machine is of no use, with a code to branch on and a sentence that says what to do. Pure.
import { Failure } from "../exit.ts";

export type HostFailureKind =
  /** No ssh on this machine. */
  | "ssh-missing"
  /** No route, no name, nobody listens, or the connection broke: may pass. */
  | "host-unreachable"
  | "host-key-unverified"
  | "host-auth-refused"
  /** ssh let us in, and what runs there does not let us go on. */
  | "host-session-refused"
  /** The server forbids forwarding to unix sockets. */
  | "host-forbids-forwarding"
  | "host-has-no-kolu"
  | "host-too-old"
  | "host-too-new"
  | "host-not-running"
  /** kolu is there and says why it cannot. */
  | "host-kolu-failed";

export class HostFailure extends Failure {
  override name = "HostFailure";
  readonly kind: HostFailureKind;
  readonly host: string;
  constructor(kind: HostFailureKind, host: string, sentence: string) {
    super(`${sentence} [${kind}]`);
    this.kind = kind;
    this.host = host;
  }
}

/** Whether to try again may help without anybody doing anything. */
export function mayPass(error: unknown): boolean {
  return error instanceof HostFailure && error.kind === "host-unreachable";
}

/** Why ssh gave up, by what it said. The words are those of OpenSSH 9.2 and have been the same since 6. */
export function judgeSsh(host: string, said: string, exit: string): HostFailure {
  const last = lastWords(said);
  const quoted = last === "" ? `ssh ended (${exit}) and said nothing` : `ssh says: ${last}`;
  if (/Host key verification failed|REMOTE HOST IDENTIFICATION HAS CHANGED/i.test(said))
    return new HostFailure(
      "host-key-unverified",
      host,
      `The key of ${host} is not known here, or is another one than before. Run \`ssh ${host}\` once and look at it; kolu never answers that question for you.`,
    );
  if (/Permission denied|Too many authentication failures|No more authentication methods/i.test(said))
    return new HostFailure(
      "host-auth-refused",
      host,
      `${host} does not let you in without a question, and kolu never asks for a password (${quoted}). Give ssh a key that works alone: ssh-copy-id ${host}, or ssh-add for a key with a passphrase.`,
    );
  if (exit === "255")
    return new HostFailure(
      "host-unreachable",
      host,
      `${host} cannot be reached: ${quoted}. Does \`ssh ${host}\` work?`,
    );
  return new HostFailure(
    "host-session-refused",
    host,
    `${host} lets you in but runs no command for you (exit ${exit}; ${quoted}). Does \`ssh ${host} true\` work?`,
  );
}

/** The last line that says something of its own. */
function lastWords(said: string): string {
  const lines = said
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("Warning: Permanently added"));
  return (lines.at(-1) ?? "").replace(/^ssh: /, "").replace(/\.$/, "");
}

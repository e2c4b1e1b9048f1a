// An ssh server of the test's own on loopback: OpenSSH's sshd with its own keys, its own port, and an environment that makes
// every session look like a login on another machine. The ssh_config beside it names that machine in all the ways a test needs.
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { access, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const SSHD = "/usr/sbin/sshd";

export interface Sshd extends AsyncDisposable {
  /**
   * For KOLU_SSH_CONFIG. Hosts: `box` works; `locked` offers a key that opens nothing; `stranger` is known by no key;
   * `nowhere` is a port at which nobody listens.
   */
  configPath: string;
  /** Ends the server and every session, like a machine that falls off the network with a reset. */
  kill(): Promise<void>;
  /** Serves again, at the same port. */
  start(): Promise<void>;
}

export interface SshdOptions {
  /** What every session has in its environment, HOME and PATH included. */
  env: Record<string, string>;
  /** Lines of sshd_config. */
  config?: string;
}

/** Whether there is a server to start: where systemd would open port 22 for it, nobody installs one for a test. */
export const hasSshd: boolean = await access(SSHD).then(
  () => true,
  () => false,
);

export async function startSshd(options: SshdOptions): Promise<Sshd> {
  const base = await mkdtemp(join(tmpdir(), "ke-ssh-"));
  const at = (name: string): string => join(base, name);
  const port = await freePort();
  for (const name of ["host_key", "id", "other_id"])
    await promisify(execFile)("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", at(name)]);
  await writeFile(at("authorized_keys"), await readFile(at("id.pub")));
  await writeFile(at("known_hosts"), `[127.0.0.1]:${port} ${await readFile(at("host_key.pub"), "utf8")}`);
  await writeFile(at("sshd_config"), sshdConfig(base, port, options));
  await writeFile(at("ssh_config"), sshConfig(base, port));
  // Root's sshd wants it, and a machine without a service has none.
  if (userInfo().uid === 0) await mkdir("/run/sshd", { recursive: true, mode: 0o755 });

  let server: ChildProcess | null = null;
  const sshd: Sshd = {
    configPath: at("ssh_config"),
    async start() {
      server = spawn(SSHD, ["-D", "-e", "-f", at("sshd_config")], { stdio: ["ignore", "ignore", "pipe"] });
      await listening(server);
    },
    async kill() {
      if (server?.pid === undefined) return;
      const ended = new Promise((resolve) => server?.once("exit", resolve));
      for (const pid of [server.pid, ...(await sessionsOf(server.pid))]) process.kill(pid, "SIGKILL");
      server = null;
      await ended;
    },
    async [Symbol.asyncDispose]() {
      await sshd.kill();
      await rm(base, { recursive: true });
    },
  };
  await sshd.start();
  return sshd;
}

function sshdConfig(base: string, port: number, { env, config = "" }: SshdOptions): string {
  const values = Object.entries(env).map(([name, value]) => `"${name}=${value}"`);
  return `ListenAddress 127.0.0.1
Port ${port}
HostKey ${join(base, "host_key")}
AuthorizedKeysFile ${join(base, "authorized_keys")}
PidFile none
StrictModes no
UsePAM no
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitUserRC no
PrintMotd no
SetEnv ${values.join(" ")}
${config}
`;
}

function sshConfig(base: string, port: number): string {
  // Identity files add up over all blocks that match: the key that opens stands in none that "locked" reads.
  return `Host locked
  IdentityFile ${join(base, "other_id")}
Host * !locked
  IdentityFile ${join(base, "id")}
Host stranger
  UserKnownHostsFile /dev/null
Host nowhere
  Port 1
Host *
  HostName 127.0.0.1
  Port ${port}
  User ${userInfo().username}
  IdentitiesOnly yes
  IdentityAgent none
  UserKnownHostsFile ${join(base, "known_hosts")}
  GlobalKnownHostsFile /dev/null
  StrictHostKeyChecking ask
`;
}

function listening(server: ChildProcess): Promise<void> {
  let said = "";
  return new Promise((resolve, reject) => {
    server.stderr?.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      if (said.includes("Server listening")) resolve();
    });
    server.once("error", reject);
    server.once("exit", (code) => reject(new Error(`sshd ended with ${code}: ${said}`)));
  });
}

/** The processes of sshd below its listener, one or two for each session; what they started is not among them. */
async function sessionsOf(listener: number): Promise<number[]> {
  const rows: { pid: number; parent: number }[] = [];
  for (const name of await readdir("/proc")) {
    const stat = /^\d+$/.test(name) ? await readFile(`/proc/${name}/stat`, "utf8").catch(() => "") : "";
    const [, pid, parent] = /^(\d+) \(sshd[^)]*\) \S (\d+) /.exec(stat) ?? [];
    if (pid !== undefined) rows.push({ pid: Number(pid), parent: Number(parent) });
  }
  const found = [listener];
  for (const above of found)
    found.push(...rows.filter(({ parent }) => parent === above).map(({ pid }) => pid));
  return found.slice(1);
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}

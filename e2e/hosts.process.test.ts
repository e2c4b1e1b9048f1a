// `--host`: a kolu on another machine, over a real sshd on loopback. "Here" has no daemon and another home than "there".
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startMcpHost } from "./mcp-host.ts";
import { hasSshd, type Sshd, startSshd } from "./sshd.ts";
import { type Kolu, startKolu } from "./start-kolu.ts";

const ENTRY = join(import.meta.dirname, "..", "packages", "cli", "bin", "kolu.js");

describe.skipIf(!hasSshd)("another machine", () => {
  let here: Kolu;
  let there: Kolu;
  let sshd: Sshd;

  beforeAll(async () => {
    there = await startKolu({ daemons: false });
    const bin = await binWith(there.home, "kolu", `exec '${process.execPath}' '${ENTRY}' "$@"`);
    sshd = await startSshd({ env: { ...there.env, PATH: `${bin}:/usr/bin:/bin` } });
    // What a killed client leaves in the temporary directory goes with the test.
    const env = { KOLU_SSH_CONFIG: sshd.configPath, TMPDIR: dirname(sshd.configPath) };
    here = await startKolu({ daemons: false, env });
  });
  afterAll(async () => {
    await here?.[Symbol.asyncDispose]();
    await there?.[Symbol.asyncDispose]();
    await sshd?.[Symbol.asyncDispose]();
  });

  const create = (): Promise<string> => here.ok(["create", "--toplevel", "--host", "box"]);

  test("where kolu does not run, create starts it and says so; other verbs only say who does", async () => {
    const asked = await here.run(["ls", "--host", "box"]);
    expect(asked).toMatchObject({ code: 1, stdout: "" });
    expect(asked.stderr).toMatch(/not running.*kolu create --host box.*\[host-not-running\]/);
    expect(await there.pids()).toEqual({ padi: null, kaval: null });

    const created = await here.run(["--host", "box", "create", "--toplevel", "--intent", "far"]);
    expect(created).toMatchObject({ code: 0, stderr: expect.stringContaining("started it there") });
    const id = created.stdout.trim();
    const [record] = JSON.parse(await here.ok(["ls", "--json", "--host", "box"]));
    // Not the directory that the caller stands in.
    expect(record).toMatchObject({ id, intent: "far", cwd: there.home });
    expect((await there.pids()).padi).not.toBeNull();
    expect(await here.pids()).toEqual({ padi: null, kaval: null });
    await here.ok(["kill", id, "--host=box"]);
  });

  test("a terminal there is driven from here", async () => {
    const id = await create();
    const short = id.slice(0, 8);
    await here.ok(["wait", short, "--host", "box", "--until", "idle:300", "--timeout", "20000"]);
    await here.ok(["send", short, "--host", "box", "echo far-$((6 * 7))"]);
    await here.ok(["send", short, "--host", "box", "--key", "Enter"]);
    await here.ok(["wait", short, "--host", "box", "--until", "match:^far-42", "--timeout", "20000"]);
    expect(await here.ok(["snapshot", short, "--host", "box", "--tail", "3"])).toContain("far-42");
    expect(JSON.parse(await here.ok(["status", "--json", "--host", "box"]))).toMatchObject({
      padi: { pid: (await there.pids()).padi },
    });
    const read = await here.ok(["surface", "screen_text", "--id", short, "--tail", "3", "--host", "box"]);
    expect(read).toContain("far-42");
    const killed = await here.run(["kill", short, "--host", "box"]);
    expect(killed).toMatchObject({ code: 0, stderr: expect.stringContaining(`killed ${short}`) });
  });

  test("the connection drops under a wait: it goes on when the machine is back, and keeps its time when not", async () => {
    const id = await create();
    const wait = ["wait", id, "--host", "box", "--until", "match:^came-7"];
    const impatient = here.start([...wait, "--timeout", "3000"]);
    await there.whenListenedTo(id);
    await sshd.kill();
    await impatient.whenSaid(/padi went away/);
    expect(await impatient.ended).toMatchObject({ code: 2 });
    await there.whenNotListenedTo(id);

    await sshd.start();
    const patient = here.start(wait);
    await there.whenListenedTo(id);
    await sshd.kill();
    await patient.whenSaid(/padi went away/);
    await there.whenNotListenedTo(id);
    await sshd.start();
    await there.whenListenedTo(id);
    await there.ok(["send", id, "echo came-$((3 + 4))"]);
    await there.ok(["send", id, "--key", "Enter"]);
    expect(await patient.ended).toMatchObject({ code: 0 });
    await there.ok(["kill", id]);
  });

  test("a client that is killed takes its connection with it", async () => {
    const id = await create();
    const watching = here.start(["wait", id, "--host", "box", "--until", "idle:600000"]);
    await there.whenListenedTo(id);
    watching.kill("SIGKILL");
    await there.whenNotListenedTo(id);
    await there.ok(["kill", id]);
  });

  test("mcp: what is in flight fails as retryable when the connection drops, the next call finds the same terminals", async () => {
    await using host = await startMcpHost(here, { args: ["--host", "box"] });
    const { data } = await host.call("lifecycle_create", { placement: { kind: "toplevel" } });
    const id = String(data.id);
    const inFlight = host.call("wait_outputSettled", { id, idleMs: 600_000 });
    await there.whenListenedTo(id);
    await sshd.kill();
    expect(await inFlight).toMatchObject({
      isError: true,
      data: { kind: "connection-dropped", retryable: true },
    });
    await sshd.start();
    expect(await host.call("screen_text", { id, tail: 3 })).toMatchObject({ isError: false });
    expect(host.said()).toContain("padi went away");
    await host.call("lifecycle_kill", { id });
  });

  test("a host that is of no use: a code, and a sentence that says what to do", async () => {
    const cases: [host: string, kind: string, advice: RegExp][] = [
      ["nowhere", "host-unreachable", /Connection refused.*`ssh nowhere`/],
      ["locked", "host-auth-refused", /ssh-copy-id locked/],
      ["stranger", "host-key-unverified", /`ssh stranger`/],
    ];
    for (const [name, kind, advice] of cases) {
      const ran = await here.run(["ls", "--host", name]);
      expect(ran).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining(`[${kind}]`) });
      expect(ran.stderr).toMatch(advice);
    }
    const mcp = await here.run(["mcp", "--host", "nowhere"], { stdin: "" });
    expect(mcp).toMatchObject({ code: 1, stdout: "" });
    expect(mcp.stderr).toMatch(/^kolu mcp: nowhere cannot be reached.*\[host-unreachable\]\n$/);
    const surface = await here.run(["surface", "screen_text", "--id", "a", "--host", "nowhere"]);
    expect(JSON.parse(surface.stdout)).toEqual({ kind: "host-unreachable", host: "nowhere" });
    const smuggled = await here.run(["ls", `--host=-oProxyCommand=touch ${join(here.home, "smuggled")}`]);
    expect(smuggled).toMatchObject({ code: 1, stderr: expect.stringContaining("is no host") });
    const twice = await here.run(["--host", "box", "ls", "--state-root", "/s"]);
    expect(twice.stderr).toMatch(/--state-root and --host exclude each other|--host and --state-root/);
    const local = await here.run(["open", "--host", "box"]);
    expect(local).toMatchObject({ code: 1, stderr: expect.stringContaining("Run it there: ssh box") });
  });

  test("what looks at a machine's own disk and processes is run over there", async () => {
    await there.ok(["restore"]);
    const findings = JSON.parse((await here.run(["doctor", "--json", "--host", "box"])).stdout);
    expect(findings).toContainEqual(
      expect.objectContaining({ what: "padi", grade: "well", found: expect.stringContaining("pid") }),
    );
    const { padi } = await there.pids();
    const stopped = await here.run(["stop", "--host", "box"]);
    expect(stopped).toMatchObject({ code: 0, stdout: "", stderr: expect.stringContaining(`pid ${padi}`) });
    expect(await here.run(["stop", "--host", "box"])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^kolu: No padi runs at .*\n$/),
    });
  });

  test("a machine without kolu, and one that forbids forwarding", async () => {
    // An `id` of nobody who runs anything: a kolu of this machine's user is not found.
    const bin = await binWith(here.home, "id", "echo 4000000000");
    await using bare = await startSshd({
      env: { HOME: here.home, SHELL: "/bin/sh", PATH: `${bin}:/usr/bin:/bin` },
    });
    const none = await here.run(["create", "--toplevel", "--host", "box"], {
      env: { KOLU_SSH_CONFIG: bare.configPath },
    });
    expect(none).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining("[host-has-no-kolu]"),
    });
    await there.ok(["restore"]);
    await using strict = await startSshd({
      env: { ...there.env, PATH: `${join(there.home, "bin")}:/usr/bin:/bin` },
      config: "AllowStreamLocalForwarding no",
    });
    const shut = await here.run(["ls", "--host", "box"], { env: { KOLU_SSH_CONFIG: strict.configPath } });
    expect(shut).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/AllowStreamLocalForwarding yes.*\[host-forbids-forwarding\]/),
    });
  });
});

async function binWith(home: string, name: string, body: string): Promise<string> {
  const bin = join(home, "bin");
  await mkdir(bin, { recursive: true });
  await writeFile(join(bin, name), `#!/bin/sh\n${body}\n`);
  await chmod(join(bin, name), 0o700);
  return bin;
}

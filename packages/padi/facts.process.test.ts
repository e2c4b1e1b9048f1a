// What padi finds out about terminals beside git and agents: pull requests through a gh of the test's own, and ports.
import { appendFile, chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PullRequest, TerminalRecord } from "@kolu/contract/terminal.ts";
import { expect, test } from "vitest";
import { testGround } from "./git/test-repository.ts";
import { startPadi } from "./start-padi.ts";

/** A gh that notes each call and answers from files beside it. */
async function startGh(): Promise<{
  path: string;
  calls(): Promise<string[]>;
  answer(branch: string, pr: object): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}> {
  const directory = await mkdtemp(join(tmpdir(), "kolu-gh-"));
  const script = `#!/bin/sh
branch=$(git symbolic-ref --short HEAD)
echo "$branch $*" >> ${directory}/calls
if [ -e ${directory}/signed-out ]; then echo 'please run:  gh auth login' >&2; exit 4; fi
cat "${directory}/$branch.json" 2>/dev/null && exit 0
echo "no pull requests found for branch \\"$branch\\"" >&2
exit 1
`;
  await mkdir(join(directory, "bin"));
  await writeFile(join(directory, "bin", "gh"), script);
  await chmod(join(directory, "bin", "gh"), 0o755);
  await appendFile(join(directory, "calls"), "");
  return {
    path: `${join(directory, "bin")}:${process.env.PATH}`,
    calls: async () => (await readFile(join(directory, "calls"), "utf8")).split("\n").slice(0, -1),
    answer: (branch, pr) => writeFile(join(directory, `${branch}.json`), JSON.stringify(pr)),
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true }),
  };
}

const VIEWED = { title: "Mend it", state: "OPEN", isDraft: false };
const pr = (number: number, conclusion: string) => ({
  ...VIEWED,
  number,
  url: `https://github.com/o/r/pull/${number}`,
  statusCheckRollup: [{ name: "build", status: "COMPLETED", conclusion }],
});
const shows =
  (number: number | null, checks?: PullRequest["checks"]) =>
  (record: TerminalRecord | undefined): boolean =>
    (record?.pr?.number ?? null) === number && (checks === undefined || record?.pr?.checks === checks);

test("terminals of one branch share one question to gh, which follows the branch and what is pushed", async () => {
  await using ground = await testGround();
  await using gh = await startGh();
  const repo = await ground.repository("app");
  await ground.git("app", "switch", "--quiet", "-c", "fix");
  await gh.answer("fix", pr(7, "FAILURE"));
  await using padi = await startPadi({ env: { PATH: gh.path } });
  const ids = await Promise.all([1, 2, 3].map(() => padi.create({ cwd: repo })));
  for (const id of ids) {
    const record = await padi.until(id, shows(7));
    expect(record?.pr).toMatchObject({ title: "Mend it", checks: "fail", checkRuns: [{ name: "build" }] });
  }
  expect(await gh.calls()).toEqual(["fix pr view --json number,title,url,state,isDraft,statusCheckRollup"]);

  // Another branch: what was shown goes at once, and the new one's is asked for.
  await ground.git("app", "switch", "--quiet", "-c", "other");
  await padi.until(ids[0]!, shows(null));
  await expect.poll(() => gh.calls(), { timeout: 10_000 }).toHaveLength(2);
  await ground.git("app", "switch", "--quiet", "fix");
  await padi.until(ids[1]!, shows(7));

  // A command of gh in a terminal is a reason to look again.
  await gh.answer("fix", pr(7, "SUCCESS"));
  await padi.type(ids[0]!, "gh pr checks\r");
  await padi.until(ids[2]!, shows(7, "pass"));
});

test("a gh that is missing or not signed in shows nothing, and explain says why", async () => {
  await using ground = await testGround();
  await using gh = await startGh();
  const repo = await ground.repository("app");
  await ground.git("app", "switch", "--quiet", "-c", "fix");
  await writeFile(join(gh.path.split(":")[0]!, "..", "signed-out"), "");
  await using padi = await startPadi({ env: { PATH: gh.path } });
  const id = await padi.create({ cwd: repo });
  const missing = async () => (await padi.client.call("terminal.explain", { id })).missing;
  await expect
    .poll(missing, { timeout: 10_000 })
    .toContainEqual(expect.stringMatching(/gh is not signed in/));
  expect(padi.records.get(id)?.pr).toBeNull();
});

const SERVER = `
  const { createServer } = require("node:net");
  const server = createServer().listen(0, "127.0.0.1", () => console.log("port:" + server.address().port));
`;

test("ports are those that the terminal's own processes listen on, also a server that its shell left behind", async () => {
  await using padi = await startPadi({ files: { "server.cjs": SERVER } });
  const [id, other] = [await padi.create({ cwd: padi.home }), await padi.create({ cwd: padi.home })];
  await padi.until(other, (record) => record?.ports.status === "known");
  const node = process.execPath;
  const portSaid = async (cursor: string): Promise<number> => {
    // Behind the prompt, where a server in the background prints it.
    const until = { kind: "match", pattern: "port:\\d" } as const;
    const met = await padi.client.call("terminal.wait", { id, until, after: cursor, timeoutMs: 20_000 });
    return Number(/port:(\d+)/.exec(JSON.stringify(met))?.[1]);
  };
  const listed = (record: TerminalRecord | undefined): number[] =>
    record?.ports.status === "known" ? record.ports.list.map(({ port }) => port) : [];

  const first = await portSaid(await padi.type(id, `${node} server.cjs\r`));
  const record = await padi.until(id, (now) => listed(now).includes(first));
  expect(record?.ports).toMatchObject({
    list: [{ port: first, name: expect.stringMatching(/node/), scope: "loopback", family: "v4" }],
  });
  await padi.type(id, "\x03");
  await padi.until(id, (now) => listed(now).length === 0);

  // Away from the shell and its process group, as agents start servers: nothing but the environment tells whose it is.
  const second = await portSaid(await padi.type(id, `(setsid ${node} server.cjs &)\r`));
  const left = await padi.until(id, (now) => listed(now).includes(second));
  expect(listed(padi.records.get(other))).toEqual([]);
  const { ports } = left as { ports: { list: { pid: number }[] } };
  process.kill(ports.list[0]!.pid);
  await padi.until(id, (now) => listed(now).length === 0);
});

import { expect, test } from "vitest";
import { UsageError } from "../exit.ts";
import { judgeSsh, mayPass } from "./host-failure.ts";
import { readHostName } from "./host-name.ts";
import { canBeForwarded, connectWords, forwardWords, scriptWords } from "./ssh-words.ts";

const anyPaths = { localPath: "/tmp/h/p0", remotePath: "/run/user/7/kolu/ab/padi.sock" };

test("a host is a name, a user at a name, or an address", () => {
  for (const host of ["box", "me@box", "me.x@box-1.example.org", "10.0.0.7", "fe80::1%eth0", "::1"])
    expect(readHostName(host)).toBe(host);
});

test("what ssh or a shell could take for something else is no host", () => {
  const words = [
    "-oProxyCommand=touch /tmp/x",
    "-oProxyCommand=x",
    "me@-oProxyCommand=x",
    "-l@box",
    "box -oProxyCommand=x",
    "box;id",
    "$(id)",
    "`id`",
    "box\nother",
    "a@b@c",
    "[::1]",
    "@box",
    "box/..",
    "x".repeat(300),
  ];
  for (const word of words) expect(() => readHostName(word), word).toThrow(UsageError);
});

test("the host stands after --, asks nobody, and brings nothing of the user's sessions along", () => {
  const words = connectWords("me@box", "/tmp/h/c", { KOLU_SSH_CONFIG: "/tmp/h/config" });
  expect(words.slice(0, 2)).toEqual(["-F", "/tmp/h/config"]);
  expect(words.slice(words.indexOf("--"), -1)).toEqual(["--", "me@box"]);
  for (const option of ["BatchMode=yes", "ForwardAgent=no", "ClearAllForwardings=yes", "RemoteCommand=none"])
    expect(words).toContain(option);
  expect(connectWords("box", "/tmp/h/c", {})).not.toContain("-F");
});

test("what goes over the connection makes no other when that is gone", () => {
  for (const words of [scriptWords("box", "/tmp/h/c"), forwardWords("box", "/tmp/h/c", anyPaths)])
    expect(words).toContain("ProxyCommand=false");
});

test("a path that ssh would split or expand is not forwarded", () => {
  expect(forwardWords("box", "/tmp/h/c", anyPaths)).toContain("/tmp/h/p0:/run/user/7/kolu/ab/padi.sock");
  expect(canBeForwarded(anyPaths.remotePath)).toBe(true);
  for (const path of ["relative", "/a:b", "/a%h", `/\${HOME}`, "/a\nb"])
    expect(canBeForwarded(path)).toBe(false);
});

// What OpenSSH 9.2 prints.
const cases: [said: string, exit: string, kind: string][] = [
  ["ssh: connect to host 127.0.0.1 port 1: Connection refused\r\n", "255", "host-unreachable"],
  ["ssh: Could not resolve hostname nowhere: Name or service not known\r\n", "255", "host-unreachable"],
  ["Connection to box closed by remote host.\r\n", "255", "host-unreachable"],
  ["me@box: Permission denied (publickey).\r\n", "255", "host-auth-refused"],
  ["No ED25519 host key is known for box.\nHost key verification failed.\r\n", "255", "host-key-unverified"],
  ["This account is currently not available.\n", "1", "host-session-refused"],
];
for (const [said, exit, kind] of cases)
  test(`${JSON.stringify(said)} is ${kind}`, () => {
    const failure = judgeSsh("box", said, exit);
    expect(failure).toMatchObject({ kind, host: "box" });
    expect(failure.message).toContain(`[${kind}]`);
    expect(mayPass(failure)).toBe(kind === "host-unreachable");
  });

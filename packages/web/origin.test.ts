import { expect, test } from "vitest";
import { hostsOf, isLoopback, isSameOrigin, type OwnNames, originOf } from "./origin.ts";

const local: OwnNames = {
  hosts: hostsOf({ bind: "127.0.0.1", localAddresses: [], hostname: "box", certificateNames: [] }),
  port: 7681,
  tls: false,
  proxyAuthority: null,
};

const hosts: Record<string, [host: string | undefined, own: string | null]> = {
  "the loopback address is ours": ["127.0.0.1:7681", "http://127.0.0.1:7681"],
  "localhost is ours, in any letter case": ["LocalHost:7681", "http://localhost:7681"],
  "IPv6 loopback is ours": ["[::1]:7681", "http://[::1]:7681"],
  "another port is not": ["127.0.0.1:7682", null],
  "no port means port 80": ["127.0.0.1", null],
  "a rebound name is not": ["attacker.example:7681", null],
  "a name that begins like ours is not": ["localhost.attacker.example:7681", null],
  "the machine's own name is not ours on a loopback bind": ["box:7681", null],
  "credentials are no host": ["127.0.0.1:7681@attacker.example", null],
  "a path is no host": ["127.0.0.1:7681/x", null],
  "an empty host is none": ["", null],
  "a missing host is none": [undefined, null],
};
for (const [title, [host, own]] of Object.entries(hosts))
  test(`host: ${title}`, () => {
    expect(originOf(local, host)).toBe(own);
  });

const origins: Record<string, [origin: string | undefined, same: boolean]> = {
  "our own": ["http://127.0.0.1:7681", true],
  "another loopback port": ["http://127.0.0.1:5173", false],
  "another loopback name": ["http://localhost:7681", false],
  "another scheme": ["https://127.0.0.1:7681", false],
  "one that begins like ours": ["http://127.0.0.1:7681.attacker.example", false],
  "one with a longer port": ["http://127.0.0.1:76812", false],
  "an opaque origin": ["null", false],
  "a file": ["file://", false],
  "an empty one": ["", false],
  "a missing one": [undefined, false],
  "one with a path": ["http://127.0.0.1:7681/x", false],
};
for (const [title, [origin, same]] of Object.entries(origins))
  test(`origin: ${title} is ${same ? "ours" : "foreign"}`, () => {
    expect(isSameOrigin("http://127.0.0.1:7681", origin)).toBe(same);
  });

test("a default port is the same origin whether it is written or not", () => {
  const names = { ...local, port: 443, tls: true };
  expect(originOf(names, "localhost")).toBe("https://localhost");
  expect(isSameOrigin("https://localhost", "https://localhost")).toBe(true);
  expect(isSameOrigin(originOf(names, "localhost:443")!, "https://localhost")).toBe(true);
});

test("behind a proxy its name is ours over https, and a neighbour's is not", () => {
  const names = { ...local, proxyAuthority: "kolu.example.org" };
  expect(originOf(names, "kolu.example.org")).toBe("https://kolu.example.org");
  expect(originOf(names, "Kolu.Example.Org:443")).toBe("https://kolu.example.org:443");
  expect(originOf(names, "kolu.example.org:8080")).toBe(null);
  expect(originOf(names, "evil.kolu.example.org")).toBe(null);
  expect(originOf(names, "127.0.0.1:7681")).toBe("http://127.0.0.1:7681");
});

test("a wildcard bind goes by this machine's addresses, its name, and what its certificate names", () => {
  const bound = hostsOf({
    bind: "0.0.0.0",
    localAddresses: ["192.168.1.7", "fe80::1"],
    hostname: "Box",
    certificateNames: ["*.lan.example"],
  });
  const names: OwnNames = { hosts: bound, port: 7681, tls: true, proxyAuthority: null };
  expect(originOf(names, "192.168.1.7:7681")).toBe("https://192.168.1.7:7681");
  expect(originOf(names, "box:7681")).toBe("https://box:7681");
  expect(originOf(names, "box.lan.example:7681")).toBe("https://box.lan.example:7681");
  expect(originOf(names, "a.b.lan.example:7681")).toBe(null);
  expect(originOf(names, "0.0.0.0:7681")).toBe(null);
});

test("only loopback addresses count as loopback", () => {
  expect(["127.0.0.1", "127.8.8.8", "::1", "localhost"].every(isLoopback)).toBe(true);
  expect(["0.0.0.0", "::", "192.168.1.1", "127.0.0.1.example.org", ""].some(isLoopback)).toBe(false);
});

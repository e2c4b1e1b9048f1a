// What has no process in it: which failure is told how, which views exist, which are news.
import { refuse } from "@kolu/contract/refusals.ts";
import { LinkLost, RpcFault } from "@kolu/contract/rpc.ts";
import { COMMON_FAILURES } from "@kolu/contract/tool-schema.ts";
import { verbs } from "@kolu/contract/verbs.ts";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/client/validators/ajv";
import { describe, expect, test } from "vitest";
import { createConnection, type Link, PadiUnreachable } from "./connection.ts";
import { urisOf } from "./feeds.ts";
import { daemonItem, placeOf, statusOf } from "./resources.ts";
import { failureOf, listTools } from "./tools.ts";

const A = "aaaaaaaa-0000-4000-8000-000000000001";

describe("failures", () => {
  const cases: Record<string, [error: unknown, data: object, text: RegExp]> = {
    "a refusal keeps its kind and data": [
      refuse("key-refused", { key: "Foo" }, "No key is named Foo."),
      { kind: "key-refused", key: "Foo" },
      /^No key is named Foo\.$/,
    ],
    "a drop may be tried again": [
      new LinkLost(),
      { kind: "connection-dropped", retryable: true },
      /in flight.*still running/,
    ],
    "no padi": [
      new PadiUnreachable(new Error("Nobody.")),
      { kind: "padi-unreachable", retryable: true },
      /^padi transport down: Nobody\. .*Nothing is queued/,
    ],
    "a fault of padi": [new RpcFault("disk full"), { kind: "padi-failed" }, /^padi failed: disk full$/],
  };
  test.each(Object.entries(cases))("%s", (_title, [error, data, text]) => {
    const result = failureOf(error);
    expect(result).toMatchObject({ isError: true, structuredContent: data });
    expect((result.content[0] as { text: string }).text).toMatch(text);
  });
});

describe("schemas", () => {
  const validator = new AjvJsonSchemaValidator();
  test.each(listTools().map((tool) => [tool.name, tool] as const))(
    "%s admits each of its refusals and no other",
    (name, tool) => {
      const fits = validator.getValidator(tool.outputSchema as never);
      const { refusals } = verbs.find((verb) => verb.name === name)!;
      for (const kind of [...refusals, ...COMMON_FAILURES])
        expect(fits({ kind, more: 1 }).valid, kind).toBe(true);
      // A tool that answers nothing in particular admits everything.
      if (name !== "watch_close") expect(fits({ kind: "no-such-refusal" }).valid).toBe(false);
      expect(tool.inputSchema.type).toBe("object");
      expect(tool.description!.length).toBeGreaterThan(30);
      expect(JSON.stringify(tool)).not.toContain("$schema");
    },
  );
});

describe("views", () => {
  test("a place is one of the five, or an item of the two collections", () => {
    expect(placeOf("surface://cells/urgency")).toEqual({ kind: "urgency" });
    expect(placeOf(`surface://collections/terminals/${A}`)).toEqual({ kind: "terminal", id: A });
    expect(placeOf("surface://collections/daemonStatus/local")).toEqual({ kind: "daemon", id: "local" });
    for (const uri of [
      "surface://cells/version",
      "surface://collections/terminals/",
      `surface://collections/terminals/${A}/layout`,
      "surface://cells/constructor",
      "file:///etc/passwd",
    ])
      expect(() => placeOf(uri), uri).toThrow();
  });
  test("a change is news of the collection and of each item", () => {
    const delta = { kind: "delta", upserts: [{ id: A }], removals: ["b"] };
    const base = "surface://collections/terminals";
    expect(urisOf("terminals.watch", delta)).toEqual([base, `${base}/${A}`, `${base}/b`]);
    expect(urisOf("urgency.watch", {})).toEqual(["surface://cells/urgency"]);
  });
  const hello = {
    name: "kaval",
    protocol: "1.0",
    buildId: "2",
    pid: 7,
    bootId: "k",
    stateRoot: "/s",
    startedAtMs: 1,
  };
  const padi = { ...hello, name: "padi" };
  test("a kaval of another build is said", () => {
    const connected = { state: "connected", hello, adopted: true, sinceMs: 5 } as const;
    expect(statusOf({ padi, kaval: connected })).not.toHaveProperty("expectedKaval");
    const older = { ...connected, hello: { ...hello, buildId: "1" } };
    expect(statusOf({ padi, kaval: older })).toMatchObject({ expectedKaval: { staleKey: "1" } });
    expect(daemonItem({ padi, kaval: connected })).toMatchObject({
      state: "connected",
      adoptedAt: 5,
      startedAt: 1,
    });
    expect(daemonItem({ padi, kaval: { state: "connecting" } })).toEqual({ state: "connecting" });
  });
});

describe("the connection", () => {
  interface TestLink extends Link {
    drop(): void;
  }
  function testLink(call: (method: string) => Promise<unknown>): TestLink {
    const closed = Promise.withResolvers<void>();
    return {
      client: { call } as never,
      hello: {} as never,
      closed: closed.promise,
      close: closed.resolve,
      drop: closed.resolve,
    };
  }
  const never = new AbortController().signal;
  const hello = ({ client }: Link): Promise<unknown> => client.call("hello", {});

  test("a drop is answered by one dial at once, which all later calls share", async () => {
    const first = testLink(async () => "first");
    let dials = 0;
    const dialled = Promise.withResolvers<Link>();
    const connection = createConnection({
      first,
      redial: () => {
        dials += 1;
        return dialled.promise;
      },
      onDrop() {},
    });
    expect(await connection.use(hello, never)).toBe("first");
    first.drop();
    await first.closed;
    const calls = [connection.use(hello, never), connection.use(hello, never)];
    expect(dials).toBe(1);
    dialled.resolve(testLink(async () => "second"));
    expect(await Promise.all(calls)).toEqual(["second", "second"]);
    connection.close();
  });

  test("a padi that leaves did nothing: the call goes to the next one, once", async () => {
    let leaving = 0;
    const draining = async (): Promise<never> => {
      leaving += 1;
      throw refuse("draining", {}, "padi is leaving.");
    };
    const connection = createConnection({
      first: testLink(draining),
      redial: async () => testLink(async () => "next"),
      onDrop() {},
    });
    expect(await connection.use(hello, never)).toBe("next");
    expect(leaving).toBe(1);
    connection.close();
  });

  test("what was in flight is not sent again", async () => {
    let sent = 0;
    const first = testLink(async () => {
      sent += 1;
      throw new LinkLost();
    });
    const connection = createConnection({ first, redial: async () => first, onDrop() {} });
    await expect(connection.use(hello, never)).rejects.toBeInstanceOf(LinkLost);
    expect(sent).toBe(1);
    connection.close();
  });

  test("a failed dial is told to who waits for it, and tried anew by the next call", async () => {
    const outcomes = [
      Promise.reject(new Error("Nobody answers.")),
      Promise.resolve(testLink(async () => "back")),
    ];
    outcomes[0]!.catch(() => {});
    const first = testLink(async () => "first");
    const connection = createConnection({ first, redial: () => outcomes.shift()!, onDrop() {} });
    first.drop();
    await first.closed;
    await expect(connection.use(hello, never)).rejects.toThrow(/^padi transport down: Nobody answers\./);
    expect(await connection.use(hello, never)).toBe("back");
    connection.close();
  });

  test("a caller who leaves does not wait for the dial", async () => {
    const first = testLink(async () => "first");
    const connection = createConnection({ first, redial: () => new Promise(() => {}), onDrop() {} });
    first.drop();
    await first.closed;
    const abort = new AbortController();
    const waiting = connection.use(hello, abort.signal);
    abort.abort(new Error("left"));
    await expect(waiting).rejects.toThrow("left");
    connection.close();
  });
});

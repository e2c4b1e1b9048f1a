// `kolu web` and `kolu open` from the shell: the page is served, a link opens it once, and a dead padi comes back.
import { beforeAll, expect, test } from "vitest";
import { buildPage } from "../tools/build-page.ts";
import { type Kolu, type Running, startKolu } from "./start-kolu.ts";

beforeAll(async () => {
  // Nothing to do when `npm test` has built it.
  expect(await buildPage()).toBe(0);
}, 180_000);

async function startWeb(kolu: Kolu, ...args: string[]): Promise<{ web: Running; link: string }> {
  const web = kolu.start(["web", "--port", "0", ...args]);
  await web.whenPrinted(/\/open\?token=\S+\n/);
  return { web, link: web.printed().stdout.trim() };
}

/** Opens a link as a browser does; resolves with the cookie, or null when the link is spent. */
async function open(link: string): Promise<string | null> {
  const answer = await fetch(link, { redirect: "manual" });
  return answer.headers.get("set-cookie")?.split(";")[0] ?? null;
}

test("web starts the daemons, prints one link that opens the page once, and ends with 130 at SIGTERM", async () => {
  await using kolu = await startKolu({ daemons: false });
  const { web, link } = await startWeb(kolu);
  const cookie = await open(link);
  expect(cookie).not.toBe(null);
  const page = await fetch(new URL("/", link), { headers: { cookie: cookie! } });
  expect(page.status).toBe(200);
  expect(await open(link)).toBe(null);
  expect((await fetch(new URL("/", link))).status).toBe(401);

  const another = await kolu.ok(["open", "--link"]);
  expect(another).toMatch(new RegExp(`^${new URL(link).origin}/open\\?token=\\S+$`));
  expect(await open(another)).not.toBe(null);
  expect(web.printed().stderr).not.toContain("token=");

  web.kill("SIGTERM");
  expect(await web.ended).toMatchObject({ code: 130, signal: null });
  expect(await kolu.run(["open", "--link"])).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringContaining("kolu web"),
  });
  expect(await kolu.ok(["ls"])).toBe("no terminals.");
});

test("the first page is small: it and all that it names stay under 250 kB as they are sent", async () => {
  await using kolu = await startKolu();
  const { web, link } = await startWeb(kolu);
  const headers = { cookie: (await open(link))!, "accept-encoding": "br" };
  const sent = new Map<string, number>();
  const get = async (path: string): Promise<string> => {
    const answer = await fetch(new URL(path, link), { headers });
    sent.set(path, Number(answer.headers.get("content-length")));
    return answer.text();
  };
  const page = await get("/");
  const named = [...page.matchAll(/<(?:script|link)[^>]* (?:src|href)="(\/[^"]+\.(?:js|css))"/g)];
  for (const [, path] of named) await get(path!);
  expect(sent.size).toBeGreaterThan(3);
  expect([...sent.values()].every((bytes) => bytes > 0)).toBe(true);
  const bytes = [...sent.values()].reduce((sum, size) => sum + size, 0);
  expect(bytes, JSON.stringify([...sent])).toBeLessThan(250_000);
  web.kill("SIGTERM");
  await web.ended;
});

test("web brings a killed padi back", async () => {
  await using kolu = await startKolu();
  const { web } = await startWeb(kolu);
  const { padi } = await kolu.pids();
  process.kill(padi!, "SIGKILL");
  await expect
    .poll(async () => (await kolu.pids()).padi, { timeout: 20_000, interval: 20 })
    .toSatisfy((pid) => pid !== null && pid !== padi);
  web.kill("SIGINT");
  expect((await web.ended).code).toBe(130);
});

test("what web cannot do is refused before anything is served", async () => {
  await using kolu = await startKolu();
  const { web, link } = await startWeb(kolu);
  const { port } = new URL(link);
  const refused: [args: string[], words: RegExp][] = [
    [["--port", port], new RegExp(`Port ${port} .* in use`)],
    [["--port", "70000"], /--port takes a whole number/],
    [["--bind", "0.0.0.0", "--port", "0"], /needs TLS/],
    [["--tls-cert", "c.pem"], /come together/],
    [["--tls-cert", "c.pem", "--tls-key", "k.pem", "--port", "0"], /c\.pem/],
    [["--host", "box"], /ssh -L .* box kolu web/],
  ];
  for (const [args, words] of refused)
    expect(await kolu.run(["web", ...args]), args.join(" ")).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(words),
    });
  web.kill("SIGTERM");
  await web.ended;
});

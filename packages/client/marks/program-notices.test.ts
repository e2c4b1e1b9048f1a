import type { KavalNotice } from "@kolu/contract/kaval.ts";
import { expect, test } from "vitest";
import { agentForTest, recordForTest } from "../store/record-for-test.ts";
import { announcementOf } from "./program-notices.ts";

const record = recordForTest(1, { intent: "build" });
const notice = (what: KavalNotice["what"], atMs = 10_000): KavalNotice => ({ id: record.id, atMs, what });
const bell = notice({ kind: "bell" });

test("a bell and a notification are said with the terminal's name", () => {
  expect(announcementOf(bell, record, undefined)?.words).toBe("build rings");
  const titled = notice({ kind: "notification", title: "Done", body: "all green" });
  expect(announcementOf(titled, record, undefined)).toMatchObject({ words: "build: Done", why: "all green" });
  const plain = notice({ kind: "notification", title: null, body: "all green" });
  expect(announcementOf(plain, record, undefined)).toMatchObject({ words: "build: all green", why: null });
});

test("an agent's own are left out, and so is a program that rings on and on", () => {
  const agent = recordForTest(1, { agent: agentForTest({}) });
  expect(announcementOf(bell, agent, undefined)).toBeNull();
  expect(announcementOf(bell, undefined, undefined)).toBeNull();
  expect(announcementOf(bell, record, 9_000)).toBeNull();
  expect(announcementOf(bell, record, 4_000)).not.toBeNull();
  expect(announcementOf(notice({ kind: "clipboard", text: "x" }), record, undefined)).toBeNull();
});

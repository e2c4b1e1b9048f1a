import { expect, test } from "vitest";
import { lastingEnvironment } from "./answer.ts";

test("a runtime directory that goes with the login is not for daemons that stay", () => {
  const login = { HOME: "/home/me", XDG_RUNTIME_DIR: "/run/user/7" };
  expect(lastingEnvironment(login, false)).toEqual({ HOME: "/home/me", XDG_RUNTIME_DIR: undefined });
  expect(lastingEnvironment(login, true)).toBe(login);
  const own = { XDG_RUNTIME_DIR: "/srv/run" };
  expect(lastingEnvironment(own, false)).toBe(own);
});

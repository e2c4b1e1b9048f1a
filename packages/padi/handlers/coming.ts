// Members of the contract whose work is on its way: each fails as a fault until then.
import type { PadiContract } from "@kolu/contract/padi.ts";
import type { Handlers } from "@kolu/contract/rpc.ts";

type Coming = "git.status" | "git.diff" | "fs.list" | "fs.readFile" | "search.text";

const notYet = (): never => {
  throw new Error("This padi does not answer that yet.");
};

export const comingHandlers: Pick<Handlers<PadiContract>, Coming> = {
  "git.status": notYet,
  "git.diff": notYet,
  "fs.list": notYet,
  "fs.readFile": notYet,
  "search.text": notYet,
};

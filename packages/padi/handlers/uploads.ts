// Files that a page hands to a terminal.
import type { PadiContract } from "@kolu/contract/padi.ts";
import type { Handlers } from "@kolu/contract/rpc.ts";
import type { TerminalStore } from "../terminals/store.ts";
import type { Uploads } from "../uploads/uploads.ts";
import { requireLive } from "./terminals.ts";

type UploadHandlers = Pick<Handlers<PadiContract>, "upload.begin" | "upload.piece" | "upload.abandon">;

export function uploadHandlers({
  store,
  uploads,
}: {
  store: TerminalStore;
  uploads: Uploads;
}): UploadHandlers {
  return {
    async "upload.begin"({ id, name, sizeBytes }) {
      requireLive(store.require(id));
      return { uploadId: await uploads.begin({ name, sizeBytes }) };
    },
    "upload.piece": ({ uploadId, offset, data }) =>
      uploads.piece({ uploadId, offset, bytes: Buffer.from(data, "base64") }),
    async "upload.abandon"({ uploadId }) {
      await uploads.abandon(uploadId);
      return {};
    },
  };
}

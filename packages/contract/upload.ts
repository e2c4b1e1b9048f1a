// A file on its way from a page into padi's state root, in pieces: each is answered before the next is sent, so that
// nothing else on the connection waits long.
import { z } from "zod";
import { TerminalId } from "./ids.ts";
import { UPLOAD_PIECE_MAX_BYTES } from "./limits.ts";

const uploadId = z.string().min(1);

export const UploadBegin = z.object({
  /** The terminal that it is for. */
  id: TerminalId,
  /** What the person calls it; the file gets a name of ours that is like it. */
  name: z.string(),
  sizeBytes: z.int().min(0),
});
export const UploadBegun = z.object({ uploadId });

export const UploadPiece = z.object({
  uploadId,
  /** How much padi has already: anything else than what it has is refused. */
  offset: z.int().min(0),
  /** Base64. */
  data: z.base64().max(Math.ceil(UPLOAD_PIECE_MAX_BYTES / 3) * 4),
});
export const UploadState = z.object({
  receivedBytes: z.int(),
  /** Absolute path, once all of it is there. */
  path: z.string().nullable(),
});
export const UploadEnd = z.object({ uploadId });

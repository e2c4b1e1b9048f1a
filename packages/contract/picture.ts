// A terminal's screen as a picture.
import { z } from "zod";
import { TerminalId } from "./ids.ts";
import { PICTURE_ROWS_MAX } from "./limits.ts";

export const PictureParams = z.object({
  id: TerminalId,
  /** So many last rows of history and screen; absent: the visible screen. */
  lines: z.int().min(1).max(PICTURE_ROWS_MAX).optional(),
});

/** What is said of a picture beside the picture itself. */
export const PictureFacts = z.object({
  mimeType: z.literal("image/png"),
  /** Columns and rows of cells in it. */
  cols: z.int(),
  rows: z.int(),
  widthPx: z.int(),
  heightPx: z.int(),
});

export const PictureResult = PictureFacts.extend({
  /** The file, base64. */
  data: z.string(),
});

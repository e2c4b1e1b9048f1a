// The row that shows a screen rather than tells it.
import { PictureFacts, PictureParams } from "./picture.ts";
import { defined, id, READS, verb } from "./verb.ts";

export const screenImage = verb({
  name: "screen_image",
  title: "Screenshot a terminal",
  description:
    "The screen as a picture, in the terminal's own colours: for what text does not tell, such as a layout, a coloured diff, a chart. `lines` takes that many last rows, history included; without it, the visible screen. screen_text is cheaper where words are enough.",
  method: "screen.image",
  input: PictureParams.extend({
    id,
    lines: PictureParams.shape.lines.describe("So many last rows, 1 to 200; absent: the visible screen."),
  }),
  output: PictureFacts,
  toParams: (input) => defined(input),
  toOutput: ({ data: _, ...facts }) => facts,
  toImage: ({ data, mimeType }) => ({ data, mimeType }),
  refusals: ["terminal-not-found", "terminal-gone", "kaval-unreachable"],
  annotations: READS,
});

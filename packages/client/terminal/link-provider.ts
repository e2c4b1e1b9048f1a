// Offers the links of a row to the engine when a pointer comes to it: web addresses at once, paths once padi has found
// them. A plain click follows either.
import { type FoundLink, findLinks } from "./links.ts";
import { type BufferLike, type LogicalLine, logicalLine } from "./logical-line.ts";

/** How paths in a terminal's output are found and followed. */
export interface PathLinks {
  /** For each the absolute path of a file of the terminal's project, or null. Never rejects. */
  find(paths: readonly string[]): Promise<readonly (string | null)[]>;
  open(path: string, line: number | null): void;
}

/** What the engine wants of a link; positions count from 1, the end is part of it. */
export interface OfferedLink {
  range: { start: { x: number; y: number }; end: { x: number; y: number } };
  text: string;
  activate(event: MouseEvent, text: string): void;
}

export interface LinkProvider {
  provideLinks(y: number, answer: (links: OfferedLink[] | undefined) => void): void;
}

export function createLinkProvider(options: {
  buffer(): BufferLike;
  openUrl(url: string): void;
  paths: PathLinks;
}): LinkProvider {
  const { paths } = options;

  function offer(link: FoundLink, line: LogicalLine, follow: () => void): OfferedLink {
    const first = line.places[link.start]!;
    const last = line.places[link.end - 1]!;
    return {
      range: {
        start: { x: first.column + 1, y: first.row + 1 },
        end: { x: last.column + last.width, y: last.row + 1 },
      },
      text: line.text.slice(link.start, link.end),
      activate: follow,
    };
  }

  return {
    provideLinks(y, answer) {
      const row = y - 1;
      const touches = (line: LogicalLine) => (link: FoundLink) =>
        line.places[link.start]!.row <= row && line.places[link.end - 1]!.row >= row;
      const broken = logicalLine(options.buffer(), row, { broken: true });
      const urls = findLinks(broken.text)
        .filter(touches(broken))
        .flatMap((link) =>
          link.kind === "url" ? [offer(link, broken, () => options.openUrl(link.url))] : [],
        );
      // A path is told by its being there, so that it needs no guess about what a program broke.
      const line = logicalLine(options.buffer(), row, { broken: false });
      const named = findLinks(line.text)
        .filter(touches(line))
        .filter((link) => link.kind === "path");
      if (named.length === 0) return answer(urls);
      void paths.find(named.map(({ path }) => path)).then((found) => {
        const files = named.flatMap((link, at) => {
          const path = found[at] ?? null;
          return path === null ? [] : [offer(link, line, () => paths.open(path, link.line))];
        });
        answer([...urls, ...files]);
      });
    },
  };
}

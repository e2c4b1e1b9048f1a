// What kind of file it is for the one who looks at it. Pure.

export type FileKind = "markdown" | "html" | "picture" | "pdf" | "text";

const PICTURES: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  avif: "image/avif",
  bmp: "image/bmp",
  ico: "image/x-icon",
  svg: "image/svg+xml",
};

export function fileKind(path: string): FileKind {
  const extension = extensionOf(path);
  if (extension === "md" || extension === "markdown") return "markdown";
  if (extension === "html" || extension === "htm") return "html";
  if (extension === "pdf") return "pdf";
  return extension in PICTURES ? "picture" : "text";
}

/** The media type under which a picture is shown; others are never given one that a browser would open. */
export function pictureType(path: string): string {
  return PICTURES[extensionOf(path)] ?? "application/octet-stream";
}

/** Shown rendered unless somebody asks for its text or a line of it. */
export function isShownRendered(kind: FileKind): boolean {
  return kind === "markdown" || kind === "picture" || kind === "pdf";
}

/** A picture that is text as well. */
export function hasText(path: string): boolean {
  const kind = fileKind(path);
  return kind === "picture" ? extensionOf(path) === "svg" : kind !== "pdf";
}

function extensionOf(path: string): string {
  return /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? "";
}

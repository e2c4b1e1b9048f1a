// How a file looks. Nothing of a repository ever runs in the page's origin: Markdown is written anew around escaped text,
// pictures are drawn by the browser as pictures (an SVG in one runs nothing and loads nothing), HTML stands in a frame
// without an origin.
import { PREVIEW_PATH } from "@kolu/contract/web.ts";
import { renderMarkdown } from "@kolu/transcript/markdown.ts";
import { type JSX, useEffect, useMemo, useRef, useState } from "react";
import { byteCount } from "../../tile/words.ts";
import css from "../reading.css?inline";
import { ShadowHtml } from "../shadow-html.tsx";
import { readBytes } from "./download.ts";
import { fileKind, pictureType } from "./kinds.ts";
import { NotShown } from "./not-shown.tsx";
import { fileName } from "./places.ts";
import { useRead } from "./use-project.ts";

export interface PreviewProps {
  root: string;
  path: string;
  news: number;
  /** Of a file that is text. */
  content?: string;
}

export function Preview({ root, path, news, content = "" }: PreviewProps): JSX.Element {
  const kind = fileKind(path);
  switch (kind) {
    case "markdown":
      return <Markdown path={path} text={content} />;
    case "html":
      return <Html key={path} path={path} html={content} />;
    case "picture":
      return <Picture root={root} path={path} news={news} />;
    case "pdf":
    case "text":
      return <NotShown root={root} path={path} why={`${fileName(path)} is not shown in the page.`} />;
    default:
      return kind satisfies never;
  }
}

function Markdown({ path, text }: { path: string; text: string }): JSX.Element {
  const html = useMemo(() => `<div class="answer">${renderMarkdown(text)}</div>`, [text]);
  return <ShadowHtml html={html} css={css} label={`${path}, rendered`} className="rendered" />;
}

function Picture({ root, path, news }: { root: string; path: string; news: number }): JSX.Element {
  const { value, failure } = useRead(
    `${root}\n${path}`,
    news,
    (signal) => readBytes(root, path, signal),
    (a, b) => a.length === b.length && a.every((byte, at) => byte === b[at]),
  );
  const [url, setUrl] = useState<string | null>(null);
  const [size, setSize] = useState("");
  useEffect(() => {
    if (value === null) return;
    const made = URL.createObjectURL(new Blob([value], { type: pictureType(path) }));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [value, path]);
  if (failure !== null) return <p className="panel-empty">{failure}</p>;
  return (
    <>
      <p className="viewer-note">{value === null ? "…" : `${size}${byteCount(value.length)}`}</p>
      <div className="picture">
        {url !== null && (
          <img
            src={url}
            alt={fileName(path)}
            onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
              setSize(`${naturalWidth} × ${naturalHeight}, `)
            }
            onError={() => setSize("The browser cannot draw it, ")}
          />
        )}
      </div>
    </>
  );
}

/** Before the file's own words: whatever stands there could load nothing and send nothing. */
const STILL_POLICY = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; base-uri 'none'; form-action 'none'">`;

/** Still at first. With scripts it stands in a frame of the web server's, whose own headers take its origin away. */
function Html({ path, html }: { path: string; html: string }): JSX.Element {
  const [runs, setRuns] = useState(false);
  return (
    <>
      <div className="viewer-note">
        {runs ? "Its scripts run, shut off from kolu and from the network." : "Shown without its scripts."}
        <button type="button" className="link-button" onClick={() => setRuns(!runs)}>
          {runs ? "Stop them" : "Run its scripts"}
        </button>
      </div>
      {runs ? (
        // Another text is another document: a script of the one before has no business in it.
        <RunningFrame key={html} path={path} html={html} />
      ) : (
        <iframe className="preview" title={`${path}, preview`} sandbox="" srcDoc={STILL_POLICY + html} />
      )}
    </>
  );
}

function RunningFrame({ path, html }: { path: string; html: string }): JSX.Element {
  const frame = useRef<HTMLIFrameElement>(null);
  const handed = useRef(false);
  return (
    <iframe
      ref={frame}
      className="preview"
      title={`${path}, preview with scripts`}
      sandbox="allow-scripts"
      src={PREVIEW_PATH}
      onLoad={() => {
        // The document that the text becomes loads as well.
        if (handed.current) return;
        handed.current = true;
        // It has no origin to name; whoever is in this frame came from PREVIEW_PATH, the page's policy sees to that.
        frame.current?.contentWindow?.postMessage(html, "*");
      }}
    />
  );
}

// The thin bar under the chrome: it pushes the page down and covers nothing.
import { type JSX, useEffect, useState } from "react";
import { retryNow, useWorkspace } from "../store/workspace.ts";
import { copyLine } from "../workspace/copy-line.ts";
import "./banner.css";
import { type Banner, bannerOf } from "./banner-of.ts";

export function BannerBar(): JSX.Element | null {
  const link = useWorkspace((workspace) => workspace.link);
  const status = useWorkspace((workspace) => workspace.status);
  const firstBuildId = useWorkspace((workspace) => workspace.firstBuildId);
  const banner = bannerOf(link, status, firstBuildId);
  const due = useDue(banner);
  if (banner === null || !due) return null;
  return (
    <div className="banner" data-kind={banner.kind} data-tone={banner.tone} role="status">
      <span className="banner-pip" aria-hidden="true" />
      <strong>{banner.title}</strong>
      <span className="banner-text">{banner.text}</span>
      {banner.command !== null && <code>{banner.command}</code>}
      <Act banner={banner} />
    </div>
  );
}

/** Whether a banner has lasted long enough to be shown. */
function useDue(banner: Banner | null): boolean {
  const dueAtMs = banner === null ? null : banner.sinceMs + banner.afterMs;
  const [, wake] = useState(0);
  useEffect(() => {
    if (dueAtMs === null || dueAtMs <= Date.now()) return;
    const timer = setTimeout(() => wake((count) => count + 1), dueAtMs - Date.now());
    return () => clearTimeout(timer);
  }, [dueAtMs]);
  return dueAtMs !== null && dueAtMs <= Date.now();
}

function Act({ banner }: { banner: Banner }): JSX.Element | null {
  switch (banner.action) {
    case null:
      return null;
    case "retry":
      return (
        <button type="button" onClick={retryNow}>
          Try now
        </button>
      );
    case "reload":
      return (
        <button type="button" onClick={() => location.reload()}>
          Reload
        </button>
      );
    case "copy-command":
      return (
        <button type="button" onClick={() => void copyLine(banner.command ?? "")}>
          Copy command
        </button>
      );
    default:
      return banner.action satisfies never;
  }
}

// A file that the page does not show: why, and a way to have it all the same.
import type { JSX } from "react";
import { sayFailure } from "../../canvas/notices.ts";
import { saveBytes } from "./download.ts";

export function NotShown({ root, path, why }: { root: string; path: string; why: string }): JSX.Element {
  return (
    <div className="panel-empty">
      <p>{why}</p>
      <div className="code-actions">
        <button
          type="button"
          onClick={() => void saveBytes(root, path).catch(sayFailure("It could not be saved"))}
        >
          Save a copy
        </button>
      </div>
    </div>
  );
}

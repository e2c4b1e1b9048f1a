import type { JSX } from "react";
import { Icon } from "../tile/icon.tsx";
import { unsay, useNotices } from "./notices.ts";

/** What could not be done, at the foot of the page, whatever part of it a narrow one shows. */
export function NoticeList(): JSX.Element {
  const notices = useNotices((state) => state.notices);
  return (
    <div className="notices" role="status">
      {notices.map(({ id, text, action, failed }) => (
        <p key={id} className="notice" data-failed={failed || undefined}>
          {text}
          {action && (
            <button
              type="button"
              className="notice-action"
              onClick={() => {
                unsay(id);
                action.run();
              }}
            >
              {action.label}
            </button>
          )}
          <button type="button" aria-label="Dismiss" onClick={() => unsay(id)}>
            <Icon name="close" />
          </button>
        </p>
      ))}
    </div>
  );
}

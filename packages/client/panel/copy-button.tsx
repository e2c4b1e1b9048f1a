import { type JSX, useEffect, useState } from "react";
import { sayFailure } from "../canvas/notices.ts";
import { copyText } from "../terminal/copy.ts";
import { Icon } from "../theme/icon.tsx";

/** How long the tick says that it went well. */
const SAID_MS = 1_500;

export function CopyButton({ text, label }: { text: string; label: string }): JSX.Element {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), SAID_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <button
      type="button"
      className="copy-button"
      aria-label={copied ? "Copied" : label}
      title={label}
      onClick={() => copyText(text).then(() => setCopied(true), sayFailure("It could not be copied"))}
    >
      <Icon name={copied ? "tick" : "copy"} />
    </button>
  );
}

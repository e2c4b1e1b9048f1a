// The files that are on their way to a terminal, each with how far it is and how to stop it.
import type { JSX } from "react";
import { useFilesUnderWay } from "./handing-over.ts";

export function FilesUnderWay({ id }: { id: string }): JSX.Element {
  const files = useFilesUnderWay((state) => state.files);
  return (
    <>
      {files
        .filter(({ terminalId }) => terminalId === id)
        .map(({ key, name, sizeBytes, sentBytes, cancel }) => (
          <div key={key} className="saying" role="status">
            <span className="saying-file">{name}</span>
            <progress aria-label={`Handing over ${name}`} value={sentBytes} max={Math.max(1, sizeBytes)} />
            <button type="button" onClick={cancel}>
              Cancel
            </button>
          </div>
        ))}
    </>
  );
}

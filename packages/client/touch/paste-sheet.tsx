// Text for a terminal that is written or pasted somewhere calm first: also for dictation and for what a phone's keyboard corrects.
import { type FormEvent, type JSX, useState } from "react";
import { Sheet } from "../keys/sheet.tsx";
import { useUi } from "../store/ui.ts";
import { pasteInto } from "./paste.ts";

export default function PasteSheet(): JSX.Element {
  const [text, setText] = useState("");
  const activeId = useUi((ui) => ui.activeId);
  const close = (): void => useUi.getState().setOverlay(null);
  const insert = (event: FormEvent): void => {
    event.preventDefault();
    close();
    if (activeId !== null) pasteInto(activeId, text);
  };
  return (
    <Sheet label="Paste" onClose={close}>
      <form className="paste" onSubmit={insert}>
        <label htmlFor="paste-text">
          Paste or write here. It goes to the terminal as it is, without Enter.
        </label>
        <textarea id="paste-text" rows={5} value={text} onChange={(event) => setText(event.target.value)} />
        <div className="paste-answers">
          <button type="button" onClick={close}>
            Cancel
          </button>
          <button type="submit" className="big-button" disabled={text === "" || activeId === null}>
            Insert
          </button>
        </div>
      </form>
    </Sheet>
  );
}

// A question over a tile before something is done that a person may regret. The harmless answer has the keyboard.
import { type JSX, type KeyboardEvent, useEffect, useRef } from "react";

export interface QuestionProps {
  title: string;
  text: string;
  /** The harmless answer, and the other one. */
  keep: string;
  act: string;
  onKeep(): void;
  onAct(): void;
}

export function Question({ title, text, keep, act, onKeep, onAct }: QuestionProps): JSX.Element {
  const first = useRef<HTMLButtonElement>(null);
  useEffect(() => first.current?.focus(), []);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Escape") onKeep();
  };
  return (
    <div className="question-shade nodrag">
      <div className="question" role="alertdialog" aria-label={title} onKeyDown={onKeyDown}>
        <strong>{title}</strong>
        <p>{text}</p>
        <div className="question-answers">
          <button ref={first} type="button" onClick={onKeep}>
            {keep}
          </button>
          <button type="button" className="danger" onClick={onAct}>
            {act}
          </button>
        </div>
      </div>
    </div>
  );
}

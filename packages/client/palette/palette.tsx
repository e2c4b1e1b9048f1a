// One box to find a terminal or a command.
import { Command } from "cmdk";
import type { JSX } from "react";
import { rowOrder } from "../dock/dock-rows.ts";
import { goTo } from "../dock/navigate.ts";
import { useDockCards } from "../dock/use-dock.ts";
import { useActions } from "../keys/actions.ts";
import { Caps } from "../keys/keys-overlay.tsx";
import { Sheet } from "../keys/sheet.tsx";
import { BrandMark } from "../marks/brand-mark.tsx";
import { StateMark } from "../marks/state-mark.tsx";
import { useUi } from "../store/ui.ts";
import "./palette.css";

export function Palette(): JSX.Element {
  const rows = rowOrder(useDockCards());
  const actions = useActions((registry) => registry.actions);
  const setOverlay = useUi((ui) => ui.setOverlay);
  const close = (): void => setOverlay(null);
  const pick = (run: () => void) => (): void => {
    close();
    run();
  };
  return (
    <Sheet label="Search" onClose={close}>
      <Command className="palette" label="Search terminals and commands" loop>
        <Command.Input placeholder="Search terminals and commands" />
        <Command.List>
          <Command.Empty>Nothing is called that.</Command.Empty>
          {rows.length > 0 && (
            <Command.Group heading="Terminals">
              {rows.map(({ record, mark, name, doing }) => (
                <Command.Item
                  key={record.id}
                  value={record.id}
                  keywords={[
                    name,
                    doing ?? "",
                    record.git?.name ?? "",
                    record.cwd,
                    mark.words,
                    record.agent?.kind ?? "",
                  ]}
                  onSelect={pick(() => goTo(record.id))}
                >
                  <StateMark mark={mark} />
                  <span className="palette-name">{name}</span>
                  {record.agent && <BrandMark kind={record.agent.kind} sizePx={12} />}
                  <span className="palette-doing">{doing ?? mark.words}</span>
                  <span className="palette-repo">{record.git?.name}</span>
                </Command.Item>
              ))}
            </Command.Group>
          )}
          <Command.Group heading="Commands">
            {actions
              .filter(
                (action) =>
                  !/^terminal\.place-|^page\.palette$/.test(action.id) && action.isPossible?.() !== false,
              )
              .map((action) => (
                <Command.Item
                  key={action.id}
                  value={action.id}
                  keywords={[action.title]}
                  onSelect={pick(action.run)}
                >
                  <span className="palette-name">{action.title}</span>
                  <span className="palette-repo">
                    <Caps action={action} />
                  </span>
                </Command.Item>
              ))}
          </Command.Group>
        </Command.List>
      </Command>
    </Sheet>
  );
}

// Files dropped on a terminal, and pictures pasted into it. A paste that has text in it is a paste of text.
import type { TerminalRecord } from "@kolu/contract/terminal.ts";
import { type ClipboardEvent, type DragEvent, useState } from "react";
import { say } from "../canvas/notices.ts";
import { activate } from "./actions.ts";
import { handOver } from "./handing-over.ts";

export interface FileDrop {
  /** Files are held over it. */
  hovering: boolean;
  handlers: {
    onDragOver(event: DragEvent): void;
    onDragLeave(event: DragEvent): void;
    onDrop(event: DragEvent): void;
    onPasteCapture(event: ClipboardEvent): void;
  };
}

export function useFileDrop(record: TerminalRecord): FileDrop {
  const [hovering, setHovering] = useState(false);
  return {
    hovering,
    handlers: {
      onDragOver(event) {
        if (!hasFiles(event.dataTransfer) || record.life !== "active") return;
        event.preventDefault();
        event.stopPropagation();
        event.dataTransfer.dropEffect = "copy";
        setHovering(true);
      },
      onDragLeave(event) {
        // Going from one thing in it to another is no leaving.
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setHovering(false);
      },
      onDrop(event) {
        setHovering(false);
        if (!hasFiles(event.dataTransfer)) return;
        event.preventDefault();
        const { files, folders } = filesOf(event.dataTransfer);
        if (folders > 0) say("Folders cannot be handed over. Drop the files in them.");
        if (record.life !== "active") say("No program runs in this terminal that could take a file.");
        else if (files.length > 0) {
          activate(record.id);
          void handOver(record.id, files);
        }
      },
      onPasteCapture(event) {
        const { clipboardData } = event;
        if (clipboardData.getData("text/plain") !== "" || record.life !== "active") return;
        if (event.target instanceof Element && event.target.closest("search") !== null) return;
        // Nothing that is pasted as nothing: a program would see an empty paste.
        event.preventDefault();
        event.stopPropagation();
        const files = [...clipboardData.files];
        if (files.length > 0) void handOver(record.id, files);
        else void handOverPicture(record.id);
      },
    },
  };
}

/** The chord of terminals is, in Chromium, a paste of text alone: what else the clipboard holds has to be asked for. */
async function handOverPicture(id: TerminalRecord["id"]): Promise<void> {
  if (!window.isSecureContext) return;
  try {
    for (const item of await navigator.clipboard.read()) {
      const type = item.types.find((one) => one.startsWith("image/"));
      if (type === undefined) continue;
      const picture = await item.getType(type);
      await handOver(id, [new File([picture], `image.${type.slice("image/".length)}`, { type })]);
    }
  } catch {
    say("The browser does not let this page read a picture from the clipboard. Drop it as a file instead.");
  }
}

function hasFiles(data: DataTransfer): boolean {
  return data.types.includes("Files");
}

/** A folder looks like a file of its own name; only its entry tells. */
function filesOf(data: DataTransfer): { files: File[]; folders: number } {
  const items = [...data.items].filter(({ kind }) => kind === "file");
  const isFolder = (item: DataTransferItem): boolean => item.webkitGetAsEntry()?.isDirectory === true;
  const files = items.filter((item) => !isFolder(item)).flatMap((item) => item.getAsFile() ?? []);
  return { files, folders: items.filter(isFolder).length };
}

/** A file that misses a terminal must not make the browser leave the page for it. */
export function refuseStrayFiles(): void {
  for (const name of ["dragover", "drop"] as const)
    window.addEventListener(name, (event) => {
      if (event.defaultPrevented || !event.dataTransfer || !hasFiles(event.dataTransfer)) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = "none";
    });
}

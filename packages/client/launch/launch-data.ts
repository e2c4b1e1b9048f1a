// What padi knows that a new terminal can be made of, while a form for one is open.
import type { DirectoryLook, LaunchChoices, Recents } from "@kolu/contract/launch.ts";
import { useEffect, useState } from "react";
import { create } from "zustand";
import { padi, useWorkspace } from "../store/workspace.ts";

/** A hand that types is waited for. */
const TYPING_REST_MS = 150;

/** Kept from one form to the next, and asked for anew each time: an agent may have been installed meanwhile. */
export const useChoices = create<{ choices: LaunchChoices | null }>(() => ({ choices: null }));

const NO_RECENTS: Recents = { repos: [], agents: [] };
export const useRecents = create<Recents & { told: boolean }>(() => ({ ...NO_RECENTS, told: false }));

function useIsLive(): boolean {
  return useWorkspace(({ link }) => link.kind === "live");
}

/** Follows both while a component that needs them is there. Without a link they stay as they were. */
export function useLaunchData(): void {
  const live = useIsLive();
  useEffect(() => {
    if (!live) return;
    const abort = new AbortController();
    const { signal } = abort;
    padi()
      .call("launch.choices", {}, { signal })
      .then((choices) => useChoices.setState({ choices }), endQuietly(signal));
    void followRecents(signal).catch(endQuietly(signal));
    return () => abort.abort();
  }, [live]);
}

async function followRecents(signal: AbortSignal): Promise<void> {
  for await (const recents of padi().subscribe("recents.watch", {}, { signal }))
    useRecents.setState({ ...recents, told: true });
}

/** A padi that cannot say leaves the form with less to choose from; the link's own state is said elsewhere. */
function endQuietly(signal: AbortSignal): (error: unknown) => void {
  return (error) => {
    if (!signal.aborted) console.warn("What a terminal can be made of could not be asked for.", error);
  };
}

/** What a typed path is: null until padi has said something of it. */
export function useLook(where: string): DirectoryLook | null {
  const live = useIsLive();
  const [look, setLook] = useState<{ where: string; look: DirectoryLook } | null>(null);
  useEffect(() => {
    if (!live || where.trim() === "") return;
    return later((signal) =>
      padi()
        .call("directory.look", { path: where }, { signal })
        .then((found) => setLook({ where, look: found }), endQuietly(signal)),
    );
  }, [where, live]);
  return look?.where === where ? look.look : null;
}

/** What is wrong with a name for a worktree; null: nothing, as far as is known. Not asked while `repo` is null. */
export function useNameProblem(repo: string | null, name: string): string | null {
  const live = useIsLive();
  const [said, setSaid] = useState<{ key: string; problem: string | null } | null>(null);
  const key = `${repo}\0${name}`;
  useEffect(() => {
    // What was said before may have changed meanwhile.
    setSaid(null);
    if (!live || repo === null) return;
    return later((signal) =>
      padi()
        .call("worktree.checkName", { repo, name }, { signal })
        .then(({ problem }) => setSaid({ key, problem }), endQuietly(signal)),
    );
  }, [repo, name, key, live]);
  return said?.key === key ? said.problem : null;
}

/** Directories that a path goes on to. */
export function useCompletions(typed: string | null): readonly { path: string; isRepo: boolean }[] {
  const live = useIsLive();
  const [found, setFound] = useState<readonly { path: string; isRepo: boolean }[]>([]);
  useEffect(() => {
    if (!live || typed === null) return setFound([]);
    return later((signal) =>
      padi()
        .call("directory.complete", { typed }, { signal })
        .then(({ directories }) => setFound(directories), endQuietly(signal)),
    );
  }, [typed, live]);
  return found;
}

function later(ask: (signal: AbortSignal) => void): () => void {
  const abort = new AbortController();
  const timer = setTimeout(() => ask(abort.signal), TYPING_REST_MS);
  return () => {
    clearTimeout(timer);
    abort.abort();
  };
}

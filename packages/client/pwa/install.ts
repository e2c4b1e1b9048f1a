// Installing the page as an app: offered where the browser offers it, and done at a person's word.
import { create } from "zustand";
import { say } from "../canvas/notices.ts";

/** What Chromium hands a page that can be installed; other browsers have a menu of their own for it. */
interface InstallOffer extends Event {
  prompt(): Promise<{ outcome: "accepted" | "dismissed" }>;
}

export const useInstall = create<{ offer: InstallOffer | null }>(() => ({ offer: null }));

export function canInstall(): boolean {
  return useInstall.getState().offer !== null;
}

export async function install(): Promise<void> {
  const { offer } = useInstall.getState();
  if (!offer) return;
  // An offer can be taken up once; the browser makes another one when it wants to.
  useInstall.setState({ offer: null });
  const { outcome } = await offer.prompt();
  if (outcome === "dismissed") say("Not installed. The browser may offer it again later.");
}

/** Listens for offers. Returns how to stop. */
export function startInstall(): () => void {
  const stopping = new AbortController();
  const { signal } = stopping;
  const onOffer = (event: Event): void => {
    event.preventDefault(); // The browser's own bar would cover terminals.
    useInstall.setState({ offer: event as InstallOffer });
  };
  window.addEventListener("beforeinstallprompt", onOffer, { signal });
  window.addEventListener("appinstalled", () => useInstall.setState({ offer: null }), { signal });
  return () => stopping.abort();
}

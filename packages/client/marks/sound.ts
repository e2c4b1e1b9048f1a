// Short sounds, made here: a rising pair asks, a single soft note is done, a falling pair is trouble.
import type { AlertKind } from "@kolu/contract/preferences.ts";

const NOTES_HZ: Record<AlertKind, readonly number[]> = {
  "needs-you": [587, 880],
  finished: [659],
  error: [440, 294],
  program: [784, 784],
};
const NOTE_S = 0.14;
const VOLUME = 0.12;

let context: AudioContext | null = null;

/** Silent where the browser wants a click on the page first. */
export function play(kind: AlertKind): void {
  context ??= new AudioContext();
  void context.resume();
  const { destination, currentTime } = context;
  for (const [index, hz] of NOTES_HZ[kind].entries()) {
    const startsAt = currentTime + index * NOTE_S;
    const tone = new OscillatorNode(context, { frequency: hz, type: "sine" });
    const volume = new GainNode(context, { gain: 0 });
    // A tone that starts or ends at once clicks.
    volume.gain.setValueAtTime(0, startsAt);
    volume.gain.linearRampToValueAtTime(VOLUME, startsAt + 0.015);
    volume.gain.exponentialRampToValueAtTime(0.001, startsAt + NOTE_S);
    tone.connect(volume).connect(destination);
    tone.start(startsAt);
    tone.stop(startsAt + NOTE_S);
  }
}

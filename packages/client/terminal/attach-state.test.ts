import type { ServerFrame, ViewerFrame } from "@kolu/contract/attach.ts";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  ACK_EVERY_BYTES,
  type AttachEffect,
  type AttachEvent,
  type AttachState,
  attachQuery,
  attachStep,
  FIRST_ATTACH,
  INPUT_FRAME_MAX_BYTES,
  OUTBOX_MAX_BYTES,
} from "./attach-state.ts";

const BOOT = "11111111-1111-4111-8111-111111111111";
const NEXT_BOOT = "22222222-2222-4222-8222-222222222222";
const GRID = { cols: 80, rows: 24 };
const bytesOf = (text: string) => new TextEncoder().encode(text);

/** Runs events through and gathers what came out. */
function run(events: AttachEvent[], from: AttachState = FIRST_ATTACH) {
  let state = from;
  const effects: AttachEffect[] = [];
  for (const event of events) {
    const step = attachStep(state, event);
    state = step.state;
    effects.push(...step.effects);
  }
  return { state, effects, sent: effects.flatMap((e) => (e.kind === "send" ? [e.frame] : [])) };
}

const frame = (value: ServerFrame): AttachEvent => ({ kind: "frame", frame: value });
const snapshot = (offset: number, boot = BOOT): AttachEvent =>
  frame({ kind: "snapshot", offset, ...GRID, boot, vt: bytesOf("screen") });
const typed = (text: string): AttachEvent => ({ kind: "typed", bytes: bytesOf(text) });
const live: AttachEvent[] = [{ kind: "dialling" }, { kind: "opened" }, snapshot(100)];

test("the first connection asks for a snapshot, a later one for the next byte", () => {
  expect(attachQuery(FIRST_ATTACH, "v", 500)).toEqual({ viewer: "v", scrollback: 500, role: "viewer" });
  const { state } = run([...live, frame({ kind: "output", offset: 100, bytes: bytesOf("abc") })]);
  expect(attachQuery(state, "v", 500)).toMatchObject({ boot: BOOT, offset: 103 });
});

test("what was typed before the first frame waits for it", () => {
  const { sent } = run([typed("ls\r"), { kind: "dialling" }, { kind: "opened" }]);
  expect(sent).toEqual([]);
  expect(run([typed("ls\r"), ...live]).sent).toEqual([{ kind: "input", seq: 1, bytes: bytesOf("ls\r") }]);
});

test("room and focus are said first on every connection", () => {
  const { sent } = run([{ kind: "room", grid: GRID }, { kind: "focus", focused: true }, ...live]);
  expect(sent).toEqual([
    { kind: "resize", ...GRID },
    { kind: "focus", focused: true },
  ]);
});

test("nothing is said on a socket that is not open yet", () => {
  const room: AttachEvent = { kind: "room", grid: GRID };
  const { state, sent } = run([{ kind: "dialling" }, room, { kind: "focus", focused: true }]);
  expect(sent).toEqual([]);
  expect(run([{ kind: "opened" }], state).sent.map((f) => f.kind)).toEqual(["resize", "focus"]);
});

test("a press into a terminal that has the keyboard takes back a grid that another viewer took", () => {
  const focus: AttachEvent = { kind: "focus", focused: true };
  const mine = run([{ kind: "room", grid: GRID }, focus, ...live]).state;
  expect(run([focus], mine).sent).toEqual([]);
  const taken = run([frame({ kind: "grid", cols: 40, rows: 10 })], mine).state;
  expect(run([focus], taken).sent).toEqual([{ kind: "focus", focused: true }]);
});

test("input of another kaval's time is never typed at the new process, and is said to be lost", () => {
  const before = run([...live, { kind: "closed" }, typed("y\r")]).state;
  const { state, sent } = run([{ kind: "dialling" }, { kind: "opened" }, snapshot(5, NEXT_BOOT)], before);
  expect(sent).toEqual([]);
  expect(state.lost).toEqual({ bytes: 2, why: "restarted" });
  expect(run([{ kind: "loss-seen" }], state).state.lost).toBeNull();
});

test("refused input is offered again from the refused frame on, in order", () => {
  const { state } = run([...live, typed("a"), typed("b"), typed("c")]);
  const back = run([frame({ kind: "input-refused", seq: 2, queuedBytes: 9 })], state);
  expect(back.state.refused).toEqual({ queuedBytes: 9 });
  expect(run([typed("d")], back.state).sent).toEqual([]);
  const again = run([typed("d"), { kind: "retry-input" }], back.state).sent;
  expect(again.map((f) => (f.kind === "input" ? f.seq : f.kind))).toEqual([2, 3, 4]);
});

test("more than the page may hold is not taken, whole, and said so", () => {
  const { state } = run([{ kind: "typed", bytes: new Uint8Array(OUTBOX_MAX_BYTES) }, typed("x")]);
  expect(state.outboxBytes).toBe(OUTBOX_MAX_BYTES);
  expect(state.lost).toEqual({ bytes: 1, why: "too-much" });
});

test("long input waits for acknowledgements, so that a slow program is fed as it reads", () => {
  const { state, sent } = run([...live, { kind: "typed", bytes: new Uint8Array(3 * INPUT_FRAME_MAX_BYTES) }]);
  expect(sent).toHaveLength(1);
  expect(run([frame({ kind: "input-ack", seq: 1 })], state).sent).toMatchObject([{ kind: "input", seq: 2 }]);
});

test("consumed output is acknowledged as it gathers", () => {
  const end = 100 + ACK_EVERY_BYTES;
  const output = frame({ kind: "output", offset: 100, bytes: new Uint8Array(ACK_EVERY_BYTES) });
  const { state } = run([...live, output, { kind: "consumed", offset: end - 1 }]);
  expect(run([{ kind: "consumed", offset: end }], state).sent).toEqual([{ kind: "ack", offset: end }]);
});

test("a small rest is acknowledged after a moment, once", () => {
  const output = frame({ kind: "output", offset: 100, bytes: bytesOf("abc") });
  const { state, effects } = run([
    ...live,
    output,
    { kind: "consumed", offset: 102 },
    { kind: "consumed", offset: 103 },
  ]);
  expect(effects.filter((effect) => effect.kind === "ack-later")).toHaveLength(1);
  const due = run([{ kind: "ack-due" }], state);
  expect(due.sent).toEqual([{ kind: "ack", offset: 103 }]);
  expect(run([{ kind: "ack-due" }], due.state).sent).toEqual([]);
});

test("missing output drops the connection, and the next one begins with a snapshot", () => {
  const { state, effects } = run([...live, frame({ kind: "output", offset: 200, bytes: bytesOf("late") })]);
  expect(effects.at(-1)?.kind).toBe("drop");
  expect(attachQuery(state, "v", 0)).not.toHaveProperty("offset");
});

test("an exit says what was typed and not delivered", () => {
  const { state } = run([...live, typed("late"), frame({ kind: "exit", code: 1, signal: 0 })]);
  expect(state).toMatchObject({ exit: { code: 1 }, lost: { bytes: 4, why: "ended" } });
});

/** Unacknowledged output above which the model pauses its viewer. */
const WINDOW = 60;

/**
 * The other side as the contract describes it: a ring of output, per viewer the last input taken, and flow control. A
 * paused viewer goes on from the ring when half its window is free; what fell out of the ring is made good by a snapshot,
 * which is only sent when nothing is under way.
 */
class ModelServer {
  output: number[] = [];
  ringStart = 0;
  taken: number[] = [];
  lastSeq = 0;
  refusing = false;
  boot = BOOT;
  sent = 0;
  acked = 0;
  paused = false;

  begin(query: { boot?: string; offset?: number }): ServerFrame[] {
    const { boot, offset } = query;
    const resumable = boot === this.boot && offset !== undefined && offset >= this.ringStart;
    this.paused = false;
    if (!resumable) return this.snapshot();
    this.sent = this.acked = offset;
    return [{ kind: "resume", offset, boot: this.boot }, ...this.pump()];
  }

  snapshot(): ServerFrame[] {
    this.sent = this.acked = this.output.length;
    this.paused = false;
    return [
      { kind: "snapshot", offset: this.sent, ...GRID, boot: this.boot, vt: Uint8Array.from(this.output) },
    ];
  }

  pump(): ServerFrame[] {
    if (this.sent < this.ringStart || this.sent - this.acked >= WINDOW) this.paused = true;
    if (this.paused && this.sent < this.ringStart) return this.acked >= this.sent ? this.snapshot() : [];
    if (this.paused && this.sent - this.acked > WINDOW / 2) return [];
    this.paused = false;
    if (this.sent === this.output.length) return [];
    const offset = this.sent;
    const bytes = Uint8Array.from(this.output.slice(offset, offset + 25));
    this.sent += bytes.length;
    return [{ kind: "output", offset, bytes }, ...this.pump()];
  }

  receive(sent: ViewerFrame): ServerFrame[] {
    if (sent.kind === "ack") {
      this.acked = Math.max(this.acked, sent.offset);
      return this.pump();
    }
    if (sent.kind !== "input") return [];
    if (sent.seq <= this.lastSeq) return [{ kind: "input-ack", seq: sent.seq }];
    // After a refusal nothing later is taken before the refused one.
    if (this.refusing || sent.seq !== this.lastSeq + 1)
      return [{ kind: "input-refused", seq: sent.seq, queuedBytes: 1 }];
    this.lastSeq = sent.seq;
    this.taken.push(...sent.bytes);
    return [{ kind: "input-ack", seq: sent.seq }];
  }
}

type Act =
  | { act: "type" | "print"; bytes: number[] }
  | { act: "disconnect"; lostUp: number; lostDown: number }
  | { act: "deliver-up" | "deliver-down"; count: number }
  | { act: "consume" | "reconnect" | "refuse" | "accept" | "forget-ring" };

const chunk = fc.array(fc.integer({ min: 0, max: 255 }), { minLength: 1, maxLength: 40, size: "max" });
const few = fc.integer({ min: 1, max: 6 });
const act: fc.Arbitrary<Act> = fc.oneof(
  fc.record({ act: fc.constantFrom("type" as const, "print" as const), bytes: chunk }),
  fc.record({ act: fc.constant("disconnect" as const), lostUp: few, lostDown: few }),
  fc.record({ act: fc.constantFrom("deliver-up" as const, "deliver-down" as const), count: few }),
  fc.record({
    act: fc.constantFrom("consume" as const, "reconnect" as const, "refuse" as const, "accept" as const),
  }),
  fc.record({ act: fc.constant("forget-ring" as const) }),
);

/** A viewer and a server with a wire between that keeps frames in flight and loses their tails. */
class World {
  server = new ModelServer();
  state = FIRST_ATTACH;
  screen: number[] = [];
  typed: number[] = [];
  up: ViewerFrame[] = [];
  down: ServerFrame[] = [];
  unconsumed: number[] = [];
  connected = false;
  retryWanted = false;
  ackWanted = false;

  apply(event: AttachEvent): void {
    const { state, effects } = attachStep(this.state, event);
    this.state = state;
    for (const effect of effects) {
      if (effect.kind === "send") this.up.push(effect.frame);
      if (effect.kind === "begin") this.screen = [...effect.vt];
      if (effect.kind === "begin") this.unconsumed = [];
      if (effect.kind === "write") this.screen.push(...effect.bytes);
      if (effect.kind === "write") this.unconsumed.push(effect.endOffset);
      if (effect.kind === "retry-later") this.retryWanted = true;
      if (effect.kind === "ack-later") this.ackWanted = true;
      if (effect.kind === "drop") throw new Error(effect.reason);
    }
  }

  connect(): void {
    if (this.connected) return;
    this.connected = true;
    this.apply({ kind: "dialling" });
    this.down.push(...this.server.begin(attachQuery(this.state, "v", 0)));
    this.apply({ kind: "opened" });
  }

  disconnect(lostUp: number, lostDown: number): void {
    if (!this.connected) return;
    // Some of what was in flight arrives, the rest never does.
    this.deliverUp(Math.max(0, this.up.length - lostUp));
    this.deliverDown(Math.max(0, this.down.length - lostDown));
    this.up = [];
    this.down = [];
    this.connected = false;
    this.apply({ kind: "closed" });
  }

  deliverUp(count: number): void {
    for (const sent of this.up.splice(0, count)) this.down.push(...this.server.receive(sent));
  }

  deliverDown(count: number): void {
    for (const received of this.down.splice(0, count)) this.apply(frame(received));
  }

  print(bytes: number[]): void {
    this.server.output.push(...bytes);
    if (this.connected) this.down.push(...this.server.pump());
  }

  perform(step: Act): void {
    switch (step.act) {
      case "type":
        this.typed.push(...step.bytes);
        this.apply({ kind: "typed", bytes: Uint8Array.from(step.bytes) });
        break;
      case "print":
        this.print(step.bytes);
        break;
      case "disconnect":
        this.disconnect(step.lostUp, step.lostDown);
        break;
      case "deliver-up":
        this.deliverUp(step.count);
        break;
      case "deliver-down":
        this.deliverDown(step.count);
        break;
      case "consume":
        this.apply({ kind: "consumed", offset: this.unconsumed.shift() ?? 0 });
        break;
      case "reconnect":
        this.connect();
        break;
      case "refuse":
      case "accept":
        this.server.refusing = step.act === "refuse";
        break;
      case "forget-ring":
        this.server.ringStart = this.server.output.length;
        if (this.connected) this.down.push(...this.server.pump());
        break;
      default:
        step satisfies never;
    }
  }

  /** The network heals and the program reads: everything that waits is delivered. */
  settle(): void {
    this.server.refusing = false;
    this.connect();
    for (let round = 0; round < 400; round++) {
      this.deliverUp(this.up.length);
      this.deliverDown(this.down.length);
      for (const offset of this.unconsumed.splice(0)) this.apply({ kind: "consumed", offset });
      if (this.retryWanted) this.apply({ kind: "retry-input" });
      if (this.ackWanted) this.apply({ kind: "ack-due" });
      this.retryWanted = this.ackWanted = false;
    }
  }
}

test("whatever the connection does, output has no gap and no double, and input arrives once and in order", () => {
  fc.assert(
    // Long walks: by default they would stay too short for the window to fill.
    fc.property(fc.array(act, { maxLength: 120, size: "max" }), (acts) => {
      const world = new World();
      for (const step of acts) world.perform(step);
      world.settle();
      expect(world.screen).toEqual(world.server.output);
      expect(world.server.taken).toEqual(world.typed);
      expect(world.state).toMatchObject({ outboxBytes: 0, lost: null, phase: "live" });
    }),
    { numRuns: 400 },
  );
});

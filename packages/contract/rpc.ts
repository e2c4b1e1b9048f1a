// The protocol of /rpc: JSON-RPC 2.0, with subscriptions. Neutral: a Peer is given a way to send text and is told what
// arrived; sockets and timers are the transport's business (packages/wire on Node, client/store in the page).
//
// A subscription is a request whose items arrive as notifications `$/item {id, value}` until its answer ends it; items
// carry revisions inside their values. `$/cancel {id}` ends a call or a subscription early.
import { z } from "zod";
import { RPC_MESSAGE_MAX_BYTES } from "./limits.ts";
import { Refusal, type RefusalKind } from "./refusals.ts";

export interface Call<P extends z.ZodType = z.ZodType, R extends z.ZodType = z.ZodType> {
  kind: "call";
  params: P;
  result: R;
}
export interface Stream<P extends z.ZodType = z.ZodType, I extends z.ZodType = z.ZodType> {
  kind: "stream";
  params: P;
  item: I;
}
export type Contract = Record<string, Call | Stream>;

export function call<P extends z.ZodType, R extends z.ZodType>(params: P, result: R): Call<P, R> {
  return { kind: "call", params, result };
}
export function stream<P extends z.ZodType, I extends z.ZodType>(params: P, item: I): Stream<P, I> {
  return { kind: "stream", params, item };
}

export interface CallContext {
  /** Aborted when the caller cancels or its connection ends. */
  signal: AbortSignal;
}

/** What a daemon implements: one function a member. A stream's iterator is closed (`return`) when the caller goes. */
export type Handlers<C extends Contract> = {
  [M in keyof C]: C[M] extends Call<infer P, infer R>
    ? (params: z.output<P>, context: CallContext) => Promise<z.input<R>> | z.input<R>
    : C[M] extends Stream<infer P, infer I>
      ? (params: z.output<P>, context: CallContext) => AsyncIterable<z.input<I>>
      : never;
};

/** What a caller sees. */
export interface Client<C extends Contract> {
  /** Rejects with a Refusal, an RpcFault, or LinkLost. */
  call<M extends CallNames<C>>(
    method: M,
    params: ParamsOf<C, M>,
    options?: { signal?: AbortSignal },
  ): Promise<ResultOf<C, M>>;
  /** Ends normally when the server ends it; throws like `call`. Leaving the loop cancels it. */
  subscribe<M extends StreamNames<C>>(
    method: M,
    params: ParamsOf<C, M>,
    options?: { signal?: AbortSignal },
  ): AsyncIterable<ItemOf<C, M>>;
}

export type CallNames<C extends Contract> = { [M in keyof C]: C[M] extends Call ? M : never }[keyof C] &
  string;
export type StreamNames<C extends Contract> = { [M in keyof C]: C[M] extends Stream ? M : never }[keyof C] &
  string;
export type ParamsOf<C extends Contract, M extends keyof C> = z.input<C[M]["params"]>;
export type ResultOf<C extends Contract, M extends keyof C> =
  C[M] extends Call<z.ZodType, infer R> ? z.output<R> : never;
export type ItemOf<C extends Contract, M extends keyof C> =
  C[M] extends Stream<z.ZodType, infer I> ? z.output<I> : never;

/** The link closed while a call was in flight: it may or may not have been carried out. */
export class LinkLost extends Error {
  constructor(message = "The connection dropped while the call was in flight.") {
    super(message);
    this.name = "LinkLost";
  }
}

/** The other side failed: a bug or a fault of its world, not something that the caller asked wrongly. */
export class RpcFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = "RpcFault";
  }
}

const ErrorCode = {
  refusal: -32000,
  fault: -32603,
  cancelled: -32800,
  parse: -32700,
  invalidRequest: -32600,
} as const;

const Message = z.union([
  z.object({ jsonrpc: z.literal("2.0"), id: z.int(), method: z.string(), params: z.unknown().optional() }),
  z.object({ jsonrpc: z.literal("2.0"), method: z.string(), params: z.unknown().optional() }),
  z.object({
    jsonrpc: z.literal("2.0"),
    id: z.int().nullable(),
    error: z.object({ code: z.int(), message: z.string(), data: z.unknown().optional() }),
  }),
  z.object({ jsonrpc: z.literal("2.0"), id: z.int(), result: z.unknown() }),
]);

/** The transport under a peer. `drained` resolves when little is left unsent: streams wait on it, so a slow reader costs no memory. */
export interface Channel {
  send(text: string): void;
  drained(): Promise<void> | undefined;
}

interface Incoming {
  receive(text: string): void;
  /** The transport is gone: every open call ends. */
  close(): void;
}

/** The serving half of one connection. `onBug` is told of every error that is no refusal, with the method's name. */
export function serve<C extends Contract>(
  contract: C,
  handlers: Handlers<C>,
  channel: Channel,
  onBug: (method: string, error: unknown) => void,
): Incoming {
  const open = new Map<number, AbortController>();

  async function answer(id: number, method: string, params: unknown): Promise<void> {
    const abort = new AbortController();
    open.set(id, abort);
    try {
      const member = Object.hasOwn(contract, method) ? contract[method] : undefined;
      if (!member) throw unknownMethod(method);
      const parsed = member.params.safeParse(params ?? {});
      if (!parsed.success) throw badParams(parsed.error);
      const handler = handlers[method] as (params: unknown, context: CallContext) => unknown;
      const context = { signal: abort.signal };
      if (member.kind === "call") {
        const result = await handler(parsed.data, context);
        reply({ id, result: result ?? null });
        return;
      }
      for await (const value of handler(parsed.data, context) as AsyncIterable<unknown>) {
        if (abort.signal.aborted) break;
        channel.send(JSON.stringify({ jsonrpc: "2.0", method: "$/item", params: { id, value } }));
        await channel.drained();
        if (abort.signal.aborted) break;
      }
      if (abort.signal.aborted) reply({ id, error: { code: ErrorCode.cancelled, message: "Cancelled." } });
      else reply({ id, result: null });
    } catch (error) {
      if (error instanceof Refusal) {
        const data = { kind: error.kind, ...error.data };
        reply({ id, error: { code: ErrorCode.refusal, message: error.message, data } });
      } else if (abort.signal.aborted) {
        reply({ id, error: { code: ErrorCode.cancelled, message: "Cancelled." } });
      } else {
        onBug(method, error);
        const message = error instanceof Error ? error.message : String(error);
        reply({ id, error: { code: ErrorCode.fault, message } });
      }
    } finally {
      open.delete(id);
    }
  }

  function reply(body: object): void {
    channel.send(JSON.stringify({ jsonrpc: "2.0", ...body }));
  }

  return {
    receive(text) {
      const message = parseMessage(text);
      if (!message)
        return reply({ id: null, error: { code: ErrorCode.parse, message: "Not a JSON-RPC 2.0 message." } });
      if (!("method" in message)) return;
      if ("id" in message) {
        if (open.has(message.id))
          return reply({
            id: message.id,
            error: { code: ErrorCode.invalidRequest, message: "This id is in use." },
          });
        void answer(message.id, message.method, message.params);
        return;
      }
      if (message.method === "$/cancel") open.get(Number((message.params as { id?: unknown })?.id))?.abort();
    },
    close() {
      for (const abort of open.values()) abort.abort();
    },
  };
}

function parseMessage(text: string): z.output<typeof Message> | null {
  if (text.length > RPC_MESSAGE_MAX_BYTES) return null;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const parsed = Message.safeParse(value);
  return parsed.success ? parsed.data : null;
}

function unknownMethod(method: string): Refusal {
  return new Refusal("unknown-method", { method }, `This daemon has no method named ${method}.`);
}

function badParams(error: z.ZodError): Refusal {
  const issues = error.issues.map((issue) => ({ path: issue.path.join("."), message: issue.message }));
  const sentence = issues.map((issue) =>
    issue.path === "" ? issue.message : `${issue.path}: ${issue.message}`,
  );
  return new Refusal("bad-params", { issues }, sentence.join("; "));
}

/** The calling half of one connection. */
export function connect<C extends Contract>(contract: C, channel: Channel): Client<C> & Incoming {
  interface Pending {
    item(value: unknown): void;
    end(outcome: { result: unknown } | { error: Error }): void;
  }
  const pending = new Map<number, Pending>();
  let nextId = 1;
  let closed = false;

  function start(method: string, params: unknown, handlers: Pending): number {
    const id = nextId++;
    pending.set(id, handlers);
    channel.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    return id;
  }

  function cancel(id: number): void {
    if (pending.delete(id) && !closed)
      channel.send(JSON.stringify({ jsonrpc: "2.0", method: "$/cancel", params: { id } }));
  }

  return {
    call(method, params, options) {
      return new Promise((resolve, reject) => {
        if (closed) return reject(new LinkLost("The connection is closed."));
        if (options?.signal?.aborted) return reject(options.signal.reason);
        const onAbort = (): void => {
          cancel(id);
          reject(options?.signal?.reason);
        };
        const id = start(method, params, {
          item() {},
          end(outcome) {
            options?.signal?.removeEventListener("abort", onAbort);
            if ("error" in outcome) return reject(outcome.error);
            const parsed = (contract[method] as Call).result.safeParse(outcome.result);
            if (parsed.success) resolve(parsed.data as never);
            else
              reject(
                new RpcFault(`The answer to ${method} does not fit the contract: ${parsed.error.message}`),
              );
          },
        });
        options?.signal?.addEventListener("abort", onAbort, { once: true });
      });
    },

    async *subscribe(method, params, options) {
      if (closed) throw new LinkLost("The connection is closed.");
      options?.signal?.throwIfAborted();
      const items: unknown[] = [];
      let ended: { result: unknown } | { error: Error } | null = null;
      let wake = (): void => {};
      const id = start(method, params, {
        item(value) {
          items.push(value);
          wake();
        },
        end(outcome) {
          ended = outcome;
          wake();
        },
      });
      const onAbort = (): void => wake();
      options?.signal?.addEventListener("abort", onAbort);
      const schema = (contract[method] as Stream).item;
      try {
        for (;;) {
          options?.signal?.throwIfAborted();
          if (items.length > 0) {
            const parsed = schema.safeParse(items.shift());
            if (!parsed.success)
              throw new RpcFault(`An item of ${method} does not fit the contract: ${parsed.error.message}`);
            yield parsed.data as never;
            continue;
          }
          const outcome = ended as { result: unknown } | { error: Error } | null;
          if (outcome) {
            if ("error" in outcome) throw outcome.error;
            return;
          }
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      } finally {
        options?.signal?.removeEventListener("abort", onAbort);
        cancel(id);
      }
    },

    receive(text) {
      const message = parseMessage(text);
      if (!message) return;
      if ("method" in message) {
        if (message.method !== "$/item") return;
        const { id, value } = message.params as { id: number; value: unknown };
        pending.get(id)?.item(value);
        return;
      }
      if (message.id === null) return;
      const waiter = pending.get(message.id);
      if (!waiter) return;
      pending.delete(message.id);
      if ("error" in message) waiter.end({ error: toError(message.error) });
      else waiter.end({ result: message.result });
    },

    close() {
      closed = true;
      const waiters = [...pending.values()];
      pending.clear();
      for (const waiter of waiters) waiter.end({ error: new LinkLost() });
    },
  };
}

function toError(error: { code: number; message: string; data?: unknown }): Error {
  if (error.code !== ErrorCode.refusal) return new RpcFault(error.message);
  const { kind, ...data } = error.data as { kind: RefusalKind };
  return new Refusal(kind, data as never, error.message);
}

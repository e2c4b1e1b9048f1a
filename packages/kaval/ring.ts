// A terminal's output with byte offsets: the newest bytes, addressed by their place in everything the program ever wrote.

/** Where a ring starts to grow from: most terminals say little, and a hundred of them must cost little. */
const FIRST_BYTES = 4 * 1024;

export class Ring {
  /** Byte `offset` lies at `offset % length`. The length is a power of two times FIRST_BYTES. */
  #bytes = new Uint8Array(FIRST_BYTES);
  #limitBytes: number;
  #start = 0;
  #end = 0;
  #pins = new Set<{ offset: number }>();

  /** Holds the newest `limitBytes` bytes; memory is taken as they come. */
  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  /** Offset of the oldest byte held. */
  get start(): number {
    return this.#start;
  }

  /** Offset that the next byte will have: how many bytes there were in all. */
  get end(): number {
    return this.#end;
  }

  /** Memory taken now. */
  get capacityBytes(): number {
    return this.#bytes.length;
  }

  append(bytes: Uint8Array): void {
    const end = this.#end + bytes.length;
    const start = this.#oldestToKeep(end);
    this.#makeRoom(end - start, start);
    this.#start = start;
    const from = Math.max(this.#end, start);
    this.#put(from, bytes.subarray(from - this.#end));
    this.#end = end;
  }

  /**
   * The bytes [from, to) as one or two views, in order. They are valid until the next append or limit. Both offsets must
   * be held.
   */
  views(from: number, to: number): Uint8Array[] {
    if (from < this.#start || to > this.#end || from > to)
      throw new RangeError(
        `Bytes ${from}..${to} are not in the ring, which holds ${this.#start}..${this.#end}.`,
      );
    if (from === to) return [];
    const size = this.#bytes.length;
    const first = from % size;
    const wrapped = first + (to - from) - size;
    if (wrapped <= 0) return [this.#bytes.subarray(first, first + (to - from))];
    return [this.#bytes.subarray(first), this.#bytes.subarray(0, wrapped)];
  }

  /** Changes how much is kept; a smaller limit lets the oldest bytes and their memory go. */
  setLimit(limitBytes: number): void {
    this.#limitBytes = limitBytes;
    this.#start = this.#oldestToKeep(this.#end);
    const wanted = sizeFor(this.#end - this.#start);
    if (wanted < this.#bytes.length) this.#moveTo(wanted);
  }

  /** Keeps `offset` and everything after it, beyond the limit if need be, until the answer is called. */
  pin(offset: number): () => void {
    const pin = { offset };
    this.#pins.add(pin);
    return () => {
      this.#pins.delete(pin);
      if (this.#end - this.#start > this.#limitBytes) this.setLimit(this.#limitBytes);
    };
  }

  /** Bytes that pins keep beyond what the limit would. */
  get pinnedBytes(): number {
    let oldest = this.#end;
    for (const pin of this.#pins) oldest = Math.min(oldest, pin.offset);
    return this.#end - oldest;
  }

  #oldestToKeep(end: number): number {
    let start = Math.max(this.#start, end - this.#limitBytes);
    for (const pin of this.#pins) start = Math.min(start, Math.max(pin.offset, this.#start));
    return start;
  }

  #makeRoom(heldBytes: number, start: number): void {
    if (heldBytes <= this.#bytes.length) return;
    this.#start = Math.min(start, this.#end);
    this.#moveTo(sizeFor(heldBytes));
  }

  #moveTo(size: number): void {
    const held = this.views(this.#start, this.#end);
    this.#bytes = new Uint8Array(size);
    let at = this.#start;
    for (const view of held) {
      this.#put(at, view);
      at += view.length;
    }
  }

  #put(offset: number, bytes: Uint8Array): void {
    const at = offset % this.#bytes.length;
    const room = this.#bytes.length - at;
    this.#bytes.set(bytes.subarray(0, room), at);
    if (bytes.length > room) this.#bytes.set(bytes.subarray(room), 0);
  }
}

function sizeFor(bytes: number): number {
  let size = FIRST_BYTES;
  while (size < bytes) size *= 2;
  return size;
}

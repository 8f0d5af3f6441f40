/** Memory that nobody shares and the collector never moves, as it does with small buffers, leaving a copy behind. */
export const ownBuffer = (bytes: number): Buffer => Buffer.from(new ArrayBuffer(bytes));

/** Larger than any screenshot; what is longer is no message of a browser that means well. */
const maxMessageBytes = 256 * 1024 * 1024;

/** Takes messages, each of which ends with a zero byte, from a stream that may be cut anywhere, and wipes all it kept. */
export class MessageReader {
  #pieces: Buffer[] = [];
  #length = 0;

  /**
   * Gives `take` each message that is whole now, without its end, and wipes it afterwards. False for a message that
   * is too long: nothing more is to be read from this stream.
   */
  read(chunk: Buffer, take: (message: Buffer) => void): boolean {
    let begin = 0;
    for (let end = chunk.indexOf(0); end !== -1; end = chunk.indexOf(0, begin)) {
      this.#keep(chunk.subarray(begin, end));
      begin = end + 1;
      const message = this.#whole();
      try {
        take(message);
      } finally {
        message.fill(0);
      }
    }
    this.#keep(chunk.subarray(begin));
    chunk.fill(0);
    return this.#length <= maxMessageBytes;
  }

  /** Wipes what is left of a message that will never be whole. */
  end(): void {
    for (const piece of this.#pieces) piece.fill(0);
    this.#pieces = [];
    this.#length = 0;
  }

  #keep(part: Buffer): void {
    if (part.length === 0) return;
    const piece = ownBuffer(part.length);
    piece.set(part);
    this.#pieces.push(piece);
    this.#length += part.length;
  }

  #whole(): Buffer {
    const [only] = this.#pieces;
    if (only !== undefined && this.#pieces.length === 1) {
      this.#pieces = [];
      this.#length = 0;
      return only;
    }
    const whole = ownBuffer(this.#length);
    let at = 0;
    for (const piece of this.#pieces) at += piece.copy(whole, at);
    this.end();
    return whole;
  }
}

export type Command = {
  readonly id: number;
  readonly method: string;
  readonly params: object;
  readonly sessionId?: string | undefined;
};

/** A parameter whose value is a JSON string that is handed over as bytes, escaped already. It is wiped once it is written. */
export type Slot = { readonly name: string; readonly value: Buffer };

/** A command as it is written, its end included. */
export function encodeCommand(command: Command, slot?: Slot): Buffer {
  const { id, method, sessionId, params } = command;
  const head = JSON.stringify(sessionId === undefined ? { id, method } : { id, method, sessionId });
  const begin = `${head.slice(0, -1)},"params":${JSON.stringify(params)}`;
  if (slot === undefined) return Buffer.from(`${begin}}\0`);
  const comma = begin.endsWith('{}') ? '' : ',';
  const before = Buffer.from(`${begin.slice(0, -1)}${comma}${JSON.stringify(slot.name)}:"`);
  const message = ownBuffer(before.length + slot.value.length + 4);
  message.set(before);
  message.set(slot.value, before.length);
  message.write('"}}\0', before.length + slot.value.length, 'latin1');
  return message;
}

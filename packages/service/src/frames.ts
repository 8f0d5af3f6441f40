import { isUtf8 } from 'node:buffer';
import type { OnReadOpts, Socket } from 'node:net';
import { maxFrameBytes } from '@countersign/protocol/enclave/commands';
import { exceeded } from './json-shape.ts';

/** One message on the enclave's socket: a JSON header, and bytes that never become a string. */
export type Frame = {
  readonly header: unknown;
  /** Belongs to whoever reads the frame, who wipes it when it held a secret. */
  readonly body: Buffer;
};

const lengthBytes = 4;
const noBody = Buffer.alloc(0);

/** Memory that nobody shares and the collector never moves, as it does with small buffers, leaving a copy behind. */
const ownBuffer = (bytes: number): Buffer => Buffer.from(new ArrayBuffer(bytes));

/** `u32 length ‖ u32 header length ‖ header (JSON) ‖ body`, big endian; null when it is larger than a frame may be. */
export function encodeFrame(header: unknown, body: Uint8Array = noBody): Buffer | null {
  const text = JSON.stringify(header);
  const headerBytes = Buffer.byteLength(text);
  const length = lengthBytes + headerBytes + body.length;
  if (lengthBytes + length > maxFrameBytes) return null;
  const frame = ownBuffer(lengthBytes + length);
  frame.writeUInt32BE(length, 0);
  frame.writeUInt32BE(headerBytes, lengthBytes);
  frame.write(text, 2 * lengthBytes);
  frame.set(body, 2 * lengthBytes + headerBytes);
  return frame;
}

/** Takes frames from a stream of bytes that may be cut anywhere, and wipes the pieces that it kept meanwhile. */
export class FrameReader {
  #pieces: Buffer[] = [];
  #length = 0;

  /** The frames that are whole now; null for what is no frame, and then nothing more is to be read from this stream. */
  read(chunk: Buffer): Frame[] | null {
    this.#pieces.push(chunk);
    this.#length += chunk.length;
    const frames: Frame[] = [];
    for (;;) {
      const length = this.#nextLength();
      if (length === null) return frames;
      if (length < lengthBytes || lengthBytes + length > maxFrameBytes) return null;
      if (this.#length < lengthBytes + length) return frames;
      const frame = decode(this.#take(lengthBytes + length));
      if (frame === null) return null;
      frames.push(frame);
    }
  }

  /** Wipes what is left of a frame that will never be whole. */
  end(): void {
    for (const piece of this.#pieces) piece.fill(0);
    this.#pieces = [];
    this.#length = 0;
  }

  #nextLength(): number | null {
    if (this.#length < lengthBytes) return null;
    if ((this.#pieces[0]?.length ?? 0) < lengthBytes) this.#join();
    return this.#pieces[0]?.readUInt32BE(0) ?? null;
  }

  #take(bytes: number): Buffer {
    if ((this.#pieces[0]?.length ?? 0) < bytes) this.#join();
    const first = this.#pieces[0] ?? noBody;
    const rest = first.subarray(bytes);
    if (rest.length > 0) this.#pieces[0] = rest;
    else this.#pieces.shift();
    this.#length -= bytes;
    return first.subarray(0, bytes);
  }

  #join(): void {
    const whole = ownBuffer(this.#length);
    let at = 0;
    for (const piece of this.#pieces) {
      at += piece.copy(whole, at);
      piece.fill(0);
    }
    this.#pieces = [whole];
  }
}

const readBytes = 65_536;

/**
 * What a socket is to read into, as its option `onread`: a buffer that is wiped after each read. Where Node allots
 * memory for each read, it leaves copies behind. `take` is given what `FrameReader.read` gives.
 */
export function intoFrames(reader: FrameReader, take: (frames: Frame[] | null) => void): OnReadOpts {
  return {
    buffer: Buffer.allocUnsafeSlow(readBytes),
    callback: (length, buffer) => {
      const read = buffer.subarray(0, length);
      const piece = ownBuffer(length);
      piece.set(read);
      read.fill(0);
      take(reader.read(piece));
      return true;
    },
  };
}

/**
 * Batches all writes of one turn of the event loop (many calls, or the records of one flush) into one system
 * call.
 */
export function corkForThisTurn(socket: Socket): void {
  if (socket.writableCorked > 0) return;
  socket.cork();
  process.nextTick(() => socket.uncork());
}

/** Limits on a header: those of an HTTP request, plus what a command wraps around it. */
const headerLimits = { depth: 128, members: Number.POSITIVE_INFINITY };

function decode(frame: Buffer): Frame | null {
  const begin = 2 * lengthBytes;
  const end = begin + frame.readUInt32BE(lengthBytes);
  if (end > frame.length) return null;
  const text = frame.subarray(begin, end);
  if (!isUtf8(text) || exceeded(text, headerLimits) !== null) return null;
  try {
    const header: unknown = JSON.parse(text.toString());
    return { header, body: frame.subarray(end) };
  } catch {
    return null;
  }
}

import { Duplex } from 'node:stream';
import type { Socket } from 'node:net';

/** A secret, and the decoy that stands for it in a request's head until the bytes leave. */
export type Substitution = { readonly decoy: string; readonly secret: Buffer };

/**
 * A connection that carries secrets where their decoys were written, each once: Node writes the head of a request as text, and
 * no text can be wiped. The bytes that it sends are wiped as soon as they are sent.
 */
export class Substituting extends Duplex {
  readonly #socket: Socket;
  #left: readonly Substitution[];

  constructor(socket: Socket, substitutions: readonly Substitution[]) {
    super();
    [this.#socket, this.#left] = [socket, substitutions];
    socket.on('data', (piece: Buffer) => {
      if (!this.push(piece)) socket.pause();
    });
    socket.once('end', () => this.push(null));
    socket.once('error', (error) => this.destroy(error));
    socket.once('close', () => this.destroy());
  }

  override _read(): void {
    this.#socket.resume();
  }

  override _write(
    chunk: Buffer | string,
    encoding: BufferEncoding,
    done: (error?: Error | null) => void,
  ): void {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk;
    const found = this.#left
      .map((one) => ({ ...one, at: bytes.indexOf(one.decoy) }))
      .filter(({ at }) => at >= 0)
      .toSorted((one, other) => one.at - other.at);
    if (found.length === 0) return void this.#socket.write(bytes, done);
    const real = filled(bytes, found);
    for (const { secret } of found) secret.fill(0);
    this.#left = this.#left.filter(({ decoy }) => found.every((one) => one.decoy !== decoy));
    this.#socket.write(real, (error) => {
      real.fill(0);
      done(error);
    });
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#socket.end(done);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    for (const { secret } of this.#left) secret.fill(0);
    this.#left = [];
    this.#socket.destroy();
    done(error);
  }
}

/** The bytes with each secret in the place of its decoy, in memory that nobody shares. `found` stands in order. */
function filled(bytes: Buffer, found: readonly (Substitution & { readonly at: number })[]): Buffer {
  const more = found.reduce((sum, { decoy, secret }) => sum + secret.length - decoy.length, 0);
  const real = Buffer.from(new ArrayBuffer(bytes.length + more));
  let [read, written] = [0, 0];
  for (const { at, decoy, secret } of found) {
    written += bytes.copy(real, written, read, at);
    written += secret.copy(real, written);
    read = at + decoy.length;
  }
  bytes.copy(real, written, read);
  return real;
}

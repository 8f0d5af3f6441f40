import { Duplex } from 'node:stream';
import type { Socket } from 'node:net';

/** What stands in a request's head until its bytes leave. */
export type Substitution = { readonly decoy: string; readonly secret: Buffer };

/**
 * A connection that carries the secret where its decoy was written, once: Node writes the head of a request as text, and
 * no text can be wiped. The bytes that it sends are wiped as soon as they are sent.
 */
export class Substituting extends Duplex {
  readonly #socket: Socket;
  readonly #decoy: Buffer;
  #secret: Buffer | null;

  constructor(socket: Socket, { decoy, secret }: Substitution) {
    super();
    [this.#socket, this.#decoy, this.#secret] = [socket, Buffer.from(decoy), secret];
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
    const at = this.#secret === null ? -1 : bytes.indexOf(this.#decoy);
    if (this.#secret === null || at < 0) return void this.#socket.write(bytes, done);
    const size = bytes.length - this.#decoy.length + this.#secret.length;
    const real = Buffer.from(new ArrayBuffer(size));
    bytes.copy(real, 0, 0, at);
    this.#secret.copy(real, at);
    bytes.copy(real, at + this.#secret.length, at + this.#decoy.length);
    this.#wipe();
    this.#socket.write(real, (error) => {
      real.fill(0);
      done(error);
    });
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#socket.end(done);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#wipe();
    this.#socket.destroy();
    done(error);
  }

  #wipe(): void {
    this.#secret?.fill(0);
    this.#secret = null;
  }
}

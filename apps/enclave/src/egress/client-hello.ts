/**
 * The protocol of a connection, from its first bytes: TLS with its server name (null: none was sent),
 * something else, or too few bytes to tell.
 */
export type Opening =
  | { readonly kind: 'tls'; readonly serverName: string | null }
  | { readonly kind: 'other' }
  | { readonly kind: 'more' };

const [handshake, clientHello, serverNameExtension, hostName] = [22, 1, 0, 0];
const recordHeader = 5;
/** Largest ClientHello that is waited for, in bytes. */
const maxBytes = 65_536;

/** Reads a TLS ClientHello (RFC 8446, 4.1.2), however it is cut into records, as far as the name in it (RFC 6066, 3). */
export function readOpening(bytes: Buffer): Opening {
  if (bytes.length === 0) return { kind: 'more' };
  if (bytes[0] !== handshake || bytes.length > maxBytes) return { kind: 'other' };
  const message = joinRecords(bytes);
  if (message === null) return { kind: 'other' };
  if (message.length < 4 || message.length < 4 + message.readUIntBE(1, 3)) return { kind: 'more' };
  if (message[0] !== clientHello) return { kind: 'other' };
  try {
    return {
      kind: 'tls',
      serverName: serverNameOf(new Reader(message.subarray(4, 4 + message.readUIntBE(1, 3)))),
    };
  } catch {
    return { kind: 'other' };
  }
}

/** The handshake bytes of the records that are there, whole or in part; null when one is of another kind. */
function joinRecords(bytes: Buffer): Buffer | null {
  const pieces: Buffer[] = [];
  for (let at = 0; at + recordHeader <= bytes.length; ) {
    if (bytes[at] !== handshake || bytes[at + 1] !== 3) return null;
    const end = at + recordHeader + bytes.readUInt16BE(at + 3);
    pieces.push(bytes.subarray(at + recordHeader, end));
    at = end;
  }
  return Buffer.concat(pieces);
}

/** Throws where the message is cut off or names two hosts. */
function serverNameOf(hello: Reader): string | null {
  hello.take(2 + 32);
  hello.vector(1);
  hello.vector(2);
  hello.vector(1);
  if (hello.isAtEnd) return null;
  const extensions = hello.vector(2);
  let name: string | null = null;
  while (!extensions.isAtEnd) {
    const type = extensions.number(2);
    const content = extensions.vector(2);
    if (type !== serverNameExtension) continue;
    if (name !== null) throw new RangeError('two names');
    const names = content.vector(2);
    if (names.number(1) !== hostName) throw new RangeError('no host');
    name = names.vector(2).rest().toString('latin1').toLowerCase();
    if (!names.isAtEnd) throw new RangeError('two names');
  }
  return name;
}

class Reader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  take(length: number): Buffer {
    const taken = this.#bytes.subarray(this.#at, this.#at + length);
    if (taken.length < length) throw new RangeError('cut off');
    this.#at += length;
    return taken;
  }

  number(bytes: number): number {
    return this.take(bytes).readUIntBE(0, bytes);
  }

  /** Reads a vector that is preceded by its length, of this many bytes. */
  vector(lengthBytes: number): Reader {
    return new Reader(this.take(this.number(lengthBytes)));
  }

  rest(): Buffer {
    return this.take(this.#bytes.length - this.#at);
  }
}

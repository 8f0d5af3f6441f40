import { createReadStream } from 'node:fs';

/**
 * Whether a file is one JSON object, or something that ends no sooner, and nothing after it. Reads no further than that takes: an
 * export of any length is told by its first line. False where the object does not end.
 */
export async function isOneObject(file: string): Promise<boolean> {
  const scan = new Scan();
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>)
    for (const byte of chunk) if (!scan.byte(byte)) return false;
  return scan.isWhole;
}

const [quote, backslash] = [0x22, 0x5c];
/** JSON's white space. */
const blanks: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);
/** The change of depth at each brace or bracket. They are ASCII, so never bytes of another character. */
const levels: ReadonlyMap<number, number> = new Map([
  [0x7b, 1],
  [0x5b, 1],
  [0x7d, -1],
  [0x5d, -1],
]);

class Scan {
  isWhole = false;
  #depth = 0;
  #inText = false;
  #escaped = false;

  /** False where the file is no object, or more follows on it. */
  byte(byte: number): boolean {
    if (this.#inText) this.#text(byte);
    else if (blanks.has(byte)) return true;
    else if (this.isWhole || (this.#depth === 0 && byte !== 0x7b)) return false;
    else if (byte === quote) this.#inText = true;
    else {
      this.#depth += levels.get(byte) ?? 0;
      this.isWhole = this.#depth === 0;
    }
    return true;
  }

  #text(byte: number): void {
    if (this.#escaped) this.#escaped = false;
    else if (byte === backslash) this.#escaped = true;
    else if (byte === quote) this.#inText = false;
  }
}

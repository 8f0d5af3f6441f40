import { constants, readSync } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { flushDirectory } from './flush.ts';
import type { Place } from './frame.ts';

/** One file of the log. Its name is the leaf index of its first record. */
type Segment = { readonly firstLeaf: number; readonly handle: FileHandle; size: number };

/** From this size on, a new file is begun: small enough to be read whole. */
const segmentBytes = 64 * 2 ** 20;

/** A write with O_DSYNC is on disk when it returns, which saves a separate fsync. */
const durably = constants.O_RDWR | constants.O_DSYNC;

const nameOf = (firstLeaf: number): string => `${String(firstLeaf).padStart(16, '0')}.log`;

/** The files of a log, to which is only added. One writer; readers within its process. */
export class Segments {
  readonly #dir: string;
  readonly #segments: Segment[];
  /** The last file may hold the beginning of a frame that could not be written. */
  #isTorn = false;

  private constructor(dir: string, segments: Segment[]) {
    this.#dir = dir;
    this.#segments = segments;
  }

  static async open(dir: string): Promise<Segments> {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    const names = (await readdir(dir)).filter((name) => /^\d{16}\.log$/.test(name)).sort();
    const segments: Segment[] = [];
    for (const name of names) {
      const handle = await open(join(dir, name), durably);
      segments.push({ firstLeaf: Number.parseInt(name, 10), handle, size: (await handle.stat()).size });
    }
    return new Segments(dir, segments);
  }

  get isEmpty(): boolean {
    return this.#segments.length === 0;
  }

  /** The files from the first to the last, each whole. */
  async *read(): AsyncGenerator<{ readonly firstLeaf: number; readonly bytes: Buffer }> {
    for (const { firstLeaf } of this.#segments)
      yield { firstLeaf, bytes: await readFile(join(this.#dir, nameOf(firstLeaf))) };
  }

  /** Cuts the last file to so many bytes, durably. */
  async cutLast(size: number): Promise<void> {
    const last = this.#segments.at(-1);
    if (last === undefined) return;
    last.size = size;
    await cut(last);
  }

  /**
   * Adds a frame whose first record is at `leaf`. Resolves with where in its file it begins, once it is on disk; when
   * it rejects, the log is what it was, or becomes so before anything else is added.
   */
  async append(bytes: Buffer, leaf: number): Promise<number> {
    const last = await this.#writable(leaf);
    try {
      await writeAll(last.handle, bytes, last.size);
    } catch (error) {
      this.#isTorn = true;
      // Room may be missing for this too: then the next append tries again before it writes.
      await this.#mend(last).catch(() => {});
      throw error;
    }
    const begin = last.size;
    last.size += bytes.length;
    return begin;
  }

  /** The text at a place of the file that holds this leaf. */
  text(leaf: number, { offset, length }: Place): string {
    const bytes = Buffer.alloc(length);
    const segment = this.#holding(leaf);
    if (segment !== undefined) readSync(segment.handle.fd, bytes, 0, length, offset);
    return bytes.toString();
  }

  async close(): Promise<void> {
    for (const { handle } of this.#segments) await handle.close();
  }

  async #writable(leaf: number): Promise<Segment> {
    const last = this.#segments.at(-1);
    if (last !== undefined && this.#isTorn) await this.#mend(last);
    if (last !== undefined && last.size < segmentBytes) return last;
    const handle = await open(
      join(this.#dir, nameOf(leaf)),
      durably | constants.O_CREAT | constants.O_TRUNC,
      0o600,
    );
    await flushDirectory(this.#dir);
    const segment = { firstLeaf: leaf, handle, size: 0 };
    this.#segments.push(segment);
    return segment;
  }

  async #mend(last: Segment): Promise<void> {
    await cut(last);
    this.#isTorn = false;
  }

  #holding(leaf: number): Segment | undefined {
    let [low, high] = [0, this.#segments.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#segments[middle]?.firstLeaf ?? 0) <= leaf) low = middle;
      else high = middle - 1;
    }
    return this.#segments[low];
  }
}

async function cut({ handle, size }: Segment): Promise<void> {
  await handle.truncate(size);
  await handle.datasync();
}

async function writeAll(handle: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}

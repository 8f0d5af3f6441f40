import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Gives a stream as a file, for what reads it more than once. Only we can read the file, and it goes with `use`. */
export async function spooled<T>(input: Readable, use: (file: string) => Promise<T>): Promise<T> {
  const dir = await mkdtemp(join(tmpdir(), 'countersign-'));
  try {
    const file = join(dir, 'input');
    await pipeline(input, createWriteStream(file, { mode: 0o600 }));
    return await use(file);
  } finally {
    await rm(dir, { recursive: true });
  }
}

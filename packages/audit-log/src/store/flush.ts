import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Makes it durable that a file of the directory was made or renamed. */
export async function flushDirectory(dir: string): Promise<void> {
  const handle = await open(dir, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Puts a file in place, whole and durable: after a crash it is the old one or the new. */
export async function replaceFile(file: string, text: string): Promise<void> {
  const aside = `${file}.new`;
  const handle = await open(aside, 'w', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(aside, file);
  await flushDirectory(dirname(file));
}

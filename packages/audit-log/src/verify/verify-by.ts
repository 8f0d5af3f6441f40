import { isUtf8 } from 'node:buffer';
import { open, readFile, stat } from 'node:fs/promises';
import { verifyBundle } from './bundle.ts';
import { verifyExport } from './export.ts';
import type { Hear } from './hear.ts';
import { linesOf } from './lines.ts';
import { isOneObject } from './one-object.ts';
import { verifyProofFile } from './proof-file.ts';
import { fails, type Report } from './report.ts';
import type { ReviewsCheck } from './reviews.ts';
import { keysOfLog, type TrustedKey } from './trusted-key.ts';

/** Starts evaluating verdicts again; called once for each pass over the file. */
type StartReviews = () => Pick<ReviewsCheck, 'record' | 'made'>;

/**
 * Verifies a file of the audit log: an export, a proof or a bundle. INVARIANT: a verifier key counts only for the log that
 * it names; otherwise a key of one log could vouch for another. The log's name is known only after a first pass, so that a
 * second one with the matching keys may follow.
 */
export async function verifyBy(
  file: string,
  keys: readonly TrustedKey[],
  startReviews: StartReviews | null = null,
): Promise<Report> {
  const verify = async (by: readonly TrustedKey[]): Promise<Report> => {
    const reviews = startReviews?.();
    const hear: Hear = (record, line) => reviews?.record(record, line);
    const trusted = by.map(({ publicKey }) => publicKey);
    const report = await verifyFile(file, trusted, hear);
    return reviews === undefined ? report : { ...report, reviews: reviews.made() };
  };
  const report = await verify(keys);
  // A truncated export, or a file of another kind, does not name its log; it never verifies.
  if (report.head === null) return report;
  const { origin } = report.head;
  const own = keysOfLog(keys, origin);
  if (own.length === keys.length) return report;
  if (own.length > 0) return verify(own);
  const what = `this belongs to the log ${origin}, but the key you gave belongs to ${keys.map(({ log }) => log).join(', ')}`;
  return { ...report, steps: [...report.steps, fails(what)] };
}

/** Chooses the verifier: a proof begins with its title, a bundle is one JSON object with a format, anything else is an export. */
async function verifyFile(
  file: string,
  keys: Parameters<typeof verifyExport>[1],
  hear: Hear,
): Promise<Report> {
  const { size } = await stat(file);
  const first = await beginningOf(file);
  if (first.startsWith('c2sp.org/tlog-proof@')) return verifyProofFile(await textOf(file), keys, hear);
  if (await isOneObject(file)) {
    const text = await textOf(file);
    if (isBundle(text)) return verifyBundle(text, keys, hear);
  } else if (bundleBegins.test(first)) return verifyBundle('', keys);
  const progress = progressOf(size * 2);
  const report = await verifyExport(() => linesOf(file, progress.read), keys, hear);
  progress.end();
  return report;
}

/** Returns the text of a file; empty, which never verifies, if it is not UTF-8. */
async function textOf(file: string): Promise<string> {
  const bytes = await readFile(file);
  return isUtf8(bytes) ? bytes.toString() : '';
}

/**
 * The start of a bundle. One that is truncated, or has trailing data, is invalid as a bundle and as an export
 * alike.
 */
const bundleBegins = /^\s*\{\s*"(?:anchor|attestation|checkpoint|format|records|signature)"\s*:/;

/** Returns whether the text is a bundle. Text that is not JSON is invalid as either. */
function isBundle(text: string): boolean {
  try {
    return Object.hasOwn(JSON.parse(text) as object, 'format');
  } catch {
    return true;
  }
}

async function beginningOf(file: string): Promise<string> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(64), 0, 64, 0);
    return buffer.toString('latin1', 0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** Prints once a second, starting after the first, how much of the file is done. */
function progressOf(total: number): { readonly read: (bytes: number) => void; readonly end: () => void } {
  let [done, told, lines] = [0, performance.now(), 0];
  return {
    read: (bytes) => {
      done += bytes;
      if (performance.now() - told < 1000) return;
      told = performance.now();
      lines += 1;
      process.stderr.write(`${lineStart()}${Math.floor((done / total) * 100)} % checked${lineEnd()}`);
    },
    end: () => {
      if (lines > 0 && process.stderr.isTTY) process.stderr.write('\r\x1b[K');
    },
  };
}

const lineStart = (): string => (process.stderr.isTTY ? '\r' : '');
const lineEnd = (): string => (process.stderr.isTTY ? '' : '\n');

import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { inTransaction, type Pool } from '@countersign/service/sql';
import { findListOf, type ListSource, replaceList, type SanctionsList } from './sanctions-store.ts';
import { readSdnList } from './sdn-list.ts';

export type SanctionsImport = {
  /** A path, or an https URL (http on this machine). */
  readonly from: string;
  /** A demonstration list counts as published today, and is never told to be OFAC's. */
  readonly kind: 'official' | 'demonstration';
};

/** The number of bytes read; `total` is null if the sender does not state it. */
export type ImportProgress = { readonly read: number; readonly total: number | null };

const dayMs = 24 * 60 * 60_000;

/**
 * Puts an official or a demonstration list in place, whole or not at all. Throws, with one sentence to show, when
 * the file is not a complete list, has no date or no addresses, or is older than the list in place.
 */
export async function importSanctions(
  pool: Pool,
  { from, kind }: SanctionsImport,
  now: Date,
  tell: (progress: ImportProgress) => void = () => {},
): Promise<SanctionsList> {
  const { publishedAt, addresses } = await readSdnList(counted(await openSource(from), tell));
  if (addresses.size === 0) throw new Error('the list contains no EVM addresses');
  const source: ListSource = kind === 'official' ? 'ofac-sdn' : 'demonstration';
  const listDate = kind === 'official' ? publishedAt : startOfDay(now);
  if (listDate === null) throw new Error('the list has no publication date');
  // A date far ahead would keep an old list fresh for ever.
  if (listDate.getTime() > now.getTime() + dayMs) throw new Error('the list is dated in the future');
  await inTransaction(pool, async (db) => {
    const earlier = await findListOf(db, source);
    if (earlier !== null && earlier.listDate > listDate) {
      throw new Error(`the list is older than the current one (${dayOf(earlier.listDate)})`);
    }
    await replaceList(db, { source, listDate }, addresses, now);
  });
  return { source, listDate, addressCount: addresses.size };
}

/** `2026-11-21` */
export const dayOf = (date: Date): string => date.toISOString().slice(0, 10);

const startOfDay = (date: Date): Date => new Date(`${dayOf(date)}T00:00:00.000Z`);

const downloadDeadlineMs = 5 * 60_000;

type Source = { readonly chunks: AsyncIterable<Uint8Array>; readonly total: number | null };

async function openSource(from: string): Promise<Source> {
  if (!/^https?:\/\//.test(from)) {
    // Asked first: a stream that nobody reads yet would throw its error at nobody.
    const { size } = await stat(from);
    return { chunks: createReadStream(from), total: size };
  }
  const url = new URL(from);
  if (!isTrustworthy(url)) throw new Error('a list is fetched over https only');
  const response = await fetch(url, { signal: AbortSignal.timeout(downloadDeadlineMs) });
  if (!isTrustworthy(new URL(response.url)))
    throw new Error('the server redirects to an address without https');
  if (!response.ok || response.body === null) throw new Error(`the server answered ${response.status}`);
  const length = response.headers.get('content-encoding') === null && response.headers.get('content-length');
  return { chunks: response.body, total: length ? Number(length) : null };
}

async function* counted(
  { chunks, total }: Source,
  tell: (progress: ImportProgress) => void,
): AsyncIterable<Uint8Array> {
  let read = 0;
  for await (const chunk of chunks) {
    read += chunk.length;
    tell({ read, total });
    yield chunk;
  }
}

const isTrustworthy = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || ['127.0.0.1', 'localhost', '[::1]'].includes(hostname);

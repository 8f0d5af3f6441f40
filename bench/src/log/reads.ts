import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from '@countersign/service/sql';
import type { Lab } from '../lab.ts';
import { quantile } from '../load.ts';
import { usageOfTree } from '../process-cost.ts';
import { type BenchDashboard, sessionOf } from './dashboard.ts';
import { chartNaively, listNaively } from './naive.ts';
import { addressOf, rankWith } from './wallets.ts';

/** Milliseconds of one query of one account, asked one after another. */
export type ReadMeasured = {
  readonly query: string;
  /** How many records the account has. */
  readonly records: number;
  /** How many match; null where the answer is no list. */
  readonly matching: number | null;
  readonly p50: number;
  readonly p95: number;
  /** The same question to the naive table, its SQL alone; null where nothing was asked. */
  readonly naive: number | null;
};

export type Download = {
  readonly records: number;
  readonly seconds: number;
  readonly megabytes: number;
  /** How much memory of the dashboard grew while it sent. */
  readonly grownMB: number;
};

export type ReadResult = {
  readonly reads: readonly ReadMeasured[];
  readonly download: Download;
  /** The least that any answer costs: `GET /health`. */
  readonly floor: number;
};

export type ReadOptions = { readonly records: number; readonly until: Date; readonly withNaive: boolean };

const asks = 40;
/** A connection plans a statement anew until its sixth time. */
const warmUpAsks = 12;
const naiveAsks = 3;
const dayMs = 24 * 60 * 60_000;

type Question = {
  readonly name: string;
  /** What follows `?scope=myAll`. */
  readonly query: string;
  readonly naiveWhere: string | null;
};

/** The lists of the busiest account; the first ones are asked for the others too. */
function questions(until: Date): readonly Question[] {
  const from = new Date(until.getTime() - 37 * dayMs).toISOString();
  const to = new Date(until.getTime() - 30 * dayMs).toISOString();
  const days = `created_at >= '${from}' and created_at < '${to}'`;
  return [
    { name: 'newest page and total', query: '', naiveWhere: '' },
    { name: 'of one result', query: '&serviceResult=reject', naiveWhere: ` and service_result = 'reject'` },
    { name: 'of one chain', query: '&chain=base', naiveWhere: ` and chain = 'base'` },
    { name: 'of seven days', query: `&startDate=${from}&endDate=${to}`, naiveWhere: ` and ${days}` },
    {
      name: 'of seven days and one chain',
      query: `&startDate=${from}&endDate=${to}&chain=base`,
      naiveWhere: ` and ${days} and chain = 'base'`,
    },
    {
      name: 'nothing matches',
      query: '&serviceResult=error&chain=nowhere',
      naiveWhere: ` and service_result = 'error' and chain = 'nowhere'`,
    },
    { name: 'by hash', query: '&txHash=0x1', naiveWhere: ` and tx_hash = '0x1'` },
  ];
}

/** A page far down, where the account has so much. */
const deepPage = (size: number): number => Math.max(1, Math.min(2000, Math.floor(size / 40)));
const questionsForAll = 3;

/** What accounts of three sizes wait for when they look at the log, through the real API. */
export async function measureReads(
  lab: Lab,
  pool: Pool,
  dashboard: BenchDashboard,
  options: ReadOptions,
): Promise<ReadResult> {
  const { records, until } = options;
  const reads: ReadMeasured[] = [];
  const ranks = new Set([rankWith(2000, records), rankWith(100_000, records), 0]);
  const busiest = await sessionOf(dashboard, pool, 0);
  for (const rank of ranks) {
    const token = rank === 0 ? busiest : await sessionOf(dashboard, pool, rank);
    const asked = questions(until).slice(0, rank === 0 ? undefined : questionsForAll);
    lab.say(`asking as wallet ${rank}: ${asked.length} lists`);
    const size = totalOf(await dashboard.send('GET', listPath(''), undefined, token));
    for (const question of asked) {
      const ask = () => dashboard.send('GET', listPath(question.query), undefined, token);
      const naive =
        options.withNaive && question.naiveWhere !== null
          ? await naiveTime(() => listNaively(pool, addressOf(rank), question.naiveWhere ?? ''))
          : null;
      reads.push({
        query: question.name,
        records: size,
        matching: totalOf(await ask()),
        ...(await times(ask)),
        naive,
      });
    }
    if (rank === 0) reads.push(...(await moreOfTheBusiest(pool, dashboard, { ...options, token, size })));
  }
  lab.say('downloading everything of the busiest account');
  const download = await measureDownload(dashboard, busiest);
  const floor = (await times(() => dashboard.send('GET', '/health'))).p50;
  return { reads, download, floor };
}

async function moreOfTheBusiest(
  pool: Pool,
  dashboard: BenchDashboard,
  { until, withNaive, token, size }: ReadOptions & { token: string; size: number },
): Promise<readonly ReadMeasured[]> {
  const get = (path: string) => () => dashboard.send('GET', path, undefined, token);
  const deep = deepPage(size);
  const { data } = JSON.parse(await get(listPath(`&page=${deep}`))());
  const cursor = data.nextCursor as string;
  const chart = () => chartNaively(pool, addressOf(0), new Date(until.getTime() - 30 * dayMs));
  const asked = [
    [`page ${deep}`, listPath(`&page=${deep}`), null],
    ['the page after it, by cursor', listPath(`&cursor=${cursor}`), null],
    ['one record', `/api/transactions/${data.data[0]?.id}`, null],
    ['overview with chart of 30 days', '/api/overview', withNaive ? chart : null],
  ] as const;
  const reads: ReadMeasured[] = [];
  for (const [query, path, naively] of asked) {
    const naive = naively === null ? null : await naiveTime(naively);
    reads.push({ query, records: size, matching: null, ...(await times(get(path))), naive });
  }
  return reads;
}

const listPath = (query: string): string => `/api/transactions?scope=myAll${query}`;
const totalOf = (body: string): number => JSON.parse(body).data.total as number;

async function times(ask: () => Promise<unknown>): Promise<{ readonly p50: number; readonly p95: number }> {
  for (let i = 0; i < warmUpAsks; i++) await ask();
  const taken: number[] = [];
  for (let i = 0; i < asks; i++) taken.push(await timeOf(ask));
  taken.sort((a, b) => a - b);
  return { p50: quantile(taken, 0.5), p95: quantile(taken, 0.95) };
}

async function timeOf(ask: () => Promise<unknown>): Promise<number> {
  const before = performance.now();
  await ask();
  return performance.now() - before;
}

/** The best of a few, each with its pages in memory: what it takes at least. Infinite when it takes too long to be told. */
async function naiveTime(ask: () => Promise<void>): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < naiveAsks; i++) {
    try {
      best = Math.min(best, await timeOf(ask));
    } catch {
      return best;
    }
  }
  return best;
}

async function measureDownload(dashboard: BenchDashboard, token: string): Promise<Download> {
  const before = usageOfTree(dashboard.pid).rssBytes;
  let most = before;
  const watching = new AbortController();
  const watch = async (): Promise<void> => {
    while (!watching.signal.aborted) {
      most = Math.max(most, usageOfTree(dashboard.pid).rssBytes);
      await sleep(100);
    }
  };
  const watched = watch();
  const started = performance.now();
  const [bytes, lines] = await readAll(`${dashboard.origin}${listPath('&format=csv')}`, token);
  const seconds = (performance.now() - started) / 1000;
  watching.abort();
  await watched;
  return { records: lines - 1, seconds, megabytes: bytes / 1e6, grownMB: (most - before) / 1e6 };
}

/** Bytes and lines of an answer, none of which is kept. */
async function readAll(url: string, token: string): Promise<readonly [number, number]> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  if (!response.ok || response.body === null) throw new Error(`HTTP ${response.status} for ${url}`);
  let [bytes, lines] = [0, 0];
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    for (const byte of chunk) if (byte === 10) lines += 1;
  }
  return [bytes, lines];
}

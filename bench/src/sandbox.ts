import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ConnectionCard } from '@countersign/local/connection-card';
import type { Page } from 'playwright-core';
import { type BenchSession, type SandboxClient, sandboxClient } from './sandbox-client.ts';
import { startPage } from './sandbox-page.ts';
import { launchPeer } from './sandbox-peer.ts';

type Options = { readonly rounds: number; readonly starts: number; readonly sessions: number };

/** All in milliseconds. */
export type SandboxData = {
  readonly starts: { readonly cold: readonly number[]; readonly warm: readonly number[] };
  readonly operations: readonly {
    readonly name: string;
    readonly ours: readonly number[];
    /** Of plain playwright-core; empty where it has nothing like it. */
    readonly peer: readonly number[];
  }[];
  readonly reviews: readonly number[];
  /**
   * `extract` of a title in a page of 5,000 nodes that changes all the time, in one that does not, and in one of three:
   * what is between is the masked copy.
   */
  readonly copies: Readonly<Record<'changing' | 'large' | 'small', readonly number[]>>;
  readonly together: {
    readonly sessions: number;
    readonly operations: number;
    readonly failed: number;
    readonly p50: number;
    readonly p99: number;
    /** MiB, proportional set size of all browsers and of what keeps them. */
    readonly memory: number;
  };
};

export async function measureSandbox(card: ConnectionCard, options: Options): Promise<SandboxData> {
  const [site, client] = await Promise.all([startPage(), sandboxClient(card)]);
  try {
    const reviews: number[] = [];
    console.log('… first operations');
    const starts = await measureStarts(client, site.url, options.starts);
    console.log('… operations, beside plain playwright-core');
    const operations = await measureOperations(client, site.url, options.rounds, reviews);
    console.log('… masked copies of 5,000 nodes');
    const copies = await measureCopies(client, site.url, options.rounds);
    console.log(`… ${options.sessions} sessions at a time`);
    const together = await measureTogether(client, site.url, options.sessions);
    return { starts, operations, reviews, copies, together };
  } finally {
    site.stop();
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

/** The enclave keeps one browser warm, and makes the next within this time. */
const warmAfterMs = 5_000;

/** From asking for a session to its first page: at once after another was opened, and when a browser is ready again. */
async function measureStarts(client: SandboxClient, url: string, count: number) {
  const [cold, warm]: [number[], number[]] = [[], []];
  const first = async () => {
    const session = await client.open(url);
    await session.execute('navigate', { value: url });
    return session;
  };
  for (let i = 0; i < count; i += 1) {
    await sleep(warmAfterMs);
    const opened: BenchSession[] = [];
    warm.push(await timed(async () => opened.push(await first())));
    cold.push(await timed(async () => opened.push(await first())));
    await Promise.all(opened.map((session) => session.close()));
  }
  return { cold, warm };
}

/** Each operation looks at the page anew, and copies it where it is not as it was. */
async function measureCopies(client: SandboxClient, url: string, rounds: number) {
  const of = async (address: string): Promise<number[]> => {
    const session = await client.open(url, [await client.keep(url)]);
    await session.execute('navigate', { value: address });
    const times: number[] = [];
    for (let round = -2; round < rounds; round += 1) {
      const took = await timed(() => session.execute('extract', { selector: 'title' }));
      if (round >= 0) times.push(took);
    }
    await session.close();
    return times;
  };
  return {
    changing: await of(`${url}/changing`),
    large: await of(`${url}/large`),
    small: await of(`${url}/small`),
  };
}

async function measureOperations(client: SandboxClient, url: string, rounds: number, reviews: number[]) {
  const session = await client.open(url, [await client.keep(url)]);
  const browser = await launchPeer();
  try {
    const page = await browser.newPage();
    const rows = rowsOf(session, page, url, reviews);
    for (let round = -2; round < rounds; round += 1)
      for (const row of rows) {
        const ours = await timed(row.us);
        const peer = row.them === null ? null : await timed(row.them);
        if (round < 0) continue;
        row.ours.push(ours);
        if (peer !== null) row.peer.push(peer);
      }
    return rows.map(({ name, ours, peer }) => ({ name, ours, peer }));
  } finally {
    await browser.close();
    await session.close();
  }
}

type Row = {
  readonly name: string;
  readonly us: () => Promise<unknown>;
  readonly them: (() => Promise<unknown>) | null;
  readonly ours: number[];
  readonly peer: number[];
};

function rowsOf(session: BenchSession, page: Page, url: string, reviews: number[]): Row[] {
  const execute = async (type: string, about: { selector?: string; value?: string }) => {
    const { status, review } = await session.execute(type, about);
    if (status !== 'executed') throw new Error(`${type} was ${status}`);
    reviews.push(review.duration_ms);
  };
  const row = (name: string, us: Row['us'], them: Row['them']): Row => ({
    name,
    us,
    them,
    ours: [],
    peer: [],
  });
  return [
    row(
      'goto',
      () => execute('navigate', { value: url }),
      () => page.goto(url),
    ),
    row(
      'fill',
      () => execute('fill', { selector: '#name', value: 'Ada' }),
      () => page.fill('#name', 'Ada'),
    ),
    row(
      'click',
      () => execute('click', { selector: '#button' }),
      () => page.click('#button'),
    ),
    row(
      'screenshot',
      () => session.screenshot(),
      () => page.screenshot(),
    ),
    row(
      'fill a secret',
      () => execute('fill', { selector: '#password', value: '{{CREDENTIAL.password}}' }),
      null,
    ),
    row(
      'painted screenshot',
      () => session.screenshot(),
      () => page.screenshot(),
    ),
  ];
}

async function measureTogether(client: SandboxClient, url: string, sessions: number) {
  const times: number[] = [];
  let failed = 0;
  const live = async (session: BenchSession) => {
    for (let i = 0; i < 8; i += 1)
      for (const [type, about] of [
        ['navigate', { value: url }],
        ['fill', { selector: '#name', value: 'Ada' }],
        ['click', { selector: '#button' }],
        ['extract', { selector: '#button' }],
      ] as const)
        times.push(
          await timed(async () => {
            const { status } = await session.execute(type, about);
            if (status !== 'executed') failed += 1;
          }),
        );
  };
  const opened: BenchSession[] = [];
  for (let i = 0; i < sessions; i += 1) opened.push(await client.open(url));
  await Promise.all(opened.map(live));
  const memory = browsersMemory();
  await Promise.all(opened.map((session) => session.close()));
  const sorted = times.toSorted((a, b) => a - b);
  const at = (part: number) => sorted[Math.floor(part * (sorted.length - 1))] ?? 0;
  return { sessions, operations: times.length, failed, p50: at(0.5), p99: at(0.99), memory };
}

/** MiB of everything below this process whose command names a browser or a jail. */
function browsersMemory(): number {
  const lines = execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' }).split('\n');
  const pids = lines.flatMap((line) => /^\s*(\d+)\s+.*(?:chrom|enclave)/.exec(line)?.[1] ?? []);
  const kibibytes = pids.reduce((sum, pid) => sum + pssOf(pid), 0);
  return Math.round(kibibytes / 1024);
}

function pssOf(pid: string): number {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

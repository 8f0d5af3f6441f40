import { z } from 'zod';
import type { SettledIn } from '../ports/chain.ts';
import { type Ask, hexNumber } from './json-rpc.ts';
import { type FoundLogs, hex, logsAnswer, searchedBlocks } from './logs.ts';

/** `none`: all was looked at, and nothing is there. `unknown`: not all was. */
export type Shown = SettledIn | 'none' | 'unknown';

/** How many blocks a node gave the logs of at once, kept from one search to the next. */
export type Reach = { blocks: bigint };
export const newReach = (): Reach => ({ blocks: searchedBlocks });

export type Looking = {
  /** Unix ms: nothing that is looked for is older. */
  readonly since: number;
  readonly reach: Reach;
  /** Asks for the newest logs once, and no further: somebody waits. */
  readonly isBrief: boolean;
};

type Search = {
  readonly address: string;
  readonly topics: readonly string[];
  /** What of the logs of some blocks is looked for; null: nothing. */
  readonly pick: (logs: FoundLogs) => Promise<SettledIn | 'unknown' | null>;
};

/** Blocks of a chain and our clock may differ by this much. */
const skewSeconds = 60;
/** The newest blocks, looked at whatever their time. */
const fewest = 128n;

/** A search costs no more than so many calls, and so many milliseconds; then what is left is `undefined`. */
export type Budget = {
  readonly calls: number;
  readonly ms: number;
  readonly signal?: AbortSignal | undefined;
};

export function within(ask: Ask, { calls, ms, signal }: Budget): Ask {
  const late = AbortSignal.timeout(ms);
  const over = signal === undefined ? late : AbortSignal.any([late, signal]);
  const isOver = new Promise<undefined>((resolve) => {
    over.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  let left = calls;
  return async (...question) => {
    left -= 1;
    return left < 0 || over.aborted ? undefined : Promise.race([ask(...question), isOver]);
  };
}

/**
 * Looks at the logs since a moment, the newest first. Anybody can write logs like these, and nodes differ in what they give at once:
 * without an answer half as many blocks are asked for, down to one, and after each answer twice as many.
 */
export async function searchBack(ask: Ask, looking: Looking, search: Search): Promise<Shown> {
  const head = await ask(hexNumber, 'eth_blockNumber', []);
  const first = head === undefined ? undefined : await firstSince(ask, head, looking.since);
  if (head === undefined || first === undefined) return 'unknown';
  return walk(ask, looking, search, { first, head });
}

async function walk(
  ask: Ask,
  { reach, isBrief }: Looking,
  { address, topics, pick }: Search,
  { first, head }: { readonly first: bigint; readonly head: bigint },
): Promise<Shown> {
  for (let to = head, blocks = reach.blocks; to >= first; ) {
    const from = to - first < blocks ? first : to - blocks + 1n;
    // The newest up to now: more may have come since.
    const filter = { address, topics, fromBlock: hex(from), ...(to !== head && { toBlock: hex(to) }) };
    const logs = await ask(logsAnswer, 'eth_getLogs', [filter]);
    const found = logs === undefined ? null : await pick(logs);
    if (found !== null) return found;
    if (isBrief || (logs === undefined && from === to)) return 'unknown';
    const asked = to - from + 1n;
    if (logs === undefined) blocks = asked / 2n;
    else {
      // What was asked for may have been less than what the node gives.
      if (asked === blocks) reach.blocks = blocks;
      blocks = least(blocks * 2n, searchedBlocks);
      to = from - 1n;
    }
  }
  return 'none';
}

const least = (one: bigint, other: bigint): bigint => (one < other ? one : other);

const blockAnswer = z.object({ timestamp: hexNumber });

/** A block before that moment, by steps that double; undefined without an answer. */
async function firstSince(ask: Ask, head: bigint, since: number): Promise<bigint | undefined> {
  const second = BigInt(Math.floor(since / 1000) - skewSeconds);
  for (let back = fewest; back < head; back *= 2n) {
    const block = await ask(blockAnswer, 'eth_getBlockByNumber', [hex(head - back), false]);
    if (block === undefined) return undefined;
    if (block.timestamp < second) return head - back;
  }
  return 0n;
}

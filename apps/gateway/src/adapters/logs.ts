import { sameAddress } from '@countersign/protocol/address';
import { keccak256 } from '@countersign/service/ethereum/keccak';
import { z } from 'zod';
import type { SettledIn } from '../ports/chain.ts';
import { type Ask, hexNumber } from './json-rpc.ts';

const log = z.object({ address: z.string(), topics: z.array(z.string()), data: z.string() });
type Log = z.infer<typeof log>;

export const receiptAnswer = z.nullable(z.object({ status: z.string(), logs: z.array(log) }));

export const logsAnswer = z.array(z.object({ transactionHash: z.string(), data: z.string().default('0x') }));
export type FoundLogs = z.infer<typeof logsAnswer>;

export const topicOf = (event: string): string => `0x${Buffer.from(keccak256(event)).toString('hex')}`;
export const selectorOf = (signature: string): string => topicOf(signature).slice(0, 10);
/** 32 bytes of what is shorter. */
export const word = (hexText: string): string => `0x${hexText.slice(2).toLowerCase().padStart(64, '0')}`;
export const numberWord = (value: bigint): string => word(hex(value));

/** ERC-20: `Transfer(address indexed from, address indexed to, uint256 value)`. */
export const transferTopics = (from: string, to: string): readonly string[] => [
  topicOf('Transfer(address,address,uint256)'),
  word(from),
  word(to),
];

export const isOf = ({ address, topics: its }: Log, contract: string, topics: readonly string[]): boolean =>
  sameAddress(address, contract) && topics.every((topic, i) => its[i]?.toLowerCase() === topic);

/** Providers answer so many blocks at once. */
export const searchedBlocks = 9_000n;
/** How far back a settlement is looked for after a long outage: three weeks on a chain of two seconds. */
const maxSearch = 100;

const before = (block: bigint): bigint => (block > searchedBlocks ? block - searchedBlocks : 0n);
export const hex = (block: bigint): string => `0x${block.toString(16)}`;

type Search = {
  readonly address: string;
  readonly topics: readonly string[];
  /** What of the logs of some blocks is looked for; null: nothing. */
  readonly pick: (logs: FoundLogs) => Promise<SettledIn | 'unknown' | null>;
  /** Whether there is something to be found at all: an outage may have been longer than one answer reaches. */
  readonly isThere: () => Promise<boolean | undefined>;
};

/** Looks in the newest blocks and, for what is known to be somewhere, further back. */
export async function findInLogs(ask: Ask, search: Search): Promise<SettledIn | 'unused' | 'unknown'> {
  const head = await ask(hexNumber, 'eth_blockNumber', []);
  if (head === undefined) return 'unknown';
  const recent = await between(ask, search, before(head), null);
  if (recent !== null) return recent;
  const isThere = await search.isThere();
  if (isThere !== true) return isThere === false ? 'unused' : 'unknown';
  for (let to = before(head), n = 0; to > 0n && n < maxSearch; to = before(to), n++) {
    const found = await between(ask, search, before(to), to);
    if (found !== null) return found;
  }
  return 'unknown';
}

/** Null for `to` means up to now. */
async function between(
  ask: Ask,
  { address, topics, pick }: Search,
  from: bigint,
  to: bigint | null,
): Promise<SettledIn | 'unknown' | null> {
  const filter = { address, topics, fromBlock: hex(from), ...(to !== null && { toBlock: hex(to) }) };
  const logs = await ask(logsAnswer, 'eth_getLogs', [filter]);
  return logs === undefined ? 'unknown' : pick(logs);
}

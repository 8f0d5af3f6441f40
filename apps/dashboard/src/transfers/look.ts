import type { Service } from '@countersign/service/lifecycle';
import type { Logger } from '@countersign/service/logger';
import { repeat } from '@countersign/service/repeat';
import type { Pool } from '@countersign/service/sql';
import type { Tell } from '../events/notice.ts';
import { settlePayment } from '../transactions/settle.ts';
import { lookAgain, stopLooking, takeDue, type Turn, type Waiting } from './queue.ts';
import { isIn, type Receipt, type Token, transferOf } from './transfer.ts';

/** A node of the chain. Null: there is no such transaction. `unknown`: no answer that can be trusted. Never throws. */
export type TransferNode = {
  /** The newest block that no reorganisation takes back. */
  readonly finalBlock: () => Promise<bigint | 'unknown'>;
  readonly receipt: (hash: string) => Promise<Receipt | null | 'unknown'>;
};

type Parts = {
  readonly pool: Pool;
  readonly node: TransferNode;
  readonly token: Token;
  readonly now: () => Date;
  readonly tell: Tell;
  readonly log: Logger;
};

const everyMs = 1_000;
/** So many in a turn, so many of them at once: a node is never asked for more, however many reports come. */
const inTurn = 20;
const atOnce = 4;

/** Looks for the transfers that reports claim, soon after each report and again until the chain cannot take it back. */
export function startLooking(parts: Parts): Service {
  let turn: Turn = { after: '' };
  return repeat(parts.log, 'look for transfers', everyMs, async () => {
    const { taken, turn: next } = await takeDue(parts.pool, { now: parts.now(), max: inTurn, ...turn });
    turn = next;
    if (taken.length === 0) return;
    const final = await parts.node.finalBlock();
    for (let i = 0; i < taken.length; i += atOnce)
      await Promise.all(taken.slice(i, i + atOnce).map((each) => look(parts, each, final)));
  });
}

async function look(parts: Parts, waiting: Waiting, final: bigint | 'unknown'): Promise<void> {
  const { pool, node, token, now } = parts;
  const transfer = transferOf(waiting, token);
  if (transfer === null) return stopLooking(pool, waiting.id);
  const receipt = final === 'unknown' ? 'unknown' : await node.receipt(transfer.hash);
  if (final === 'unknown' || receipt === 'unknown') {
    const isOver = now().getTime() - waiting.createdAt.getTime() > maxMs;
    return isOver
      ? stopLooking(pool, waiting.id)
      : lookAgain(pool, waiting.id, after(now(), pauseAfter(waiting.looks)));
  }
  const seen = receipt !== null && isIn(receipt, transfer, token);
  // The first look also settles what a process that died had no time for.
  if (seen !== waiting.verified || waiting.looks === 0) await note(parts, waiting, seen);
  const due = nextLook({ waiting, seen, isFinal: receipt !== null && receipt.block <= final, now: now() });
  return due === null ? stopLooking(pool, waiting.id) : lookAgain(pool, waiting.id, due);
}

async function note({ pool, tell }: Parts, { id, ...payment }: Waiting, seen: boolean): Promise<void> {
  const changed = await settlePayment(pool, payment, { id, seen });
  if (seen === payment.verified && changed.length === 0) return;
  tell({ kind: 'transaction', id, to: [payment.payer, payment.payee].filter((party) => party !== null) });
}

const second = 1_000;
const minute = 60 * second;
/**
 * Time after which a transfer that could not be settled is given up, in milliseconds; for example because the
 * node is silent.
 */
const maxMs = 24 * 60 * minute;
const pauses = [5, 15, 30, 60, 2 * 60, 5 * 60, 10 * 60, 20 * 60, 30 * 60] as const;
/** A transfer that is not there after these looks, 70 minutes in all, is looked for no more. */
const looksForNothing = pauses.length;

type Looked = {
  readonly waiting: Waiting;
  readonly seen: boolean;
  readonly isFinal: boolean;
  readonly now: Date;
};

/** When to look again, more and more seldom; null when nothing can change any more, or nothing came for too long. */
function nextLook({ waiting: { looks, createdAt }, seen, isFinal, now }: Looked): Date | null {
  if (isFinal || now.getTime() - createdAt.getTime() > maxMs) return null;
  if (!seen && looks >= looksForNothing) return null;
  return after(now, pauseAfter(looks));
}

const pauseAfter = (looks: number): number => (pauses[looks] ?? 30 * 60) * second;

const after = (now: Date, ms: number): Date => new Date(now.getTime() + ms);

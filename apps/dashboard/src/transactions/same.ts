import { createHash } from 'node:crypto';
import { chainNames } from '@countersign/protocol/dashboard/chains';
import { hashesOn } from '@countersign/protocol/dashboard/spelling';
import type { TransactionReport } from '@countersign/protocol/dashboard/transaction';
import { type Reporter, reporterName } from '../callers.ts';

/** Only passing transactions consume budget; rejected or errored ones never deduct. */
export const consumes = (report: TransactionReport): boolean =>
  report.serviceResult === 'pass' && report.intentMandateId !== undefined;

/**
 * The same from one reporter is the same transaction: chain and hash or, without a hash, the trace. As bytea text: the
 * key, then what it would have been while each spelling of a chain or hash was one of its own. Empty where nothing
 * is the same.
 */
export function dedupeKeys({ chain, txHash, metadata }: TransactionReport): readonly string[] {
  const traceId = textIn(metadata, 'traceId');
  if (txHash === undefined) return traceId === null ? [] : [digest(['trace', traceId])];
  const hashes = new Set(hashesOn(chain, txHash).flatMap((hash) => [hash.toLowerCase(), hash]));
  const chains = new Set([...chainNames(chain), chain]);
  return [...chains].flatMap((name) => [...hashes].map((hash) => digest(['hash', name, hash])));
}

/**
 * What was paid by Permit2 is known by its nonce, whatever transaction is said to have moved it, or none: one transaction may move
 * several such payments, each owner uses a nonce once, and nobody else chooses it. As bytea text; null for every other report.
 */
export function permit2Key({ serviceResult, chain, payer, metadata }: TransactionReport): string | null {
  const nonce = textIn(metadata, 'nonce');
  const isByPermit2 = ['permit2', 'upto'].includes(textIn(metadata, 'method') ?? '');
  if (serviceResult !== 'pass' || nonce === null || !isByPermit2) return null;
  return digest(['permit2', chainNames(chain)[0] ?? chain, payer ?? '', nonce]);
}

/**
 * Under whose names the keys of a report are kept and looked for. A key of one agent writes under that agent's name, so that
 * whoever has it cannot report another agent's payment first, with its hash, and so keep it from being charged. What the
 * account itself reported is the same payment too, and the other way round as far as that agent is the payer.
 */
export function keepers(reporter: Reporter, { payer }: TransactionReport): Keepers {
  const name = reporterName(reporter);
  const nameOf = (wallet: string) => `${name} ${wallet}`;
  const agent = reporter?.agentWallet ?? null;
  return agent === null
    ? { kept_by: name, also_by: payer === undefined ? null : nameOf(payer) }
    : { kept_by: nameOf(agent), also_by: name };
}

type Keepers = { readonly kept_by: string; readonly also_by: string | null };

/** Metadata is free-form; what is no text, or an empty one, names nothing. */
export function textIn(metadata: TransactionReport['metadata'], name: string): string | null {
  const value = metadata?.[name];
  return typeof value === 'string' && value !== '' ? value : null;
}

const digest = (parts: readonly string[]): string =>
  `\\x${createHash('sha256').update(JSON.stringify(parts)).digest('hex')}`;

import { fail, ok, type Result } from '@countersign/protocol/result';
import type { Problem } from '../../api/problem.ts';
import { type Anchor, lastAnchor } from '../audit/anchor.ts';
import type { AuditRecord } from '../audit/record.ts';
import { callVault, readVaultLines } from '../call.ts';
import { freshReport } from '../report.ts';
import { signedInAs } from '../session.ts';
import type { Checked } from './check.ts';
import { accountOf, pinFound, pinnedOr, type Pin, type SeenHead } from './pin.ts';

/** Longer chains are not walked here: the whole log would have to be loaded. */
const maxWalk = 10_000;

export type Verdict = {
  /** What this browser verified and does not hold; empty if everything holds. */
  readonly problems: readonly string[];
  readonly pin: Pin;
  readonly head: (SeenHead & { readonly origin: string }) | null;
  /** The account that the record is of, as the log signed it. */
  readonly tenantId: string | null;
  /** Whether the pinned key itself signed the record, not another one in its line. */
  readonly byPinned: boolean;
  /** Whether the chain was walked here from its first record; otherwise what the vault says of it. */
  readonly chain: 'checked' | 'claimed' | 'denied';
  /** The vault's word: the chain itself was not asked. */
  readonly anchor: Anchor | null;
};

type Answer<T> = Promise<Result<T, Problem>>;

type Told = { readonly key: string; readonly isBound: boolean } | null;

/** Recomputes signature, chain and inclusion of a record in this browser, against the pinned key and its line. */
export async function verifyHere(record: AuditRecord, now: Date): Answer<Verdict> {
  const report = await freshReport();
  const told = report.ok ? { key: report.value.report.auditPublicKey, isBound: report.value.isBound } : null;
  const pin = pinnedOr(told, now);
  if (pin === null) return report.ok ? fail(unbound) : report;
  const proof = await callVault('GET /api/v1/audit/logs/:id/proof', { params: { id: record.auditId } });
  if (!proof.ok) return proof;
  const rotations = await callVault('GET /api/v1/audit/logs', { query: rotationsOnly });
  if (!rotations.ok) return rotations;
  const check = await import('./check.ts');
  const found = check.checkProof(proof.value, pin.key, rotations.value.items);
  if ('fails' in found) return ok(refuted(pin, [...keyProblem(told, [pin.key]), ...found.fails]));
  if (!check.isRecord(record, found.text))
    return ok(refuted(pin, [...keyProblem(told, found.keys), says.otherRecord]));
  return verifyFound({ record, pin, told, found });
}

const refuted = (pin: Pin, problems: readonly string[]): Verdict => ({
  problems,
  pin,
  head: null,
  tenantId: null,
  byPinned: false,
  chain: 'claimed',
  anchor: null,
});

type FoundHere = {
  readonly record: AuditRecord;
  readonly pin: Pin;
  readonly told: Told;
  readonly found: Checked;
};

/** Checks what a proof alone does not show. If everything holds, the pin is updated. */
async function verifyFound({ record, pin, told, found }: FoundHere): Answer<Verdict> {
  const { head, tenantId, byPinned, keys, text } = found;
  const user = signedInAs();
  const growth = await growthProblem(pin, head);
  if (!growth.ok) return growth;
  const walked = await walk(record, text);
  if (!walked.ok) return walked;
  const { chain, problems: broken } = walked.value;
  const others = [...keyProblem(told, keys), ...accountProblem(pin, user, tenantId)];
  const problems = [...others, ...growth.value, ...broken];
  if (problems.length === 0 && user !== null) {
    const key = told?.isBound === true ? told.key : pin.key;
    pinFound(pin, { key, head, account: { user, tenantId } });
  }
  return ok({ problems, pin, head, tenantId, byPinned, chain, anchor: await lastAnchor() });
}

const keyProblem = (told: Told, keys: readonly string[]): readonly string[] =>
  told === null || keys.includes(told.key) ? [] : [says.key];

/** The records of the log itself, by which a chain goes over to another key; no log has more of them. */
const rotationsOnly = { actor: 'countersign:audit-log', limit: 1000 };

/** The log's key signs the records of all accounts: they must be those that this user has seen before. */
function accountProblem(pin: Pin, user: string | null, tenantId: string): readonly string[] {
  const own = user === null ? null : accountOf(pin, user);
  return own === null || own === tenantId
    ? []
    : [`it belongs to account ${tenantId}; this browser has seen you as ${own}`];
}

const says = {
  key: 'the vault now reports a different key than the one pinned here',
  otherRecord: 'the record on this page is not the one the vault can prove',
  back: 'the log is shorter than this browser has seen it before',
  fork: 'the log is not the one this browser has seen before: its tree does not continue the earlier one',
};

const unbound: Problem = { kind: 'malformed', service: 'vault', requestId: null };

/** A log only grows: its tree begins with the one that this browser saw last. */
async function growthProblem({ seen }: Pin, head: SeenHead): Answer<readonly string[]> {
  if (seen === null) return ok([]);
  if (head.size < seen.size) return ok([says.back]);
  if (head.size === seen.size) return ok(head.root === seen.root ? [] : [says.fork]);
  const query = { from: seen.size, to: head.size };
  const proof = await callVault('GET /api/v1/audit/consistency', { query });
  if (!proof.ok) return proof;
  const { continues } = await import('./check.ts');
  return ok(continues(seen, head, proof.value.hashes) ? [] : [says.fork]);
}

/** From the first record of the tenant to this one; where that is too long, the vault's word. */
async function walk(
  { auditId, seq }: AuditRecord,
  text: string,
): Answer<{ readonly chain: Verdict['chain']; readonly problems: readonly string[] }> {
  if (seq > maxWalk) {
    const claimed = await callVault('POST /api/v1/audit/logs/:id/verify', { params: { id: auditId } });
    if (!claimed.ok) return claimed;
    return ok({ chain: claimed.value.chainHashValid ? 'claimed' : 'denied', problems: [] });
  }
  const { chainWalk } = await import('./check.ts');
  const walked = chainWalk(text);
  const read = await readVaultLines('GET /api/v1/audit/export', {}, (line) => walked.isEnough(line));
  if (!read.ok) return read;
  const found = walked.problem();
  return ok({ chain: 'checked', problems: found === null ? [] : [found] });
}

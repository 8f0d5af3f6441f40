import { maxBusinessFiles, type newBusiness } from '@countersign/protocol/dashboard/business';
import { payeeClaimDomain, payeeClaimTypes } from '@countersign/protocol/dashboard/payee-claim';
import { maxFileBytes, type newFile, type PayoutAddress } from '@countersign/protocol/dashboard/payees';
import type { Address } from '@countersign/protocol/address';
import { fail, ok, type Result } from '@countersign/protocol/result';
import { typedDataHasher } from '@countersign/service/ethereum/typed-data';
import { inTransaction, type Pool, type Queryable } from '@countersign/service/sql';
import type { z } from 'zod';
import type { Account } from '../accounts/account.ts';
import type { SignedAs, SignedBy } from '../auth/wallet-signature.ts';
import type { Sealer } from '../compliance/seal.ts';
import { lockPerson } from '../compliance/withdrawal-store.ts';
import { fileName, isOfType } from '../payees/file-kind.ts';
import { type Facts, sealFacts, sealPart } from './sealed.ts';
import {
  anyWaitingOf,
  insertBusinessFile,
  insertSubmission,
  lockWaitingOf,
  recentSubmissions,
} from './store.ts';

/** An operator has to look at each of them. */
const maxInADay = 3;
const dayMs = 24 * 60 * 60_000;
/** Clocks differ. */
const earlyMs = 5 * 60_000;

const hash = typedDataHasher('PayeeClaim', payeeClaimTypes.PayeeClaim);

type Submitted = z.output<typeof newBusiness>;

export type Unclaimed = { readonly address: Address; readonly why: 'unsigned' | 'elsewhere' };

type Judging = {
  readonly signedBy: SignedBy;
  /** CAIP-2 id of the dashboard's own chain. */
  readonly chain: string;
  readonly now: Date;
};

/**
 * The payout addresses, each of which is the account's wallet or has signed for it within the last day; or the first that has
 * not. Of a contract the word counts on the chain where it was asked alone: named for any network it is kept for that one.
 */
export async function claimedBy(
  submitted: Submitted,
  account: Account,
  judging: Judging,
): Promise<Result<readonly PayoutAddress[], Unclaimed>> {
  const claimed: PayoutAddress[] = [];
  for (const payout of submitted.addresses) {
    const { address, networks } = payout;
    const signed = await signedAs(payout, submitted.domain, account, judging);
    if (signed === null) return fail({ address, why: 'unsigned' });
    const here = [judging.chain];
    if (signed === 'key') claimed.push({ address, networks });
    else if (networks?.some((each) => each !== judging.chain)) return fail({ address, why: 'elsewhere' });
    else claimed.push({ address, networks: here });
  }
  return ok(claimed);
}

async function signedAs(
  { address, claim }: Submitted['addresses'][number],
  domain: string,
  { walletAddress: account, publicKey }: Account,
  { signedBy, now }: Judging,
): Promise<SignedAs> {
  if (address === account) return publicKey === null ? 'contract' : 'key';
  if (claim === null) return null;
  const age = now.getTime() - Date.parse(claim.issuedAt);
  if (!(age <= dayMs && age >= -earlyMs)) return null;
  const message = { account, address, domain, issuedAt: claim.issuedAt };
  return signedBy(address, hash(payeeClaimDomain, message), claim.signature);
}

type NotNow = { readonly kind: 'waits' } | { readonly kind: 'too-often'; readonly again: Date };
export type HandedIn = { readonly kind: 'kept' } | NotNow;

/** Why an account may hand in nothing now; null where it may. */
export async function whyNotNow(db: Queryable, accountId: string, now: Date): Promise<NotNow | null> {
  const since = new Date(now.getTime() - dayMs);
  const { times = 0, first = null } = (await recentSubmissions(db, accountId, since, maxInADay)) ?? {};
  if (times >= maxInADay && first !== null)
    return { kind: 'too-often', again: new Date(first.getTime() + dayMs) };
  return (await anyWaitingOf(db, accountId)) ? { kind: 'waits' } : null;
}

/** Keeps what a business hands in: one waits at most, and three in a day. */
export const handIn = (
  pool: Pool,
  sealer: Sealer,
  { id, accountId, facts }: { readonly id: string; readonly accountId: string; readonly facts: Facts },
  now: Date,
): Promise<HandedIn> =>
  inTransaction<HandedIn>(pool, async (db) => {
    await lockPerson(db, accountId);
    const refused = await whyNotNow(db, accountId, now);
    if (refused !== null) return refused;
    const sealed = sealFacts(sealer, id, facts);
    return { kind: (await insertSubmission(db, { id, accountId, sealed }, now)) ? 'kept' : 'waits' };
  });

export type Added = 'done' | 'none-waits' | 'full' | 'too-large' | 'other-type';

/** Seals a file and adds it to the account's submission that waits. */
export async function addFile(
  pool: Pool,
  sealer: Sealer,
  {
    id,
    accountId,
    name,
    mediaType,
    content,
  }: z.output<typeof newFile> & { readonly id: string; readonly accountId: string },
  now: Date,
): Promise<Added> {
  const plain = Buffer.from(content, 'base64');
  if (plain.length > maxFileBytes) return 'too-large';
  if (!isOfType(plain, mediaType)) return 'other-type';
  return inTransaction<Added>(pool, async (db) => {
    const waiting = await lockWaitingOf(db, accountId);
    if (waiting === null) return 'none-waits';
    if (waiting.files >= maxBusinessFiles) return 'full';
    const at = { id, submissionId: waiting.id };
    const sealed = {
      name: sealPart(sealer, at, 'name', fileName(name, mediaType)),
      content: sealPart(sealer, at, 'content', content),
    };
    await insertBusinessFile(db, { ...at, ...sealed, mediaType, size: plain.length }, now);
    return 'done';
  });
}

import { ReadableStream } from 'node:stream/web';
import type { Address } from '@countersign/protocol/address';
import { noAddress } from '@countersign/protocol/dashboard/recovery-statement';
import { fail, ok } from '@countersign/protocol/result';
import { inTransaction, type Queryable } from '@countersign/service/sql';
import type { Account } from '../accounts/account.ts';
import { findAccount, findAccountById } from '../accounts/store.ts';
import { findSignedAgent } from '../agents/store.ts';
import type { DashboardHandlers } from '../callers.ts';
import type { Sealer } from '../compliance/seal.ts';
import { isDenied } from '../compliance/sanctions-store.ts';
import type { Tell } from '../events/notice.ts';
import { newId, type RandomBytes } from '../ids.ts';
import { exportRecords } from '../personal/export.ts';
import { type Answer, refusal, type Refusal } from '../refusal.ts';
import { recoveryNotice } from './notice.ts';
import { type Delays, readRecovery } from './show.ts';
import { type JudgeParts, whyUnsigned } from './statements.ts';
import * as store from './store.ts';

export type RecoveryParts = JudgeParts & {
  readonly recovery: Delays;
  readonly sealer: Sealer | null;
  readonly random: RandomBytes;
  readonly tell: Tell;
};

type RecoveryHandlers = Pick<
  DashboardHandlers,
  'getRecovery' | 'nameRecovery' | 'recoverAccount' | 'objectToRecovery' | 'recoveredRecords'
>;

const denied: Refusal = {
  code: 'UNAUTHORIZED_OPERATION',
  msg: 'this wallet is on the operators’ deny list: it cannot set a recovery address, recover an account or object',
};
const closed: Refusal = {
  code: 'UNAUTHORIZED_OPERATION',
  msg: 'the account of this wallet was recovered and is closed: it can neither set a recovery address nor object',
};
const noSuch: Refusal = {
  code: 'BUSINESS_NOT_FOUND',
  msg: 'nothing with this id is in progress for this wallet: it may have taken effect or ended',
};
const nobodyNames: Refusal = {
  code: 'BUSINESS_NOT_FOUND',
  msg: 'no open account of that wallet has this one as its recovery address',
};

/** Whom of the accounts that it concerns to tell, by id. */
type Told = readonly string[];

/** A lost wallet: who may recover its account, recovering it, objecting. INVARIANT: all is decided under the account's lock. */
export function recoveryHandlers(parts: RecoveryParts): RecoveryHandlers {
  const { pool, now, tell, recovery: delays } = parts;

  async function show(account: Account) {
    return ok({ recovery: await readRecovery(pool, account, delays, now()) });
  }
  async function done(account: Account, told: Answer<Told>) {
    if (!told.ok) return told;
    for (const id of new Set(told.value)) tell(recoveryNotice(id));
    return show(account);
  }

  return {
    getRecovery: ({ caller: { account } }) => show(account),

    async nameRecovery({ body: { recoveryAddress, nonce, signature }, caller: { account } }) {
      const wallet = account.walletAddress;
      const message = { accountId: account.id, wallet, recoveryAddress: recoveryAddress ?? noAddress, nonce };
      const why = await whyUnsigned(parts, account, 'NameRecoveryAddress', { message, signature });
      if (why !== null) return refusal('UNAUTHORIZED_OPERATION', why);
      return done(account, await name(parts, account, recoveryAddress, signature));
    },

    async recoverAccount({ body: { walletAddress, nonce, signature }, caller: { account } }) {
      const message = {
        wallet: walletAddress,
        recoveryAddress: account.walletAddress,
        recoveringAccountId: account.id,
        nonce,
      };
      const why = await whyUnsigned(parts, account, 'RecoverAccount', { message, signature });
      if (why !== null) return refusal('UNAUTHORIZED_OPERATION', why);
      return done(account, await claim(parts, account, walletAddress, signature));
    },

    async objectToRecovery({ body: { id, nonce, signature }, caller: { account } }) {
      const message = { id, wallet: account.walletAddress, nonce };
      const why = await whyUnsigned(parts, account, 'ObjectToRecovery', { message, signature });
      if (why !== null) return refusal('UNAUTHORIZED_OPERATION', why);
      return done(account, await object(parts, account, id));
    },

    async recoveredRecords({ body: { accountId }, caller: { account } }) {
      const found = (await store.listRecovered(pool, account.id)).find(
        (each) => each.accountId === accountId,
      );
      const old = found === undefined ? null : await findAccountById(pool, found.accountId);
      if (old === null) return refusal('BUSINESS_NOT_FOUND', 'this account recovered none of that id');
      const subject = { accountId: old.id, wallet: old.walletAddress };
      const pieces = exportRecords({ db: pool, sealer: parts.sealer, subject }, { account: old, now: now() });
      const headers = {
        'content-type': 'application/json; charset=utf-8',
        'content-disposition': `attachment; filename="records-of-${old.walletAddress}.json"`,
      };
      return { ok: true, stream: ReadableStream.from(pieces), headers };
    },
  };
}

/** Why nobody can name this wallet, in words to show; null when they can. */
async function whyNoRecovery(db: Queryable, account: Account, address: Address, now: Date) {
  if (address === account.walletAddress) return 'recoveryAddress: a wallet that is lost recovers nothing';
  if (address === noAddress) return 'recoveryAddress: nobody has this address; null names nobody';
  if ((await findSignedAgent(db, address, now)) !== null)
    return 'recoveryAddress: this wallet is or was an agent’s, and agents never sign in';
  return (await findAccount(db, address))?.closedAt == null
    ? null
    : 'recoveryAddress: the account of this wallet was recovered and is closed';
}

/** Why an account may ask for nothing here; null: it may. */
const whyShut = async (db: Queryable, account: Account) =>
  (await isAnyClosed(db, account.id)) ? closed : (await isDenied(db, account.walletAddress)) ? denied : null;

const name = (
  { pool, now, random, recovery }: RecoveryParts,
  account: Account,
  address: Address | null,
  signature: string,
): Promise<Answer<Told>> =>
  inTransaction<Answer<Told>>(pool, async (db) => {
    await store.lockAccounts(db, [account.id]);
    const askedAt = now();
    const shut = await whyShut(db, account);
    if (shut !== null) return fail(shut);
    const why = address === null ? null : await whyNoRecovery(db, account, address, askedAt);
    if (why !== null) return refusal('INVALID_PARAM', why);
    if ((await store.findOpenClaim(db, account.id)) !== null)
      return refusal('REPEATED_SUBMIT', 'the account is being recovered: object to that first');
    const { counting, change } = await store.readNamings(db, account.id, askedAt);
    if (change !== null)
      return refusal('REPEATED_SUBMIT', 'another change is under way: object to that one first');
    if ((counting?.address ?? null) === address)
      return refusal('REPEATED_SUBMIT', 'recoveryAddress: it is named already');
    // Nobody is there to object to the first one; all later ones wait, also where nobody is named at the moment.
    const countsFrom = counting === null ? askedAt : new Date(askedAt.getTime() + recovery.changeMs);
    const asked = {
      id: newId(random, 'rca'),
      accountId: account.id,
      address,
      signature,
      askedAt,
      countsFrom,
    };
    await store.insertNaming(db, asked);
    return ok([account.id, ...(await idsOf(db, address, counting?.address ?? null))]);
  });

/** The accounts of these wallets, as far as they have any. */
async function idsOf(db: Queryable, ...wallets: readonly (Address | null)[]): Promise<readonly string[]> {
  const named = wallets.filter((wallet) => wallet !== null);
  const found = await Promise.all(named.map((wallet) => findAccount(db, wallet)));
  return found.flatMap((account) => (account === null ? [] : [account.id]));
}

const claim = (
  { pool, now, random, recovery }: RecoveryParts,
  claimant: Account,
  lost: Address,
  signature: string,
): Promise<Answer<Told>> =>
  inTransaction<Answer<Told>>(pool, async (db) => {
    const account = await findAccount(db, lost);
    if (account === null || account.id === claimant.id) return fail(nobodyNames);
    await store.lockAccounts(db, [account.id, claimant.id]);
    const askedAt = now();
    const { counting, change } = await store.readNamings(db, account.id, askedAt);
    const isClosed = await isAnyClosed(db, account.id, claimant.id);
    if (isClosed || counting?.address !== claimant.walletAddress) return fail(nobodyNames);
    if (await isDenied(db, claimant.walletAddress)) return fail(denied);
    if ((await store.findOpenClaim(db, account.id)) !== null)
      return refusal('REPEATED_SUBMIT', 'this recovery is under way already');
    const until = await objectedUntil(db, account, recovery.changeMs);
    if (until > askedAt)
      return refusal(
        'REPEATED_SUBMIT',
        `the wallet objected: claim again after ${until.toISOString()}, or have operators put a stolen wallet on the deny list`,
      );
    if (change !== null) await store.endChange(db, change.id, claimant.walletAddress, askedAt);
    const dueAt = new Date(askedAt.getTime() + recovery.claimMs);
    const ids = { accountId: account.id, claimantId: claimant.id };
    await store.insertClaim(db, { id: newId(random, 'rcl'), ...ids, signature, askedAt, dueAt });
    return ok([account.id, claimant.id]);
  });

async function isAnyClosed(db: Queryable, ...ids: readonly string[]): Promise<boolean> {
  const found = await Promise.all(ids.map((id) => findAccountById(db, id)));
  return found.some((account) => account === null || account.closedAt !== null);
}

/** Nobody is worn out by claims; but the objection of a wallet that operators deny holds nobody up. */
async function objectedUntil(db: Queryable, { id, walletAddress }: Account, ms: number): Promise<Date> {
  const last = await store.lastObjection(db, id);
  if (last === null || (await isDenied(db, walletAddress))) return new Date(0);
  return new Date(last.getTime() + ms);
}

/** Ends a change or a claim before it counts: for the wallet whose account it is, and for the other that it concerns. */
const object = ({ pool, now }: RecoveryParts, account: Account, id: string): Promise<Answer<Told>> =>
  inTransaction<Answer<Told>>(pool, async (db) => {
    const about = await concerned(db, id, now());
    if (about === null) return fail(noSuch);
    await store.lockAccounts(db, [about.accountId, account.id]);
    if (await isAnyClosed(db, account.id)) return fail(closed);
    const time = now();
    // What was found before the lock may have ended or begun to count meanwhile.
    const [change, claimed] = [await store.findChange(db, id, time), await store.findClaim(db, id)];
    if (change !== null) return objectToChange(db, account, change, time);
    if (claimed !== null && claimed.dueAt > time) return objectToClaim(db, account, claimed, time);
    return fail(noSuch);
  });

const concerned = async (db: Queryable, id: string, now: Date) =>
  (await store.findChange(db, id, now)) ?? (await store.findClaim(db, id));

async function objectToChange(
  db: Queryable,
  { id, walletAddress }: Account,
  change: store.Naming,
  now: Date,
): Promise<Answer<Told>> {
  const { counting } = await store.readNamings(db, change.accountId, now);
  const named = counting?.address ?? null;
  if (id !== change.accountId && walletAddress !== named) return fail(noSuch);
  if (await isDenied(db, walletAddress)) return fail(denied);
  await store.endChange(db, change.id, walletAddress, now);
  return ok([change.accountId, ...(await idsOf(db, named, change.address))]);
}

async function objectToClaim(
  db: Queryable,
  { id, walletAddress }: Account,
  claimed: store.OpenClaim,
  now: Date,
): Promise<Answer<Told>> {
  if (id !== claimed.accountId && id !== claimed.claimantId) return fail(noSuch);
  if (await isDenied(db, walletAddress)) return fail(denied);
  await store.endClaim(db, claimed.id, walletAddress, now);
  return ok([claimed.accountId, claimed.claimantId]);
}

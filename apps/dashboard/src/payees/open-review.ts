import type { Address } from '@countersign/protocol/address';
import { domain } from '@countersign/protocol/dashboard/payees';
import { spelledChain } from '@countersign/protocol/dashboard/chains';
import type { TransactionReport } from '@countersign/protocol/dashboard/transaction';
import { firstRow, type Pool, statement } from '@countersign/service/sql';
import type { Unavailable, Identity } from '../screening/ports.ts';
import type { Reported } from '../transactions/record.ts';
import { clean } from './clean.ts';
import { countRefusal, lookAtReview, openReview, type Room, type Told } from './review-store.ts';
import type { LookUpParty } from './look-up.ts';
import { recordOn } from './vouching.ts';

/** The reason with which a gateway refuses a payment to a payee without an approved identity. */
const refusedFor = 'PAYEE_KYC_NOT_APPROVED';

/** An operator has to look at each of them, and a service may name another payee each time that it is asked. */
const room: Room = { each: 20, service: 5 };

type Parts = {
  readonly pool: Pool;
  /** CAIP-2 id of the dashboard's own chain. */
  readonly chain: string;
  readonly lookUp: (wallet: Address) => Promise<Identity | Unavailable>;
  readonly lookUpParty: LookUpParty;
  readonly now: () => Date;
};

/** Opens a review for a payee that a reported payment was refused for, where nobody has decided about it. */
export type OpenReview = (reported: Reported) => Promise<void>;

export const reviewOpener = ({ pool, chain, lookUp, lookUpParty, now }: Parts): OpenReview => {
  /** Returns whether the wallet may pay, as a gateway would be told. */
  async function mayPay(wallet: Address): Promise<boolean> {
    const found = await lookUpParty(wallet);
    return found.kind === 'known' && found.status === 'approved';
  }

  async function isUnknown(payee: Address): Promise<boolean> {
    const { vouching } = await recordOn(pool, payee, chain, now());
    if (!undecided.has(vouching)) return false;
    const found = await lookUp(payee);
    return found.kind === 'known' && found.status === 'pending';
  }

  return async (reported) => {
    const refused = refusalOfUnknown(reported);
    if (refused === null) return;
    const { payee, told } = refused;
    const account = await firstRow(pool, payingAccount, [refused.payer, refused.accountId]);
    if (account === null) return;
    const about = { told, by: account.id, room };
    // What costs a vendor's answer comes last.
    const seen = await lookAtReview(pool, about);
    const opens = seen.state === null || seen.state === 'admitted';
    if (opens && !seen.room) return;
    // A payment is refused for its payer's sake first: a payer who may not pay was never refused for the payee's.
    if ((opens || !seen.reported) && !(await mayPay(account.wallet))) return;
    if (!opens) await countRefusal(pool, payee, account.id, now());
    else if (await isUnknown(payee)) await openReview(pool, about, now());
  };
};

/**
 * Returns the report's refusal of an unknown payee, if the payer's side sent it; null for every other report.
 */
function refusalOfUnknown({ report, reporter, by }: Reported) {
  const { payee, payer } = report;
  if (payee === undefined || payer === undefined) return null;
  if (by === 'payee' || !tellsOfUnknownPayee(report)) return null;
  return { payee, payer, accountId: reporter?.accountId ?? null, told: toldIn(report, payee) };
}

/** Whose payment it is: at an operator's key any account's, and an agent's is its owner's. */
const payingAccount = statement<{ readonly id: string; readonly wallet: Address }>(
  'payee-review.paying-account',
  `select w.account_id as id, w.owner as wallet from dashboard.account_wallet w
   where w.wallet = $1 and ($2::text is null or w.account_id = $2) order by w.wallet = w.owner limit 1`,
);

/** About all others an operator has said something that stands. */
const undecided: ReadonlySet<string> = new Set(['NO_RECORD', 'RECORD_EXPIRED', 'ADDRESS_CHANGED']);

const tellsOfUnknownPayee = ({ serviceResult, metadata }: TransactionReport): boolean =>
  serviceResult === 'reject' && metadata?.['code'] === refusedFor;

/** All of it is the word of whoever reports, and some of it a service's. */
function toldIn(report: TransactionReport, payee: Address): Told {
  const { serviceName, chain, amount, tokenSymbol, payeeKytResult, payeeKytRiskLevel, metadata } = report;
  const host = domain.safeParse(metadata?.['serviceHost']);
  return {
    payee,
    serviceName: clean(serviceName, 64) ?? '',
    toolName: clean(metadata?.['toolName'], 128),
    host: host.success ? host.data : null,
    chain: clean(spelledChain(chain), 20) ?? '',
    amount: amount ?? null,
    tokenSymbol: clean(tokenSymbol, 20),
    kytResult: payeeKytResult ?? null,
    kytRiskLevel: payeeKytRiskLevel ?? null,
  };
}

import type { Address } from '@countersign/protocol/address';
import type { ErasedIdentities } from './erased-identity.ts';
import type { Evidence } from './evidence.ts';
import { guard } from './guard.ts';
import { whyOf } from './kyt.ts';
import type { Begun, Identity, KycProvider, KycSubject, KycVendor, Unavailable } from '../screening/ports.ts';
import type { Asked, Outcome } from './screening-store.ts';
import { createSingleFlight } from './single-flight.ts';

/** Identities by the chosen provider. */
export type Kyc = {
  readonly provider: string;
  readonly kind: KycProvider['kind'];
  readonly look: (subject: KycSubject) => Promise<Identity | Unavailable>;
  /** Whoever owns this wallet. Nobody who has logged in: pending, because no provider can know that person. */
  readonly lookUp: (wallet: Address) => Promise<Identity | Unavailable>;
  /** Forgets what was answered before, and asks again. */
  readonly lookAgain: (subject: KycSubject) => Promise<Identity | Unavailable>;
  /** Opens the vendor's page for this person; null where people hand in here. */
  readonly begin: ((subject: KycSubject) => Promise<Begun | Unavailable>) | null;
  readonly readWebhook: KycVendor['readWebhook'];
  readonly state: () => 'up' | 'down';
};

type Parts = {
  readonly evidence: Evidence;
  /** The account of a wallet; null where nobody has logged in with it. */
  readonly findSubject: (wallet: Address) => Promise<KycSubject | null>;
  /** Returns whether an operator has withdrawn the approval of this account. */
  readonly isWithdrawn: (accountId: string) => Promise<boolean>;
  readonly erased: ErasedIdentities;
  readonly now: () => Date;
};

export function createKyc(provider: KycProvider, parts: Parts): Kyc {
  if (provider.kind === 'vendor') return vendorKyc(provider, parts);
  const { id, lookUp } = provider;
  const look = ({ wallet }: KycSubject) => lookUp(wallet);
  return {
    provider: id,
    kind: 'queue',
    look,
    lookUp,
    lookAgain: look,
    begin: null,
    readWebhook: null,
    state: () => 'up',
  };
}

function vendorKyc(vendor: KycVendor, { evidence, findSubject, isWithdrawn, erased, now }: Parts): Kyc {
  const guarded = guard(vendor.look, ({ accountId }) => accountId, now);
  const once = createSingleFlight<Identity | Unavailable>();

  async function askAndKeep(subject: KycSubject): Promise<Identity | Unavailable> {
    const askedAt = now();
    const answer = await guarded.ask(subject);
    if (answer.kind === 'unavailable' && answer.why === 'resting') return answer;
    // Never what was sent: it is a person's file, and the vendor keeps it under the id that we note.
    await evidence.keep(askedOf(vendor.id, subject), outcomeOf(answer), { askedAt, raw: null });
    return answer;
  }

  const recallOrAsk = (subject: KycSubject) =>
    once(subject.accountId, async () => {
      if (await erased.has(subject.accountId)) return unknownPerson;
      const remembered = await evidence.recall(askedOf(vendor.id, subject));
      const status = remembered === null ? null : statusOf(remembered.verdict);
      if (remembered === null || status === null) return askAndKeep(subject);
      return { kind: 'known', status, requestId: remembered.requestId };
    });

  /** An erasure and an operator's withdrawal win, also over an answer that was long in coming: they are looked for last. */
  async function unlessOver(
    subject: KycSubject,
    asked: Promise<Identity | Unavailable>,
  ): Promise<Identity | Unavailable> {
    const said = await asked;
    const answer = (await erased.has(subject.accountId)) ? unknownPerson : said;
    if (!(await isWithdrawn(subject.accountId))) return answer;
    return {
      kind: 'known',
      status: 'rejected',
      requestId: answer.kind === 'known' ? answer.requestId : null,
    };
  }

  const look = (subject: KycSubject) => unlessOver(subject, recallOrAsk(subject));

  const begin = guard(vendor.begin, ({ accountId }) => accountId, now).ask;

  return {
    provider: vendor.id,
    kind: vendor.kind,
    async begin(subject) {
      const begun = await begin(subject);
      if (begun.kind === 'unavailable' || !(await erased.has(subject.accountId))) return begun;
      // What was answered before the erasure is not used again.
      await erased.lift(subject.accountId);
      await evidence.keep(askedOf(vendor.id, subject), changed, { askedAt: now(), raw: null });
      return begun;
    },
    readWebhook: vendor.readWebhook,
    look,
    async lookUp(wallet) {
      const subject = await findSubject(wallet);
      return subject === null ? unknownPerson : look(subject);
    },
    async lookAgain(subject) {
      // Nobody asked him to tell us more of that person.
      if (await erased.has(subject.accountId)) return look(subject);
      // First, so that an approval that was taken away is no longer used, whatever becomes of the question.
      await evidence.keep(askedOf(vendor.id, subject), changed, { askedAt: now(), raw: null });
      return unlessOver(subject, askAndKeep(subject));
    },
    state: () => (guarded.isUp() ? 'up' : 'down'),
  };
}

const unknownPerson: Identity = { kind: 'known', status: 'pending', requestId: null };

const askedOf = (provider: string, { accountId }: KycSubject): Asked => ({
  kind: 'kyc',
  provider,
  subject: accountId,
  chain: '',
});

const noRisk = { riskLevel: null, riskScore: null, attribution: null, source: null, listDate: null } as const;

const changed: Outcome = {
  ...noRisk,
  verdict: 'unavailable',
  requestId: null,
  why: 'something changed at the vendor',
};

const outcomeOf = (answer: Identity | Unavailable): Outcome => ({
  ...noRisk,
  ...(answer.kind === 'unavailable'
    ? { verdict: 'unavailable', requestId: null, why: whyOf(answer) }
    : { verdict: answer.status, requestId: answer.requestId, why: null }),
});

const statusOf = (verdict: Outcome['verdict']): Identity['status'] | null =>
  verdict === 'approved' || verdict === 'pending' || verdict === 'rejected' ? verdict : null;

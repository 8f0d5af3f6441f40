import type { Business, businessRoutes } from '@countersign/protocol/dashboard/business';
import { maxBusinessFiles } from '@countersign/protocol/dashboard/business';
import { maxFileBytes } from '@countersign/protocol/dashboard/payees';
import { ok } from '@countersign/protocol/result';
import type { Logger } from '@countersign/service/logger';
import type { z } from 'zod';
import type { DashboardHandlers } from '../callers.ts';
import { putOnRecord } from '../compliance/history.ts';
import { isOperator, operatorsOnly } from '../compliance/operators.ts';
import { newId } from '../ids.ts';
import { type PayeeParts, whyNotAdmitted, whyNotInTime } from '../payees/answers.ts';
import { askDomain, checkDomain } from '../payees/check-domain.ts';
import { refusal } from '../refusal.ts';
import { type BusinessDecided, decide, type Decision } from './decide.ts';
import { createRoom } from './room.ts';
import { type Facts, factsIn, openFacts, openPart } from './sealed.ts';
import {
  findBusinessFile,
  findSubmission,
  keepDomainSaid,
  listSubmissions,
  newestSubmission,
} from './store.ts';
import {
  type Added,
  addFile,
  claimedBy,
  type HandedIn,
  handIn,
  type Unclaimed,
  whyNotNow,
} from './submit.ts';
import { showSubmission } from './show.ts';

/** Businesses that submit themselves. */
export const businessHandlers = (
  parts: PayeeParts,
): Pick<DashboardHandlers, keyof typeof businessRoutes> => ({
  ...ownHandlers(parts),
  ...operatorHandlers(parts),
  ...filesHandlers(parts),
});

const noSubmission = () => refusal('BUSINESS_NOT_FOUND', 'submission not found');
const noKey = () =>
  refusal(
    'BUSINESS_NOT_FOUND',
    'this dashboard accepts no submissions because its operator has not set EVIDENCE_KEY, which seals them',
  );

type Shown = Promise<ReturnType<typeof noSubmission> | ReturnType<typeof ok<{ business: Business }>>>;

const answerOf =
  (
    { pool, sealer, now }: Pick<PayeeParts, 'pool' | 'sealer' | 'now'>,
    shownTo = (shown: Business): Business => shown,
  ) =>
  async (id: string): Shown => {
    const row = await findSubmission(pool, id, now());
    if (row === null) return noSubmission();
    return ok({ business: shownTo(showSubmission(sealer, row)) });
  };

/**
 * Runs work after the answer. INVARIANT: its failure never changes an answer; the next periodic check asks
 * the domain.
 */
async function afterwards(log: Logger, id: string, asking: () => Promise<void>): Promise<void> {
  try {
    await asking();
  } catch (error) {
    log.warn({ err: error, submission: id }, 'the domain of a business could not be asked');
  }
}

/** Accounts cost nothing, so whoever submits sets off no more requests than these at a time. Operators ask for the others. */
const fetchesAtOnce = 8;

/** Asks the domain of a submission what it says of its addresses. */
async function ask(parts: PayeeParts, id: string, facts: Facts): Promise<void> {
  const at = parts.now();
  await keepDomainSaid(parts.pool, id, [...(await askDomain(parts, facts, at))], at);
}

function ownHandlers(
  parts: PayeeParts,
): Pick<DashboardHandlers, 'ownBusiness' | 'submitBusiness' | 'addBusinessFile'> {
  const { pool, sealer, signedBy, chain, now, random, log } = parts;
  const answer = answerOf(parts, (shown) => ({ ...shown, checks: [] }));
  const asking = createRoom(fetchesAtOnce);
  return {
    async ownBusiness({ caller: { account, person } }) {
      const row = await newestSubmission(pool, account.id, now());
      if (row === null) return ok({ business: null });
      const shown = showSubmission(sealer, row);
      // The account's people may know how it stands; what was handed in, its holder alone; what providers say, operators.
      return ok({ business: { ...shown, ...(person.holder ? {} : { facts: null, files: [] }), checks: [] } });
    },

    async submitBusiness({ body, caller: { account } }) {
      if (sealer === null) return noKey();
      // Before its signatures are judged, which may ask a node for each.
      const early = await whyNotNow(pool, account.id, now());
      if (early !== null) return notNow(early);
      const claimed = await claimedBy(body, account, { signedBy, chain, now: now() });
      if (!claimed.ok) return notClaimed(claimed.error, chain);
      const id = newId(random, 'biz');
      const facts = factsIn(body, claimed.value);
      const handed = await handIn(pool, sealer, { id, accountId: account.id, facts }, now());
      if (handed.kind !== 'kept') return notNow(handed);
      await afterwards(log, id, async () => void (await asking(() => ask(parts, id, facts))));
      return answer(id);
    },

    async addBusinessFile({ body, caller: { account } }) {
      if (sealer === null) return noKey();
      const file = { ...body, id: newId(random, 'file'), accountId: account.id };
      const added = await addFile(pool, sealer, file, now());
      if (added !== 'done') return whyNotAdded(added);
      const row = await newestSubmission(pool, account.id, now());
      return answer(row?.id ?? '');
    },
  };
}

const notClaimed = ({ address, why }: Unclaimed, chain: string) =>
  refusal(
    'UNAUTHORIZED_OPERATION',
    why === 'unsigned'
      ? `${address} has not signed a PayeeClaim for this account and domain within the last day`
      : `${address} is a contract, whose word counts on ${chain} alone: name no other network`,
  );

const notNow = (why: Exclude<HandedIn, { kind: 'kept' }>) =>
  refusal(
    'REPEATED_SUBMIT',
    why.kind === 'waits'
      ? 'a submission is under review'
      : `too many submissions: the next one is possible at ${why.again.toISOString()}`,
  );

function whyNotAdded(added: Exclude<Added, 'done'>) {
  switch (added) {
    case 'none-waits':
      return refusal('BUSINESS_NOT_FOUND', 'no submission waits: submit the business first');
    case 'full':
      return refusal('REPEATED_SUBMIT', `a submission has ${maxBusinessFiles} files at most`);
    case 'other-type':
      return refusal(
        'INVALID_PARAM',
        'content: does not start like a file of its mediaType; text must be UTF-8',
      );
    case 'too-large':
      return refusal('INVALID_PARAM', `content: must be ${maxFileBytes} bytes at most`);
  }
}

function operatorHandlers(
  parts: PayeeParts,
): Pick<DashboardHandlers, 'listBusinesses' | 'getBusiness' | 'checkBusinessDomain' | 'decideBusiness'> {
  const { pool, sealer, fourEyes, now, random, log } = parts;
  const { operators } = fourEyes;
  const answer = answerOf(parts);
  return {
    async listBusinesses({ body: { state, page = 1, limit = 20 }, caller }) {
      if (!isOperator(operators, caller.account)) return operatorsOnly();
      const { items, total } = await listSubmissions(pool, state, { page, limit }, now());
      const data = items.map((row) => showSubmission(sealer, row));
      return ok({ data, total, page, limit });
    },

    getBusiness: async ({ params, caller }) =>
      isOperator(operators, caller.account) ? answer(params['id'] ?? '') : operatorsOnly(),

    async checkBusinessDomain({ params, caller }) {
      if (!isOperator(operators, caller.account)) return operatorsOnly();
      const id = params['id'] ?? '';
      const row = await findSubmission(pool, id, now());
      if (row === null) return noSubmission();
      if (row.state !== 'waiting') return refusal('REPEATED_SUBMIT', 'it has already been decided');
      const facts = openFacts(sealer, id, row);
      if (facts === null) return unreadable();
      await ask(parts, id, facts);
      return answer(id);
    },

    async decideBusiness({ params, body, caller: { account: by } }) {
      if (!isOperator(operators, by)) return operatorsOnly();
      const id = params['id'] ?? '';
      const decision = readDecision(body, newId(random, 'pay'));
      if (decision === null) return refusal('INVALID_PARAM', 'admit needs validUntil, and reject a reason');
      const late = decision.decision === 'admit' ? whyNotInTime(decision, now()) : null;
      if (late !== null) return refusal('INVALID_PARAM', `validUntil: ${late}`);
      const decided = await decide(pool, sealer, id, decision, { by, fourEyes, now: now() });
      const refused = whyNot(decided);
      if (refused !== null) return refused;
      const operator = by.walletAddress;
      log.info({ submission: id, decision: decision.decision, operator }, 'a business was decided');
      await afterwards(log, id, () => askAgain(parts, id));
      return answer(id);
    },
  };
}

function filesHandlers({
  pool,
  sealer,
  fourEyes,
  now,
}: PayeeParts): Pick<DashboardHandlers, 'getBusinessFile'> {
  return {
    async getBusinessFile({ params, caller: { account: by } }) {
      if (!isOperator(fourEyes.operators, by)) return operatorsOnly();
      const at = { id: params['fileId'] ?? '', submissionId: params['id'] ?? '' };
      const [found, row] = await Promise.all([
        findBusinessFile(pool, at.id, at.submissionId),
        findSubmission(pool, at.submissionId, now()),
      ]);
      const content = found === null ? null : openPart(sealer, at, 'content', found);
      const name =
        found === null
          ? null
          : openPart(sealer, at, 'name', { keyId: found.keyId, sealed: found.sealedName });
      if (found === null || content === null || name === null || row === null)
        return refusal('BUSINESS_NOT_FOUND', 'file not found, or sealed under another EVIDENCE_KEY');
      // Before it is shown: what cannot be recorded is not read.
      await putOnRecord(pool, now(), {
        deed: 'read-business-file',
        by,
        effective: true,
        wallet: row.walletAddress,
        detail: { submission: at.submissionId, file: at.id },
      });
      return ok({ name, mediaType: found.mediaType, content });
    },
  };
}

/** Checks the domain again, so that the record starts with what the operator saw. */
async function askAgain(parts: PayeeParts, id: string): Promise<void> {
  const row = await findSubmission(parts.pool, id, parts.now());
  const facts = row?.payeeId == null ? null : openFacts(parts.sealer, row.id, row);
  if (row?.payeeId != null && facts !== null) await checkDomain(parts, row.payeeId, facts);
}

const unreadable = () =>
  refusal('BUSINESS_NOT_FOUND', 'what was submitted is sealed under another EVIDENCE_KEY');

type RouteBody = z.output<typeof businessRoutes.decideBusiness.body>;

function readDecision(body: RouteBody, id: string): Decision | null {
  const { decision, validUntil, version, reason, seenRejections = [] } = body;
  if (decision === 'admit')
    return validUntil === undefined
      ? null
      : { decision, validUntil, reason, newId: id, read: version ?? null, seenRejections };
  return reason === undefined ? null : { decision: 'reject', reason };
}

const whyNot = (decided: BusinessDecided) =>
  decided.kind === 'unreadable' ? unreadable() : whyNotAdmitted(decided);

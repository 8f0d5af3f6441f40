import { ok } from '@countersign/protocol/result';
import { isStorableText } from '@countersign/service/http-input';
import type { Logger } from '@countersign/service/logger';
import type { Pool } from '@countersign/service/sql';
import { refusal } from '../refusal.ts';
import { findAccountById } from '../accounts/store.ts';
import type { DashboardHandlers } from '../callers.ts';
import type { Kyc } from './kyc.ts';
import { noAnswer } from './no-answer.ts';
import { noteTaken, wasTaken } from './webhook-store.ts';

type WebhookParts = {
  readonly pool: Pool;
  readonly kyc: Kyc;
  readonly now: () => Date;
  readonly log: Logger;
};

/**
 * What KYC vendors send by themselves. A right signature makes us ask the vendor about that person again, and nothing
 * more. An event counts as taken only after that: what could not be acted upon is 500, and the vendor sends it again.
 */
export function webhookHandlers({
  pool,
  kyc,
  now,
  log,
}: WebhookParts): Pick<DashboardHandlers, 'kycWebhook'> {
  return {
    async kycWebhook({ params: { provider = '' }, caller: request }) {
      if (kyc.readWebhook === null || provider !== kyc.provider)
        return refusal('BUSINESS_NOT_FOUND', 'webhooks of this provider are not accepted');
      const event = kyc.readWebhook(request);
      if (!event.ok) {
        log.warn({ provider, why: event.error }, 'a webhook was refused');
        return event.error === 'unsigned'
          ? refusal('AUTHENTICATION_FAILED', 'the signature is missing, wrong or too old')
          : refusal('PARAM_ERROR', 'the body is not one of this provider’s webhooks');
      }
      const { eventId, accountId } = event.value;
      if (await wasTaken(pool, provider, eventId)) return ok(null);
      const named = accountId !== null && isStorableText(accountId);
      const account = named ? await findAccountById(pool, accountId) : null;
      if (account !== null) {
        const answer = await kyc.lookAgain({ accountId: account.id, wallet: account.walletAddress });
        if (answer.kind === 'unavailable') return noAnswer(log, 'KYC', answer);
        log.info({ provider, account: account.id, status: answer.status }, 'KYC was read again');
      }
      await noteTaken(pool, provider, eventId, now());
      return ok(null);
    },
  };
}

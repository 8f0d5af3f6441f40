import { ok } from '@countersign/protocol/result';
import { isStorableText } from '@countersign/service/http-input';
import type { SignedRequest } from '@countersign/service/http';
import type { Logger } from '@countersign/service/logger';
import type { Pool } from '@countersign/service/sql';
import { refusal } from '../refusal.ts';
import { findAccountById } from '../accounts/store.ts';
import type { DashboardHandlers } from '../callers.ts';
import type { KycVendor } from '../screening/ports.ts';
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
 * more.
 */
export const webhookHandlers = ({
  pool,
  kyc,
  ...parts
}: WebhookParts): Pick<DashboardHandlers, 'kycWebhook'> => ({
  kycWebhook({ params: { provider = '' }, caller: request }) {
    const { log } = parts;
    return takeWebhook(
      { pool, ...parts },
      { provider, request, from: kyc, events: provider },
      async (accountId) => {
        const account = await findAccountById(pool, accountId);
        if (account === null) return null;
        const answer = await kyc.lookAgain({ accountId: account.id, wallet: account.walletAddress });
        if (answer.kind === 'unavailable') return noAnswer(log, 'KYC', answer);
        log.info({ provider, account: account.id, status: answer.status }, 'KYC was read again');
        return null;
      },
    );
  },
});

type Delivered = {
  /** To whose address it was sent. */
  readonly provider: string;
  readonly request: SignedRequest;
  readonly from: { readonly provider: string; readonly readWebhook: KycVendor['readWebhook'] };
  /** Under which name its events are remembered. */
  readonly events: string;
};

/**
 * Checks what a vendor sent and does `act` about whom it names, once. An event counts as taken only after that: what could
 * not be acted upon is 500, and the vendor sends it again.
 */
export async function takeWebhook(
  { pool, now, log }: Omit<WebhookParts, 'kyc'>,
  { provider, request, from, events }: Delivered,
  act: (about: string) => Promise<ReturnType<typeof noAnswer> | null>,
) {
  if (from.readWebhook === null || provider !== from.provider)
    return refusal('BUSINESS_NOT_FOUND', 'webhooks of this provider are not accepted');
  const event = from.readWebhook(request);
  if (!event.ok) {
    log.warn({ provider, why: event.error }, 'a webhook was refused');
    return event.error === 'unsigned'
      ? refusal('AUTHENTICATION_FAILED', 'the signature is missing, wrong or too old')
      : refusal('PARAM_ERROR', 'the body is not one of this provider’s webhooks');
  }
  const { eventId, about } = event.value;
  if (await wasTaken(pool, events, eventId)) return ok(null);
  const refused = about !== null && isStorableText(about) ? await act(about) : null;
  if (refused !== null) return refused;
  await noteTaken(pool, events, eventId, now());
  return ok(null);
}

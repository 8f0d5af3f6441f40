import type { KycStatus } from '@countersign/protocol/dashboard/compliance';
import { z } from 'zod';
import type { KycVendor } from '../screening/ports.ts';
import { malformed, pageUrl, readAnswer } from './ask-vendor.ts';
import { listNewest, type PersonaAccess, post } from './persona-wire.ts';
import { readPersonaWebhook } from './persona-webhook.ts';

export type PersonaConfig = PersonaAccess & {
  /** The inquiry template whose approval counts. */
  readonly templateId: string;
  /** Null takes no webhooks. */
  readonly webhookSecret: string | null;
  /** `completed` is a decision only where the template of the inquiry takes none of its own. */
  readonly approvedAt: 'approved' | 'completed';
};

const inquiry = z.object({
  id: z.string(),
  attributes: z.object({
    status: z.enum([
      'created',
      'pending',
      'completed',
      'failed',
      'expired',
      'needs_review',
      'approved',
      'declined',
    ]),
    'reference-id': z.string(),
  }),
});
type Inquiry = z.output<typeof inquiry>;

/** Persona knows a person by the id of the account, the inquiry's `reference-id`; of one template the newest counts. */
export const persona = (config: PersonaConfig, now: () => Date): KycVendor => ({
  kind: 'vendor',
  id: 'persona',
  readWebhook: webhookReader(config.webhookSecret, now),

  async look({ accountId }, signal) {
    const filters = { 'reference-id': accountId, 'inquiry-template-id': config.templateId };
    const answer = await listNewest(config, inquiries, filters, signal);
    if (answer.kind === 'unavailable') return answer;
    const read = readAnswer(z.object({ data: z.array(inquiry).max(1) }), answer);
    if (!read.ok) return read.error;
    const [newest] = read.value.data;
    if (newest === undefined) return { kind: 'known', status: 'pending', requestId: null };
    if (newest.attributes['reference-id'] !== accountId) return malformed('it is about another person', null);
    return { kind: 'known', status: statusOf(newest, config.approvedAt), requestId: newest.id };
  },

  async begin({ accountId }, signal) {
    const attributes = { 'inquiry-template-id': config.templateId, 'reference-id': accountId };
    const made = await post(config, inquiries, { body: { data: { attributes } } }, signal);
    if (made.kind === 'unavailable') return made;
    const read = readAnswer(z.object({ data: z.object({ id: z.string().regex(/^inq_\w+$/) }) }), made);
    if (!read.ok) return read.error;
    const linked = await post(
      config,
      `${inquiries}/${read.value.data.id}/generate-one-time-link`,
      { body: {} },
      signal,
    );
    if (linked.kind === 'unavailable') return linked;
    const link = readAnswer(z.object({ meta: z.object({ 'one-time-link': pageUrl }) }), linked);
    if (!link.ok) return link.error;
    return { kind: 'begun', url: link.value.meta['one-time-link'], expiresAt: null };
  },
});

const inquiries = '/api/v1/inquiries';

const webhookReader = (secret: string | null, now: () => Date): KycVendor['readWebhook'] =>
  secret === null ? null : (request) => readPersonaWebhook(secret, request, { now: now(), type: 'inquiry' });

function statusOf({ attributes: { status } }: Inquiry, approvedAt: PersonaConfig['approvedAt']): KycStatus {
  if (status === 'approved' || status === approvedAt) return 'approved';
  return status === 'declined' || status === 'failed' ? 'rejected' : 'pending';
}

import type { KycStatus } from '@countersign/protocol/dashboard/compliance';
import { z } from 'zod';
import type { Identity, KybVendor, Unavailable } from '../screening/ports.ts';
import { malformed, readAnswer } from './ask-vendor.ts';
import { readPersonaWebhook } from './persona-webhook.ts';
import { listNewest, type PersonaAccess, post } from './persona-wire.ts';

export type PersonaBusinessConfig = PersonaAccess & {
  /** The type of transactions whose approval counts. */
  readonly transactionTypeId: string;
  /** Null takes no webhooks. */
  readonly webhookSecret: string | null;
};

const transaction = z.object({
  type: z.literal('transaction'),
  id: z.string().regex(/^txn_\w{1,64}$/),
  attributes: z.object({
    /** Each type of transaction has words of its own; `approved` and `declined` are every type's. */
    status: z.string(),
    'reference-id': z.string(),
  }),
  relationships: z.object({ 'transaction-type': z.object({ data: z.object({ id: z.string() }) }) }),
});
type Transaction = z.output<typeof transaction>;

const transactions = '/api/v1/transactions';

/** Persona knows the check of a business as a transaction whose `reference-id` is the check's id. */
export const personaBusiness = (config: PersonaBusinessConfig, now: () => Date): KybVendor => {
  const { transactionTypeId, webhookSecret: secret } = config;
  return {
    id: 'persona',
    readWebhook:
      secret === null
        ? null
        : (request) => readPersonaWebhook(secret, request, { now: now(), type: 'transaction' }),

    async start({ checkId, legalName, registrationNumber, country }, signal) {
      const attributes = {
        'transaction-type-id': transactionTypeId,
        'reference-id': checkId,
        fields: {
          'business-name': legalName,
          'business-registration-number': registrationNumber,
          'business-country-code': country,
        },
      };
      const made = await post(
        config,
        transactions,
        { body: { data: { attributes } }, once: checkId },
        signal,
      );
      if (made.kind === 'unavailable') return made;
      const read = readAnswer(z.object({ data: transaction }), made);
      return read.ok ? standingOf(read.value.data, checkId, transactionTypeId) : read.error;
    },

    async look(checkId, signal) {
      const filters = { 'reference-id': checkId, 'transaction-type-id': transactionTypeId };
      const answer = await listNewest(config, transactions, filters, signal);
      if (answer.kind === 'unavailable') return answer;
      const read = readAnswer(z.object({ data: z.array(transaction).max(1) }), answer);
      if (!read.ok) return read.error;
      const [newest] = read.value.data;
      if (newest === undefined) return { kind: 'known', status: 'pending', requestId: null };
      return standingOf(newest, checkId, transactionTypeId);
    },
  };
};

function standingOf(
  { id, attributes, relationships }: Transaction,
  checkId: string,
  transactionTypeId: string,
): Identity | Unavailable {
  if (attributes['reference-id'] !== checkId) return malformed('it is about another business', null);
  if (relationships['transaction-type'].data.id !== transactionTypeId)
    return malformed('it is of another type', null);
  return { kind: 'known', status: statusOf(attributes.status), requestId: id };
}

function statusOf(status: string): KycStatus {
  if (status === 'approved') return 'approved';
  return status === 'declined' ? 'rejected' : 'pending';
}

import { createHmac } from 'node:crypto';
import { sameAddress } from '@countersign/protocol/address';
import { z } from 'zod';
import type { KytVendor, Screening } from '../screening/ports.ts';
import { ellipticRisk, notListed } from '../screening/risk.ts';
import { askVendor, below, malformed, readAnswer } from './ask-vendor.ts';

export type EllipticConfig = {
  readonly url: URL;
  readonly key: string;
  /** As Elliptic hands it out: base64. */
  readonly secret: string;
};

/** The signature of a request, as Elliptic's authentication cookbook has it. `path` holds the query too. */
export function ellipticSignature(
  secret: string,
  { time, method, path, body }: { time: number; method: string; path: string; body: string },
): string {
  const text = `${time}${method}${path.toLowerCase()}${body}`;
  return createHmac('sha256', Buffer.from(secret, 'base64')).update(text).digest('base64');
}

const rule = z.object({
  matched_elements: z
    .array(
      z.object({
        contributions: z.array(
          z.object({ risk_triggers: z.nullish(z.object({ is_sanctioned: z.boolean().optional() })) }),
        ),
      }),
    )
    .optional(),
});
const analysis = z.object({
  id: z.string(),
  process_status: z.literal('complete'),
  subject: z.object({ hash: z.string() }),
  risk_score: z.nullable(z.number().min(0).max(10)),
  evaluation_detail: z.nullish(
    z.object({ source: z.array(rule).nullish(), destination: z.array(rule).nullish() }),
  ),
  cluster_entities: z.nullish(z.array(z.object({}))),
});
type Analysis = z.output<typeof analysis>;

const neverSeen = z.object({ name: z.literal('NotInBlockchain') });

/** Elliptic's wallet screening over all chains at once. */
export const elliptic = ({ url, key, secret }: EllipticConfig, now: () => Date): KytVendor => ({
  kind: 'vendor',
  id: 'elliptic',

  async screen({ address }, signal) {
    const endpoint = below(url, '/v2/wallet/synchronous');
    const body = JSON.stringify({
      subject: { asset: 'holistic', blockchain: 'holistic', type: 'address', hash: address },
      type: 'wallet_exposure',
      customer_reference: address,
    });
    const time = now().getTime();
    const signed = { time, method: 'POST', path: endpoint.pathname + endpoint.search, body };
    const headers = {
      'content-type': 'application/json',
      'x-access-key': key,
      'x-access-timestamp': String(time),
      'x-access-sign': ellipticSignature(secret, signed),
    };
    const answer = await askVendor(
      { method: 'POST', url: endpoint, headers, body, statuses: [200, 404] },
      signal,
    );
    if (answer.kind === 'unavailable') return answer;
    const kept = { kind: 'screened', source: 'elliptic', listDate: null, raw: answer.raw } as const;
    if (answer.status === 404) {
      const read = readAnswer(neverSeen, answer);
      // An address that no chain has seen has no past, good or bad.
      return read.ok ? { ...kept, ...notListed, requestId: answer.requestId } : read.error;
    }
    const read = readAnswer(analysis, answer);
    if (!read.ok) return read.error;
    if (!sameAddress(read.value.subject.hash, address))
      return malformed('it is about another address', answer.raw);
    return { ...kept, ...riskOf(read.value), requestId: read.value.id } satisfies Screening;
  },
});

function riskOf({ risk_score, evaluation_detail, cluster_entities }: Analysis) {
  const rules = [...(evaluation_detail?.source ?? []), ...(evaluation_detail?.destination ?? [])];
  const bySanctions = rules.some((each) =>
    each.matched_elements?.some(({ contributions }) =>
      contributions.some(({ risk_triggers }) => risk_triggers?.is_sanctioned === true),
    ),
  );
  return ellipticRisk(risk_score, bySanctions, (cluster_entities ?? []).length > 0 ? 'known' : 'none');
}

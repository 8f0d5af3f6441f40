import { sameAddress } from '@countersign/protocol/address';
import { z } from 'zod';
import type { KytVendor } from '../screening/ports.ts';
import { chainalysisRisk } from '../screening/risk.ts';
import { askVendor, below, malformed, readAnswer } from './ask-vendor.ts';

export type ChainalysisConfig = { readonly url: URL; readonly apiKey: string };

const assessment = z.object({
  address: z.string(),
  risk: z.enum(['Low', 'Medium', 'High', 'Severe']),
  cluster: z.nullish(z.object({})),
  status: z.literal('COMPLETE').optional(),
});

/** Chainalysis Address Screening: an address is registered first, and then has a risk. It knows no chains. */
export const chainalysis = ({ url, apiKey }: ChainalysisConfig): KytVendor => ({
  kind: 'vendor',
  id: 'chainalysis',

  async screen({ address }, signal) {
    const entities = below(url, '/api/risk/v2/entities');
    const headers = { token: apiKey };
    const registered = await askVendor(
      {
        method: 'POST',
        url: entities,
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ address }),
        statuses: [200, 201],
      },
      signal,
    );
    if (registered.kind === 'unavailable') return registered;

    const answer = await askVendor({ method: 'GET', url: below(entities, `/${address}`), headers }, signal);
    if (answer.kind === 'unavailable') return answer;
    const read = readAnswer(assessment, answer);
    if (!read.ok) return read.error;
    const { risk, cluster } = read.value;
    if (!sameAddress(read.value.address, address))
      return malformed('it is about another address', answer.raw);
    const { raw, requestId } = answer;
    const known = (cluster ?? null) === null ? 'none' : 'known';
    return {
      kind: 'screened',
      ...chainalysisRisk(risk, known),
      source: 'chainalysis',
      listDate: null,
      requestId,
      raw,
    };
  },
});

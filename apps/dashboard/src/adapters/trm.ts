import { sameAddress } from '@countersign/protocol/address';
import { z } from 'zod';
import type { KytVendor } from '../screening/ports.ts';
import { trmRisk, type VendorLevel } from '../screening/risk.ts';
import { askVendor, below, malformed, readAnswer } from './ask-vendor.ts';

export type TrmConfig = { readonly url: URL; readonly apiKey: string };

/** A testnet is screened as its main network: the address is the same person's on both. */
const chainNames: Readonly<Record<string, string>> = {
  'eip155:1': 'ethereum',
  'eip155:8453': 'base',
  'eip155:84532': 'base',
  'eip155:137': 'polygon',
  'eip155:42161': 'arbitrum',
  'eip155:10': 'optimism',
};

const word = z.enum(['Unknown', 'Low', 'Medium', 'High', 'Severe']);
const screened = z.object({
  address: z.string(),
  chain: z.string(),
  addressHighestRiskScoreLevel: z.nullish(z.number()),
  addressHighestRiskScoreLevelLabel: z.nullish(word),
  addressRiskIndicators: z.array(z.object({ categoryRiskScoreLevelLabel: word })),
  entities: z.array(z.object({ riskScoreLevelLabel: word })),
});
type Screened = z.output<typeof screened>;

/**
 * TRM Labs wallet screening. The highest word of the address, its indicators and its entities counts. No words at
 * all mean that nothing is known; a score without a word is a contract that changed.
 */
export const trm = ({ url, apiKey }: TrmConfig): KytVendor => ({
  kind: 'vendor',
  id: 'trm',

  async screen({ address, chain }, signal) {
    const chainName = chainNames[chain];
    if (chainName === undefined) return malformed('this chain has no name there', null);
    const answer = await askVendor(
      {
        method: 'POST',
        url: below(url, '/public/v2/screening/addresses'),
        headers: {
          // The key is both user name and password.
          authorization: `Basic ${Buffer.from(`${apiKey}:${apiKey}`).toString('base64')}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify([{ address, chain: chainName }]),
        statuses: [200, 201],
      },
      signal,
    );
    if (answer.kind === 'unavailable') return answer;
    const read = readAnswer(z.array(screened).length(1), answer);
    if (!read.ok) return read.error;
    const { raw, requestId } = answer;
    const [about] = read.value;
    if (about === undefined || !sameAddress(about.address, address) || about.chain !== chainName)
      return malformed('it is about another address', raw);
    const words = wordsOf(about);
    if (words === null) return malformed('a risk score without a known word', raw);
    return { kind: 'screened', ...trmRisk(words), source: 'trm', listDate: null, requestId, raw };
  },
});

function wordsOf(about: Screened): VendorLevel[] | null {
  const { addressHighestRiskScoreLevel: score, addressHighestRiskScoreLevelLabel: highest } = about;
  if ((highest ?? 'Unknown') === 'Unknown' && (score ?? 0) !== 0) return null;
  return [
    highest ?? 'Unknown',
    ...about.addressRiskIndicators.map((indicator) => indicator.categoryRiskScoreLevelLabel),
    ...about.entities.map((entity) => entity.riskScoreLevelLabel),
  ].filter((found) => found !== 'Unknown');
}

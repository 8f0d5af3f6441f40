import { badRequest, notFound, parse, pass, reject, unauthorized, type Vendor } from './vendor.ts';

const indicator = (label: string) => ({
  category: 'Sanctions',
  categoryId: '69',
  categoryRiskScoreLevel: 15,
  categoryRiskScoreLevelLabel: label,
  riskType: 'COUNTERPARTY',
  incomingVolumeUsd: '1111.11',
  outgoingVolumeUsd: '2222.22',
  totalVolumeUsd: '3333.33',
});
const entity = (label: string) => ({
  category: 'Exchange',
  entity: 'An exchange',
  riskScoreLevel: 1,
  riskScoreLevelLabel: label,
  trmUrn: '/entity/1',
  trmAppUrl: 'https://app.trmlabs.com',
});
const highest = (level: number, label: string) => ({
  addressHighestRiskScoreLevel: level,
  addressHighestRiskScoreLevelLabel: label,
});

export const trm: Vendor = {
  id: 'trm',
  kind: 'kyt',
  env: (url) => ({ KYT_PROVIDER: 'trm', TRM_URL: url, TRM_API_KEY: 'trm key' }),
  wrong: ['TRM_API_KEY', 'another key'],

  answer({ method, path, headers, body }, said) {
    if (headers.authorization !== `Basic ${Buffer.from('trm key:trm key').toString('base64')}`)
      return unauthorized;
    if (method !== 'POST' || path !== '/public/v2/screening/addresses') return notFound;
    const asked = parse(body);
    if (!Array.isArray(asked) || asked.length !== 1 || asked[0].chain !== 'ethereum') return badRequest;
    const { address, chain } = asked[0];
    const about = {
      address: address.toLowerCase(),
      addressSubmitted: address,
      chain,
      addressRiskIndicators: [],
    };
    const whole = { ...about, entities: [], accountExternalId: null, ...said };
    return { status: 201, headers: { 'x-request-id': 'req-1' }, body: said?.instead ?? [whole] };
  },

  meanings: [
    ['nothing known', {}, pass('low', 0)],
    ['nothing known, in words', { ...highest(0, 'Unknown') }, pass('low', 0)],
    ['low', highest(1, 'Low'), pass('low', 7)],
    ['medium', highest(5, 'Medium'), pass('medium', 33)],
    ['high', highest(10, 'High'), reject('high', 67)],
    ['severe', highest(15, 'Severe'), reject('severe', 100)],
    ['severe by an indicator alone', { addressRiskIndicators: [indicator('Severe')] }, reject('severe', 100)],
    ['high by its entity alone', { entities: [entity('Low'), entity('High')] }, reject('high', 67)],
  ],
  nonsense: [
    ['an unknown word', highest(10, 'Terrible')],
    ['a score without a word', { addressHighestRiskScoreLevel: 15 }],
    ['a score with an unknown word', highest(15, 'Unknown')],
    ['a wrong type', { addressHighestRiskScoreLevel: '15' }],
    ['an indicator with an unknown word', { addressRiskIndicators: [indicator('Terrible')] }],
    ['no list of indicators', { addressRiskIndicators: null }],
    ['no answer in the list', { instead: [] }],
    ['no list', { instead: { message: 'ok' } }],
    ['another address', { address: '0x0000000000000000000000000000000000000001' }],
    ['another chain', { chain: 'tron' }],
  ],
};

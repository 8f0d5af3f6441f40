import { notFound, parse, pass, reject, unauthorized, type Vendor } from './vendor.ts';

const entities = '/api/risk/v2/entities';

export const chainalysis: Vendor = {
  id: 'chainalysis',
  kind: 'kyt',
  env: (url) => ({
    KYT_PROVIDER: 'chainalysis',
    CHAINALYSIS_URL: url,
    CHAINALYSIS_API_KEY: 'chainalysis key',
  }),
  wrong: ['CHAINALYSIS_API_KEY', 'another key'],

  answer({ method, path, headers, body }, said) {
    if (headers['token'] !== 'chainalysis key') return unauthorized;
    if (method === 'POST' && path === entities) return { status: 201, body: parse(body) };
    const address = path.slice(entities.length + 1);
    if (method !== 'GET' || !path.startsWith(`${entities}/`)) return notFound;
    const entity = {
      address,
      cluster: null,
      exposures: [],
      triggers: [],
      status: 'COMPLETE',
      riskReason: null,
    };
    return { headers: { 'x-request-id': 'req-1' }, body: { ...entity, ...said } };
  },

  meanings: [
    ['low', { risk: 'Low' }, pass('low', 10)],
    [
      'medium',
      { risk: 'Medium', cluster: { name: 'An exchange', category: 'exchange' } },
      pass('medium', 40),
    ],
    ['high', { risk: 'High' }, reject('high', 70)],
    [
      'severe',
      { risk: 'Severe', addressIdentifications: [{ category: 'sanctions' }] },
      reject('severe', 100),
    ],
  ],
  nonsense: [
    ['an unknown word', { risk: 'Unknown' }],
    ['a word in another case', { risk: 'low' }],
    ['a wrong type', { risk: 1 }],
    ['no word', {}],
    ['no end yet', { risk: 'Low', status: 'PENDING' }],
    ['another address', { risk: 'Low', address: '0x0000000000000000000000000000000000000001' }],
  ],
};

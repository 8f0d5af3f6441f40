import { createHmac } from 'node:crypto';
import type { Json } from '../dashboard.ts';
import type { Reply } from './fake-server.ts';
import { badRequest, notFound, parse, pass, reject, unauthorized, type Vendor } from './vendor.ts';

const secret = '894f142d667e8cdaca6822ac173937af';

/** A rule that spoke, as the vendor's OpenAPI has it. */
const rule = (isSanctioned: boolean) => ({
  rule_id: 'b7535048-76f8-4f60-bdd3-9d659298f9e7',
  rule_name: 'Illicit',
  risk_score: 1,
  matched_elements: [
    {
      category: 'Dark Market',
      contribution_percentage: 1,
      contribution_value: { usd: 383.8 },
      contributions: [
        {
          entity: 'AlphaBay',
          entity_id: '0a52f7a2-5da8-4256-b230-df0da6f8449b',
          risk_triggers: { name: 'AlphaBay', is_sanctioned: isSanctioned, country: ['MM'] },
        },
      ],
    },
  ],
});
const behaviour = { rule_id: 'b', rule_name: 'Peeling', risk_score: 4, matched_behaviors: [{ length: 7 }] };

export const elliptic: Vendor = {
  id: 'elliptic',
  kind: 'kyt',
  env: (url) => ({
    KYT_PROVIDER: 'elliptic',
    ELLIPTIC_URL: url,
    ELLIPTIC_KEY: 'elliptic key',
    ELLIPTIC_SECRET: secret,
  }),
  wrong: ['ELLIPTIC_SECRET', Buffer.from('another secret').toString('base64')],

  answer({ method, path, headers, body }, said, now) {
    const time = String(headers['x-access-timestamp']);
    const signature = createHmac('sha256', Buffer.from(secret, 'base64'))
      .update(`${time}${method}${path.toLowerCase()}${body === '' ? '{}' : body}`)
      .digest('base64');
    const fresh = Math.abs(Number(time) - now.getTime()) < 60_000;
    if (headers['x-access-key'] !== 'elliptic key' || headers['x-access-sign'] !== signature || !fresh)
      return unauthorized;
    if (method !== 'POST' || path !== '/v2/wallet/synchronous') return notFound;
    return answerAbout(parse(body), said);
  },

  meanings: [
    ['never seen on a chain', null, pass('low', 0)],
    ['no rule spoke', { risk_score: null }, pass('low', 0)],
    ['a low score', { risk_score: 2.9 }, pass('low', 29)],
    ['a medium score', { risk_score: 3, cluster_entities: [{ name: 'Mt.Gox' }] }, pass('medium', 30)],
    ['a high score', { risk_score: 6 }, reject('high', 60)],
    ['a severe score', { risk_score: 9 }, reject('severe', 90)],
    [
      'a rule about behaviour',
      { risk_score: 4, evaluation_detail: { source: [behaviour] } },
      pass('medium', 40),
    ],
    ['a rule', { risk_score: 1, evaluation_detail: { source: [rule(false)] } }, pass('low', 10)],
    [
      'a sanctions rule',
      { risk_score: 1, evaluation_detail: { source: [], destination: [rule(true)] } },
      reject('severe', 100),
    ],
  ],
  nonsense: [
    ['still running', { process_status: 'running', risk_score: null }],
    ['its own error', { process_status: 'error', risk_score: null }],
    ['a score as text', { risk_score: '1' }],
    ['a score beyond the scale', { risk_score: 11 }],
    ['no score', { risk_score: undefined }],
    ['rules of a wrong type', { risk_score: 1, evaluation_detail: { source: {} } }],
    ['another 404', { instead: { status: 404, body: { name: 'NoSuchEndpoint' } } }],
    ['another address', { risk_score: 0, subject: { hash: '0x0000000000000000000000000000000000000001' } }],
  ],
};

function answerAbout(asked: Json, said: Json): Reply {
  const { type, subject: { asset, blockchain, hash, type: subjectType } = {} as Json } = asked ?? {};
  const wanted = [type, asset, blockchain, subjectType].join();
  if (wanted !== 'wallet_exposure,holistic,holistic,address') return badRequest;
  if (said === null) return { status: 404, body: { name: 'NotInBlockchain', message: `no ${hash} here` } };
  const subject = { asset, blockchain, type: subjectType, hash };
  const analysis = { id: 'analysis-1', type, subject, process_status: 'complete', risk_score: 0 };
  const rest = { evaluation_detail: { source: [], destination: [] }, cluster_entities: [] };
  return said.instead ?? { body: { ...analysis, ...rest, ...said } };
}

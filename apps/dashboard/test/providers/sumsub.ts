import { createHmac } from 'node:crypto';
import type { Json } from '../dashboard.ts';
import type { Reply } from './fake-server.ts';
import { badRequest, kyc, notFound, parse, unauthorized, type Vendor } from './vendor.ts';

const secret = 'sumsub secret key';
const level = 'basic-kyc-level';
const reviewed = (review: object) => ({ review: { levelName: level, attemptCnt: 1, ...review } });
const completed = (reviewResult: object) => reviewed({ reviewStatus: 'completed', reviewResult });

export const sumsub: Vendor = {
  id: 'sumsub',
  kind: 'kyc',
  env: (url) => ({
    KYC_PROVIDER: 'sumsub',
    SUMSUB_URL: url,
    SUMSUB_APP_TOKEN: 'sbx:token',
    SUMSUB_SECRET_KEY: secret,
    SUMSUB_LEVEL: level,
    SUMSUB_WEBHOOK_SECRET: 'sumsub webhook secret',
  }),
  wrong: ['SUMSUB_SECRET_KEY', 'another key'],

  answer({ method, path, headers, body }, said, now) {
    const time = String(headers['x-app-access-ts']);
    const signature = createHmac('sha256', secret).update(`${time}${method}${path}${body}`).digest('hex');
    const fresh = Math.abs(Number(time) - now.getTime() / 1000) < 60;
    if (headers['x-app-token'] !== 'sbx:token' || headers['x-app-access-sig'] !== signature || !fresh)
      return unauthorized;
    return method === 'POST' ? link(path, parse(body), said) : applicantAt(path, said);
  },

  meanings: [
    ['nobody known', null, kyc('pending')],
    ['green', completed({ reviewAnswer: 'GREEN' }), kyc('approved')],
    [
      'red for good',
      completed({ reviewAnswer: 'RED', reviewRejectType: 'FINAL', rejectLabels: ['FORGERY'] }),
      kyc('rejected'),
    ],
    ['red, to be tried again', completed({ reviewAnswer: 'RED', reviewRejectType: 'RETRY' }), kyc('pending')],
    ['in review', reviewed({ reviewStatus: 'pending' }), kyc('pending')],
    [
      'green at a weaker level',
      reviewed({ levelName: 'email', reviewStatus: 'completed', reviewResult: { reviewAnswer: 'GREEN' } }),
      kyc('pending'),
    ],
    [
      'green once, now reset',
      reviewed({ reviewStatus: 'init', reviewResult: { reviewAnswer: 'GREEN' } }),
      kyc('pending'),
    ],
    ['deleted', { ...completed({ reviewAnswer: 'GREEN' }), deleted: true }, kyc('pending')],
  ],
  nonsense: [
    ['an unknown status', reviewed({ reviewStatus: 'approvedByMagic' })],
    ['an unknown answer', completed({ reviewAnswer: 'BLUE' })],
    ['a wrong type', { review: { levelName: level, reviewStatus: 1 } }],
    ['no review', {}],
    ['another person', { ...completed({ reviewAnswer: 'GREEN' }), externalUserId: 'somebody-else' }],
  ],
};

function link(path: string, sent: Json, said: Json): Reply {
  if (path !== '/resources/sdkIntegrations/levels/-/websdkLink') return notFound;
  const { levelName, userId, ttlInSecs } = sent ?? {};
  if (levelName !== level || ttlInSecs !== 1800) return badRequest;
  return { body: said?.link ?? { url: `https://in.sumsub.com/websdk/p/${userId}` } };
}

function applicantAt(path: string, said: Json): Reply {
  const externalUserId = /^\/resources\/applicants\/-;externalUserId=([\w-]+)\/one$/.exec(path)?.[1];
  if (externalUserId === undefined || said === null) return notFound;
  const applicant = { id: '5b594ade0a975a36c9349e66', externalUserId, type: 'individual' };
  return { headers: { 'x-correlation-id': 'req-1' }, body: { ...applicant, ...said } };
}

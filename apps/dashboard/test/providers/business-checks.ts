import { createHash, createHmac } from 'node:crypto';
import type { Json } from '../dashboard.ts';
import type { Received, Reply } from './fake-server.ts';
import { badRequest, notFound, parse, unauthorized } from './vendor.ts';

/** A vendor's own server for checks of businesses, on its exact wire. */
export type KybFake = {
  readonly id: string;
  readonly env: (url: string) => Readonly<Record<string, string>>;
  readonly wrong: readonly [name: string, value: string];
  /** Checks the request as the vendor would. `said`: how every check stands; null: as it begins. */
  readonly answer: (received: Received, said: Json, now: Date) => Reply;
  readonly says: { readonly approved: Json; readonly rejected: Json; readonly open: Json };
  readonly meanings: ReadonlyArray<readonly [what: string, said: Json, means: string]>;
  readonly nonsense: ReadonlyArray<readonly [what: string, said: Json]>;
  /** What it was told of a company, by its own names. */
  readonly told: () => readonly Json[];
  readonly webhook: (
    checkId: string,
    event: string,
    now: Date,
    secret?: string,
  ) => { readonly body: string; readonly headers: Readonly<Record<string, string>> };
};

const hmac = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('hex');
const fileIdOf = (checkId: string) => createHash('sha256').update(checkId).digest('hex').slice(0, 24);

function isSignedForSumsub({ method, path, headers, body }: Received, now: Date): boolean {
  const time = String(headers['x-app-access-ts']);
  const signature = hmac('kyb secret key', `${time}${method}${path}${body}`);
  const fresh = Math.abs(Number(time) - now.getTime() / 1000) < 60;
  return headers['x-app-token'] === 'sbx:kyb' && headers['x-app-access-sig'] === signature && fresh;
}

const level = 'basic kyb/level';
const done = (reviewResult: object) => ({ reviewStatus: 'completed', reviewResult });
const green = { review: done({ reviewAnswer: 'GREEN' }) };
const red = {
  review: done({ reviewAnswer: 'RED', reviewRejectType: 'FINAL', rejectLabels: ['FRAUDULENT_PATTERNS'] }),
};
const sumsubMeanings: KybFake['meanings'] = [
  ['green', green, 'approved'],
  ['red for good', red, 'rejected'],
  ['red, to be tried again', { review: done({ reviewAnswer: 'RED', reviewRejectType: 'RETRY' }) }, 'pending'],
  ['documents are wanted', { wantsDocuments: true }, 'pending'],
  [
    'green at another level',
    { review: { ...done({ reviewAnswer: 'GREEN' }), levelName: 'email' } },
    'pending',
  ],
  ['deleted', { ...green, whole: { deleted: true } }, 'pending'],
];
const sumsubNonsense: KybFake['nonsense'] = [
  ['a person', { ...green, whole: { type: 'individual' } }],
  ['another business', { ...green, whole: { externalUserId: 'chk_other' } }],
  ['an unknown answer', { review: done({ reviewAnswer: 'BLUE' }) }],
  ['a file whose name is a path', { ...green, whole: { id: '../status' } }],
];

export function sumsubCompanies(): KybFake {
  const companies = new Map<string, Json>();
  const applicant = (externalUserId: string, said: Json) => ({
    id: fileIdOf(externalUserId),
    externalUserId,
    type: 'company',
    fixedInfo: companies.get(externalUserId)?.fixedInfo,
    ...said?.whole,
    review: { levelName: level, attemptCnt: 0, reviewStatus: 'init', ...said?.review },
  });

  function answer(received: Received, said: Json, now: Date): Reply {
    if (!isSignedForSumsub(received, now)) return unauthorized;
    const url = new URL(received.path, 'http://sumsub');
    if (received.method === 'GET') return read(url, said);
    return url.pathname === '/resources/applicants'
      ? create(url, parse(received.body), said)
      : request(url, said);
  }

  function read({ pathname }: URL, said: Json): Reply {
    const id = /^\/resources\/applicants\/-;externalUserId=([\w-]+)\/one$/.exec(pathname)?.[1] ?? '';
    return companies.has(id) && said?.gone !== true ? { body: applicant(id, said) } : notFound;
  }

  function request({ pathname }: URL, said: Json): Reply {
    const paths = [...companies.keys()].map((id) => `/resources/applicants/${fileIdOf(id)}/status/pending`);
    if (!paths.includes(pathname)) return notFound;
    const missing = { code: 409, description: 'Not all required documents or data are submitted.' };
    return said?.wantsDocuments === true ? { status: 409, body: missing } : { body: { ok: 1 } };
  }

  function create(url: URL, sent: Json, said: Json): Reply {
    const { companyName, registrationNumber, country } = sent?.fixedInfo?.companyInfo ?? {};
    const whole = [companyName, registrationNumber].every((each) => typeof each === 'string');
    if (url.searchParams.get('levelName') !== level || sent?.type !== 'company' || !whole) return badRequest;
    if (!/^[A-Z]{3}$/.test(country)) return badRequest;
    if (companies.has(sent.externalUserId))
      return { status: 409, body: { code: 409, description: 'Applicant already exists' } };
    companies.set(sent.externalUserId, sent);
    return { status: 201, body: applicant(sent.externalUserId, said) };
  }

  return {
    id: 'sumsub',
    env: (url) => ({
      KYB_PROVIDER: 'sumsub',
      SUMSUB_URL: url,
      SUMSUB_APP_TOKEN: 'sbx:kyb',
      SUMSUB_SECRET_KEY: 'kyb secret key',
      SUMSUB_KYB_LEVEL: level,
      SUMSUB_KYB_WEBHOOK_SECRET: 'kyb webhook secret',
    }),
    wrong: ['SUMSUB_SECRET_KEY', 'another key'],
    answer,
    says: { approved: green, rejected: red, open: { review: { reviewStatus: 'pending' } } },
    meanings: sumsubMeanings,
    nonsense: sumsubNonsense,
    told: () => [...companies.values()].map(({ fixedInfo }) => fixedInfo.companyInfo),
    webhook: sumsubEvent,
  };
}

const status = (word: unknown) => ({ attributes: { status: word } });

const personaMeanings: KybFake['meanings'] = [
  ['approved', status('approved'), 'approved'],
  ['declined', status('declined'), 'rejected'],
  ['under review', status('needs_review'), 'pending'],
  ['a word of its own type', status('ubo_outreach'), 'pending'],
];
const personaNonsense: KybFake['nonsense'] = [
  ['another business', { attributes: { status: 'approved', 'reference-id': 'chk_other' } }],
  ['another type of transaction', { ...status('approved'), type: { id: 'txntp_other' } }],
  ['a wrong type', status(true)],
];

export function personaTransactions(): KybFake {
  const made = new Map<string, Json>();
  const typeId = 'txntp_kyb';
  const transaction = (reference: string, said: Json) => ({
    type: 'transaction',
    id: `txn_${fileIdOf(reference)}`,
    attributes: {
      status: 'created',
      'reference-id': reference,
      fields: made.get(reference)?.fields,
      'created-at': '2026-11-21T10:00:00.000Z',
      ...said?.attributes,
    },
    relationships: { 'transaction-type': { data: { type: 'transaction-type', id: typeId, ...said?.type } } },
  });

  function answer({ method, path, headers, body }: Received, said: Json): Reply {
    if (headers.authorization !== 'Bearer persona_kyb_key') return unauthorized;
    if (headers['persona-version'] !== '2026-09-29' || headers['key-inflection'] !== 'kebab')
      return badRequest;
    const { pathname, searchParams } = new URL(path, 'http://persona');
    if (pathname !== '/api/v1/transactions') return notFound;
    return method === 'POST'
      ? create(parse(body)?.data?.attributes ?? {}, headers['idempotency-key'], said)
      : list(searchParams, said);
  }

  function create(attributes: Json, once: unknown, said: Json): Reply {
    const reference = attributes['reference-id'];
    // The same key is the same request: it is answered as the first was.
    if (attributes['transaction-type-id'] !== typeId || once !== reference) return badRequest;
    made.set(reference, attributes);
    return { status: 201, body: { data: transaction(reference, said) } };
  }

  function list(asked: URLSearchParams, said: Json): Reply {
    const reference = asked.get('filter[reference-id]') ?? '';
    if (asked.get('filter[transaction-type-id]') !== typeId) return notFound;
    const data = made.has(reference) && said?.gone !== true ? [transaction(reference, said)] : [];
    return { body: { data, links: { prev: null, next: null } } };
  }

  return {
    id: 'persona',
    env: (url) => ({
      KYB_PROVIDER: 'persona',
      PERSONA_URL: url,
      PERSONA_API_KEY: 'persona_kyb_key',
      PERSONA_KYB_TRANSACTION_TYPE_ID: typeId,
      PERSONA_KYB_WEBHOOK_SECRET: 'kyb webhook secret',
    }),
    wrong: ['PERSONA_API_KEY', 'another key'],
    answer,
    says: { approved: status('approved'), rejected: status('declined'), open: status('needs_review') },
    meanings: personaMeanings,
    nonsense: personaNonsense,
    told: () => [...made.values()].map(({ fields }) => fields),
    webhook: personaEvent,
  };
}

function personaEvent(reference: string, id: string, now: Date, secret = 'kyb webhook secret') {
  const about = {
    type: 'transaction',
    id: 'txn_1',
    attributes: { 'reference-id': reference, status: 'approved' },
  };
  const attributes = { name: 'transaction.status-updated', payload: { data: about } };
  const body = JSON.stringify({ data: { type: 'event', id: `evt_${id}`, attributes } });
  const seconds = Math.floor(now.getTime() / 1000);
  return {
    body,
    headers: { 'persona-signature': `t=${seconds},v1=${hmac(secret, `${seconds}.${body}`)}` },
  };
}

function sumsubEvent(
  externalUserId: string,
  correlationId: string,
  now: Date,
  secret = 'kyb webhook secret',
) {
  const body = JSON.stringify({
    applicantId: fileIdOf(externalUserId),
    applicantType: 'company',
    type: 'applicantReviewed',
    reviewResult: { reviewAnswer: 'GREEN' },
    externalUserId,
    correlationId,
  });
  return {
    body,
    headers: { 'x-payload-digest': hmac(secret, body), 'x-payload-digest-alg': 'HMAC_SHA256_HEX' },
  };
}

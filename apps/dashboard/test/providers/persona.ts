import type { Json } from '../dashboard.ts';
import type { Reply } from './fake-server.ts';
import { badRequest, kyc, notFound, parse, unauthorized, type Vendor } from './vendor.ts';

const templateId = 'itmpl_test';

export const persona: Vendor = {
  id: 'persona',
  kind: 'kyc',
  env: (url) => ({
    KYC_PROVIDER: 'persona',
    PERSONA_URL: url,
    PERSONA_API_KEY: 'persona_sandbox_key',
    PERSONA_TEMPLATE_ID: templateId,
    PERSONA_WEBHOOK_SECRET: 'persona webhook secret',
  }),
  wrong: ['PERSONA_API_KEY', 'another key'],

  answer({ method, path, headers, body }, said) {
    const { authorization, 'persona-version': version, 'key-inflection': inflection } = headers;
    if (authorization !== 'Bearer persona_sandbox_key') return unauthorized;
    if (version !== '2026-09-29' || inflection !== 'kebab') return badRequest;
    return method === 'POST' ? begin(path, parse(body), said) : list(new URL(path, 'http://persona'), said);
  },

  meanings: [
    ['nobody known', null, kyc('pending')],
    ['approved', { status: 'approved', tags: ['vip'] }, kyc('approved')],
    ['declined', { status: 'declined' }, kyc('rejected')],
    ['failed', { status: 'failed' }, kyc('rejected')],
    ['completed, where the template decides', { status: 'completed' }, kyc('pending')],
    ['under review', { status: 'needs_review' }, kyc('pending')],
    ['expired', { status: 'expired' }, kyc('pending')],
  ],
  nonsense: [
    ['an unknown status', { status: 'marvellous' }],
    ['a wrong type', { status: true }],
    ['another person', { status: 'approved', 'reference-id': 'somebody-else' }],
    ['more than one page of one', [{}, {}]],
    ['no attributes', [{ id: 'inq_1' }]],
  ],
};

function list({ pathname, searchParams }: URL, said: Json): Reply {
  const reference = searchParams.get('filter[reference-id]');
  const asked =
    searchParams.get('filter[inquiry-template-id]') === templateId && searchParams.get('page[size]') === '1';
  if (pathname !== '/api/v1/inquiries' || !asked) return notFound;
  const inquiry = (attributes: object) => ({
    type: 'inquiry',
    id: 'inq_1',
    attributes: { 'reference-id': reference, 'created-at': '2026-11-21T10:00:00.000Z', ...attributes },
  });
  const data = said === null ? [] : Array.isArray(said) ? said : [inquiry(said)];
  return { headers: { 'request-id': 'req-1' }, body: { data, links: { prev: null, next: null } } };
}

function begin(path: string, sent: Json, said: Json): Reply {
  if (path === '/api/v1/inquiries/inq_2/generate-one-time-link') {
    const data = { type: 'inquiry', id: 'inq_2' };
    return {
      body: said?.link ?? { data, meta: { 'one-time-link': 'https://withpersona.com/verify?code=us1-x' } },
    };
  }
  const attributes = sent?.data?.attributes ?? {};
  if (path !== '/api/v1/inquiries' || attributes['inquiry-template-id'] !== templateId) return notFound;
  return { status: 201, body: { data: { type: 'inquiry', id: 'inq_2', attributes } } };
}

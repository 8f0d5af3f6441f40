import { kyc, notFound, unauthorized, type Vendor } from './vendor.ts';

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

  answer({ method, path, headers }, said) {
    const { authorization, 'persona-version': version, 'key-inflection': inflection } = headers;
    if (authorization !== 'Bearer persona_sandbox_key') return unauthorized;
    const { pathname, searchParams } = new URL(path, 'http://persona');
    const reference = searchParams.get('filter[reference-id]');
    const asked =
      searchParams.get('filter[inquiry-template-id]') === templateId &&
      searchParams.get('page[size]') === '1';
    if (method !== 'GET' || pathname !== '/api/v1/inquiries' || !asked) return notFound;
    if (version !== '2026-09-29' || inflection !== 'kebab') return notFound;
    const inquiry = (attributes: object) => ({
      type: 'inquiry',
      id: 'inq_1',
      attributes: { 'reference-id': reference, 'created-at': '2026-11-21T10:00:00.000Z', ...attributes },
    });
    const data = said === null ? [] : Array.isArray(said) ? said : [inquiry(said)];
    return { headers: { 'request-id': 'req-1' }, body: { data, links: { prev: null, next: null } } };
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

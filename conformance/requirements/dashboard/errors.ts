import type { Requirement } from '../requirement.ts';

/** The envelope of every answer and which error comes when. */
export const dashboardErrorRequirements = [
  {
    id: 'dashboard.listen.address',
    source: 'page 2, Where it listens',
    behaviour:
      'countersign dashboard listens on http://127.0.0.1:4021; DASHBOARD_HOST and DASHBOARD_PORT change ' +
      'that.',
    status: 'tested',
  },
  {
    id: 'dashboard.listen.openapi',
    source: 'page 2, Where it listens',
    behaviour: 'GET /openapi.json answers an OpenAPI 3.1 document that names every endpoint.',
    status: 'tested',
  },
  {
    id: 'dashboard.listen.docs',
    source: 'page 2, Where it listens',
    behaviour: 'GET /docs shows the API reference, from files of our own.',
    status: 'tested',
  },
  {
    id: 'dashboard.listen.console',
    source: 'page 2, Where it listens',
    behaviour: 'GET / serves the console.',
    status: 'tested',
  },
  {
    id: 'dashboard.listen.health',
    source: 'page 2, Where it listens',
    behaviour: 'GET /health answers 200 while the process lives.',
    status: 'tested',
  },
  {
    id: 'dashboard.listen.ready',
    source: 'page 2, Where it listens; page 2, KYC and KYT',
    behaviour: 'GET /ready tells whether the dashboard can work and which KYC and KYT providers are in use.',
    status: 'tested',
  },
  {
    id: 'dashboard.listen.ready.screening',
    source: 'page 2, Where it listens; decision 0008',
    behaviour:
      'GET /ready is 503, ready: false, while every screening fails: without a fresh list where one is needed, or within ' +
      'half a minute of a failure of the vendors that are needed, or for as long as they asked to be left alone; answers ' +
      'that make no sense are a failure once five addresses in a row had one.',
    status: 'tested',
  },
  {
    id: 'dashboard.listen.metrics',
    source: 'page 2, Where it listens',
    behaviour: 'GET /metrics answers Prometheus text.',
    status: 'tested',
  },
  {
    id: 'dashboard.envelope.fields',
    source: 'document 2, Response envelope',
    behaviour: 'Every answer is {code, msg, data}: code an integer, msg a string, data an object or null.',
    status: 'tested',
  },
  {
    id: 'dashboard.envelope.documented',
    source: 'page 2, Where it listens',
    behaviour:
      'Every status and every answer of an endpoint is one that OpenAPI documents for it, whatever is sent; never 500.',
    status: 'tested',
  },
  {
    id: 'dashboard.envelope.code-apart-from-status',
    source: 'document 2, Response envelope; document 2, Errors',
    behaviour:
      'code is the business code, not the HTTP status: a refused call has HTTP 401 and code 80000040, say.',
    status: 'tested',
  },
  {
    id: 'dashboard.envelope.bodies-are-json',
    source: 'document 2, Endpoints',
    behaviour: 'Request bodies and answers are JSON.',
    status: 'tested',
  },
  {
    id: 'dashboard.error.unknown-route',
    source: 'page 2, Which error, when',
    behaviour: 'An unknown route is answered 404, 80000011, in the envelope.',
    status: 'tested',
  },
  {
    id: 'dashboard.error.wrong-method',
    source: 'page 2, Which error, when',
    behaviour: 'A known path with another method is answered 405, 80000002, in the envelope.',
    status: 'tested',
  },
  {
    id: 'dashboard.error.content-type',
    source: 'page 2, Which error, when',
    behaviour: 'A body of another content type than JSON is answered 415, 80000002, in the envelope.',
    status: 'tested',
  },
  {
    id: 'dashboard.error.broken-json',
    source: 'page 2, Which error, when',
    behaviour: 'A body that is no JSON is answered 400, 80000002, in the envelope.',
    status: 'tested',
  },
  {
    id: 'dashboard.error.body-too-large',
    source: 'page 2, Which error, when',
    behaviour: 'A body over 256 KiB is answered 413, 80000002, in the envelope.',
    status: 'tested',
  },
  {
    id: 'dashboard.error.request-id',
    source: 'page 2, Which error, when',
    behaviour: 'Every answer carries a header x-request-id.',
    status: 'tested',
  },
  {
    id: 'dashboard.error.order.syntax-first',
    source: 'page 2, Which error, when',
    behaviour: 'Broken JSON without a key is answered 80000002, not 80000040.',
    status: 'tested',
  },
  {
    id: 'dashboard.error.order.key-before-body',
    source: 'page 2, Which error, when',
    behaviour: 'A bad key with an invalid body is answered 401, not 400.',
    status: 'tested',
  },
  {
    id: 'dashboard.error.order.body-before-rules',
    source: 'page 2, Which error, when',
    behaviour: 'An invalid body about a thing that does not exist is answered 400, not 404.',
    status: 'tested',
  },
  {
    id: 'dashboard.error.success',
    source: 'document 2, Errors; page 2, Which error, when',
    behaviour:
      'Success is code 80000000 SUCCESS with HTTP 200, and with HTTP 201 for POST /api/transactions alone.',
    status: 'tested',
  },
  {
    id: 'dashboard.error.system-error',
    source: 'document 2, Errors; page 2, Which error, when',
    behaviour:
      'Anything unforeseen is 500, 80000001 SYSTEM_ERROR; msg holds no internals, and the x-request-id of ' +
      'the answer stands in the log.',
    status: 'tested',
  },
  {
    id: 'dashboard.error.param-error.missing-field',
    source: 'document 2, Errors; page 2, Which error, when',
    behaviour: 'A missing required field is 400, 80000002 PARAM_ERROR; msg names the field.',
    status: 'tested',
  },
  {
    id: 'dashboard.error.param-error.wrong-type',
    source: 'document 2, Errors; page 2, Which error, when',
    behaviour: 'A field of a wrong type is 400, 80000002 PARAM_ERROR; msg names the field.',
    status: 'tested',
  },
  {
    id: 'dashboard.error.repeated-submit',
    source: 'document 2, Errors; page 2, Which error, when',
    behaviour: 'A duplicate submission is 409, 80000003 REPEATED_SUBMIT.',
    status: 'tested',
  },
  {
    id: 'dashboard.error.unauthorized-operation',
    source: 'document 2, Errors; page 2, Which error, when',
    behaviour: 'An operation that the caller may not do is 403, 80000004 UNAUTHORIZED_OPERATION.',
    status: 'tested',
  },
  {
    id: 'dashboard.error.business-not-found',
    source: 'document 2, Errors; page 2, Which error, when',
    behaviour: 'A resource that does not exist is 404, 80000011 BUSINESS_NOT_FOUND.',
    status: 'tested',
  },
  {
    id: 'dashboard.error.invalid-param.address',
    source: 'document 2, Errors; page 2, Which error, when',
    behaviour: 'A string that is no address is 400, 80000012 INVALID_PARAM.',
    status: 'tested',
  },
  {
    id: 'dashboard.error.invalid-param.checksum',
    source: 'page 2, Which error, when',
    behaviour: 'A mixed-case address with a wrong EIP-55 checksum is 400, 80000012.',
    status: 'tested',
  },
  {
    id: 'dashboard.error.invalid-param.decimal',
    source: 'page 2, Which error, when',
    behaviour:
      'An amount that is no decimal, is negative or has more than 18 fractional digits is 400, 80000012.',
    status: 'tested',
  },
  {
    id: 'dashboard.error.invalid-param.log-amount',
    source: 'page 2, Which error, when',
    behaviour: 'An amount beyond (18,2) after rounding is 400, 80000012.',
    status: 'tested',
  },
  {
    id: 'dashboard.error.invalid-param.date',
    source: 'page 2, Which error, when',
    behaviour: 'A string that is no ISO 8601 date where one is due is 400, 80000012.',
    status: 'tested',
  },
  {
    id: 'dashboard.error.invalid-param.enum',
    source: 'page 2, Which error, when',
    behaviour: 'A value outside its enumeration is 400, 80000012.',
    status: 'tested',
  },
  {
    id: 'dashboard.error.invalid-param.range',
    source: 'page 2, Which error, when',
    behaviour: 'A number out of range (limit 101, page 0) is 400, 80000012; nothing is clamped.',
    status: 'tested',
  },
  {
    id: 'dashboard.error.invalid-param.length',
    source: 'page 2, Which error, when',
    behaviour: 'A text longer than its field is 400, 80000012; nothing is cut.',
    status: 'tested',
  },
  {
    id: 'dashboard.error.authentication-failed',
    source: 'document 2, Errors; page 2, Which error, when',
    behaviour: 'A session that is forged, expired or revoked is 401, 80000019 AUTHENTICATION_FAILED.',
    status: 'tested',
  },
  {
    id: 'dashboard.error.api-key-invalid',
    source: 'document 2, Errors; page 2, Which error, when',
    behaviour: 'An apiKey that is missing, unknown or revoked is 401, 80000040 API_KEY_INVALID.',
    status: 'tested',
  },
  {
    id: 'dashboard.error.access-token-required',
    source: 'document 2, Errors; page 2, Which error, when',
    behaviour: 'A session endpoint without a session is 401, 80000044 ACCESS_TOKEN_REQUIRED.',
    status: 'tested',
  },
  {
    id: 'dashboard.error.mandate-not-found',
    source: 'document 2, Errors; page 2, Which error, when',
    behaviour:
      'A mandate that does not exist, or a move on one that is revoked or pending, is 404, 80000053 ' +
      'MANDATE_NOT_FOUND.',
    status: 'tested',
  },
  {
    id: 'dashboard.error.mandate-expired',
    source: 'document 2, Errors; page 2, Which error, when',
    behaviour: 'An action that needs a live mandate, on an expired one, is 400, 80000054 MANDATE_EXPIRED.',
    status: 'tested',
  },
  {
    id: 'dashboard.error.mandate-exhausted',
    source: 'document 2, Errors; page 2, Which error, when',
    behaviour:
      'An action that needs a live mandate, on an exhausted one, is 400, 80000055 MANDATE_EXHAUSTED.',
    status: 'tested',
  },
  {
    id: 'dashboard.error.intent-per-tx-exceeded',
    source: 'document 2, Errors; page 2, Which error, when',
    behaviour:
      'A perTxLimit above totalBudget on create is 400, 80000056 INTENT_PER_TX_EXCEEDED, and makes nothing.',
    status: 'tested',
  },
  {
    id: 'dashboard.error.intent-per-tx-exceeded.update',
    source: 'page 2, Which error, when',
    behaviour: 'A perTxLimit above totalBudget on update is 400, 80000056.',
    status: 'tested',
  },
  {
    id: 'dashboard.error.intent-budget-exceeded',
    source: 'document 2, Errors; page 2, Which error, when; page 2, Mandates',
    behaviour: 'An adjust below used and held is 400, 80000057 INTENT_BUDGET_EXCEEDED.',
    status: 'tested',
  },
  {
    id: 'dashboard.error.rate-limited',
    source: 'page 2, Which error, when',
    behaviour: 'Too many requests are 429, 80000061 (RATE_LIMITED) with Retry-After.',
    status: 'tested',
  },
  {
    id: 'dashboard.error.foreign.mandate',
    source: 'page 2, Which error, when',
    behaviour: 'A mandate of another account, by id, is answered as if it did not exist: 404, 80000053.',
    status: 'tested',
  },
  {
    id: 'dashboard.error.foreign.key',
    source: 'page 2, Which error, when',
    behaviour: 'An API key of another account, by id, is answered as if it did not exist: 404, 80000011.',
    status: 'tested',
  },
  {
    id: 'dashboard.error.foreign.approval',
    source: 'page 2, Which error, when',
    behaviour: 'An approval of another account, by id, is answered as if it did not exist: 404, 80000011.',
    status: 'tested',
  },
  {
    id: 'dashboard.error.foreign.hold',
    source: 'page 2, Which error, when',
    behaviour: 'A hold of another account, by id, is answered as if it did not exist: 404, 80000011.',
    status: 'tested',
  },
  {
    id: 'dashboard.address.any-case',
    source: 'page 2, Which error, when',
    behaviour: 'Addresses are accepted in lower, upper and checksummed case and mean the same.',
    status: 'tested',
  },
  {
    id: 'dashboard.address.returned-checksummed',
    source: 'page 2, Which error, when',
    behaviour: 'Addresses are returned in EIP-55 checksummed case.',
    status: 'tested',
  },
  {
    id: 'dashboard.rate-limit.logins',
    source: 'page 2, What npm start sets up',
    behaviour:
      'RATE_LIMIT_LOGINS bounds the logins a minute of one address, by wallet and otherwise each apart; 30 if unset.',
    status: 'tested',
  },
  {
    id: 'dashboard.rate-limit.requests',
    source: 'page 2, What npm start sets up',
    behaviour: 'RATE_LIMIT_REQUESTS bounds the requests a minute of one address; 1200 if unset.',
    status: 'tested',
  },
  {
    id: 'dashboard.names.blank',
    source: 'issue 15, 22',
    behaviour:
      'A name that is stored (keys, mandates, identities) and shows no character is 400, 80000012: spaces, fillers, an ' +
      'accent on nothing.',
    status: 'tested',
  },
  {
    id: 'dashboard.names.legible',
    source: 'issue 16, 14',
    behaviour:
      'A name that is stored (keys, mandates, identities) holds no invisible character and none that turns the reading ' +
      'order; the refusal names it. Joiners and variants are allowed where they are spelling, and emoji.',
    status: 'tested',
  },
] as const satisfies readonly Requirement[];

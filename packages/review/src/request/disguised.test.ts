import { expect, test } from 'vitest';
import { type RequestFacts, requestFactsOf } from './facts.ts';
import type { SentRequest } from './seen.ts';
import { judgeRequest } from './judge.ts';

const site = 'https://shop.example';
const factsOf = (line: string, body: string, given: Partial<SentRequest> = {}): RequestFacts => {
  const [method = '', path = ''] = line.split(' ');
  const contentType = /^[[{]/.test(body) ? 'application/json' : 'application/x-www-form-urlencoded';
  const sent = { method, url: site + path, resource: 'fetch', contentType, body, carriesCredential: false };
  const about = { task: 'Log in and read my orders', approval: 'auto' } as const;
  return requestFactsOf({ ...sent, pageUrl: `${site}/home`, ...given }, about, (text) => text);
};
const rules = (facts: RequestFacts) => judgeRequest(facts).rules.map(({ rule }) => rule);
const persisted = (query: string, sha256Hash: string) =>
  JSON.stringify({
    operationName: 'GetMe',
    query,
    extensions: { persistedQuery: { version: 1, sha256Hash } },
  });
const getMe = 'query GetMe { me { id } }';

const carries = { carriesCredential: true };
const form = { contentType: 'application/x-www-form-urlencoded; charset=UTF-8' };

test.each([
  // Re-authentication at the address of the log-in.
  ['unknown-write', 'POST /login', '{"action":"close","password":"x"}', carries],
  ['delete', 'POST /login', 'op=delete&password=x', carries],
  ['delete', 'POST /login', 'password=x&delete_account=1', carries],
  ['unknown-write', 'POST /session', 'username=a&password=x&action=disable', carries],
  ['unknown-write', 'POST /login', 'password=x&amount=90', carries],
  ['unknown-write', 'POST /x/7f3a', '{"password":"x","sure":true}', carries],
  // A new password at an address that is called a log-in.
  ['credential_change', 'POST /login/password', 'password=x'],
  ['credential_change', 'POST /login/password', '{"value":"x"}'],
  ['credential_change', 'POST /login/password', '{"newPassword":"x"}'],
  ['credential_change', 'POST /login/password', 'password=x&new_password=y', carries],
  ['credential_change', 'POST /auth/pin', '{"pin":"1"}'],
  // Consent for a third party.
  ['permission_grant', 'POST /login/oauth/authorize', 'authorize=1&client_id=a&scope=repo'],
  ['permission_grant', 'POST /login/oauth/authorize', ''],
  ['permission_grant', 'POST /login-actions/consent', 'code=x&accept=Yes'],
  ['permission_grant', 'POST /signin/oauth/consent', '{"approve":true}'],
  ['permission_grant', 'POST /login/device', 'user_code=ABCD'],
  // Names of searches and of telemetry that are alone in their address say nothing of what their body is.
  ['unknown-write', 'POST /filter', '{"forward":"x"}'],
  ['unknown-write', 'POST /api/filter', '{"name":"x","value":1}'],
  ['unknown-write', 'POST /preview', '{"to":"x","content":5}'],
  ['unknown-write', 'POST /api/list', '{"name":"x"}'],
  ['delete', 'POST /api/list', '{"action":"delete"}'],
  ['delete', 'POST /api/list', '{"type":"delete","id":5}'],
  ['unknown-write', 'POST /heartbeat', '{"amount":5}'],
  ['unknown-write', 'POST /collect', '{"op":"close"}'],
  ['unknown-write', 'POST /collect', '{"amount":5,"to":"x"}'],
  ['unknown-write', 'POST /collect', 'parcel 17'],
  ['unknown-write', 'POST /analytics/collect', '{"op":"approve","id":5}'],
  // A document that stays with the server, or that is another than its hash says.
  ['unknown-write', 'POST /graphql', persisted('', 'ab12')],
  ['unknown-write', 'POST /graphql', persisted(getMe, 'ab12')],
  ['unknown-write', 'POST /graphql', `{"query":"${getMe}","doc_id":"17"}`],
  // Bodies that servers read in different ways.
  ['delete', 'POST /api/search', '{"op":"read","op":"delete"}'],
  ['unknown-write', 'POST /api/search', '{"op":"close","op":"read"}'],
  ['unknown-write', 'POST /api/search', '{"q":"a","\\u0071":"b"}'],
  ['unknown-write', 'POST /api/items', '{"filter":{"id":1,"id":2},"page":1}'],
  ['delete', 'POST /search', '{"q":"&op=delete&x=1"}', form],
  ['unknown-write', 'POST /search', 'q=tea', { contentType: 'application/json' }],
  ['unknown-write', 'POST /search', '{"q":"tea"}', { contentType: 'text/xml' }],
  ['unknown-write', 'POST /search', '<q>tea</q>', { contentType: 'application/json' }],
  ['unknown-write', 'POST /search', '{"q":"tea"}', { contentType: 'application/json; charset=utf-16' }],
  // What is only begun may go on with anything.
  ['unknown-write', 'POST /search', '', { isCut: true }],
  ['unknown-write', 'POST /search', 'q=tea', { isCut: true }],
  ['unknown-write', 'POST /api/search', '{"q":"tea"}', { isCut: true }],
  ['unknown-write', 'POST /login', 'username=a&password=x', { isCut: true, ...carries }],
  ['unknown-write', 'POST /graphql', `{"query":"${getMe}"}`, { isCut: true }],
  ['unknown-write', 'POST /collect', '{"event":"view"}', { isCut: true }],
  // What a GET says in its address.
  ['payment', 'GET /orders/37/pay', ''],
  ['payment', 'GET /artikel/37/kaufen', ''],
  ['payment', 'POST /orders/37/pay', ''],
  ['unknown-write', 'GET /items.php?id=7&op=close', ''],
  ['unknown-write', 'GET /tickets/7/close', ''],
  ['delete', 'GET /items.php?delete=7', ''],
  ['delete', 'GET /items/7?remove', ''],
  ['delete', 'GET /item.php?del_id=7', ''],
  ['delete', 'GET /index.php?r=item/delete&id=7', ''],
  ['delete', 'GET /items.php?action[]=delete&id=7', ''],
  // SQL that begins as a question.
  ['unknown-write', 'POST /api/query', '{"query":"select 1; drop table orders"}'],
  ['unknown-write', 'POST /api/query', '{"query":"/* all */ DELETE FROM orders"}'],
  [
    'unknown-write',
    'POST /api/query',
    '{"query":"WITH old AS (DELETE FROM orders RETURNING id) SELECT id FROM old"}',
  ],
  ['unknown-write', 'POST /api/query', '{"sql":"CALL close_all()"}'],
  ['unknown-write', 'POST /items/search', 'X-HTTP-Method-Override=DELETE&q=1', form],
] as const)(
  '%s, whatever its address is called: %s %s [vault.review.request]',
  (rule, line, body, given: Partial<SentRequest> = {}) => {
    expect(rules(factsOf(line, body, given))).toContain(`request.${rule}`);
  },
);

test.each([
  ['POST /login', 'op=login&password=x', carries],
  ['POST /login', 'username=a&password=x&commit=Sign+in', carries],
  ['POST /login', 'username=a&password=x&submit=Submit&mode=process', carries],
  ['POST /login', 'username=a&password=x&action=authenticate', carries],
  ['POST /u/login/password', 'state=x&username=a&password=x&action=default', carries],
  ['POST /auth/password', 'password=x', carries],
  ['POST /adfs/oauth2/authorize', 'UserName=a&Password=x', carries],
  ['POST /x/7f3a', '{"username":"a","password":"x"}', carries],
  ['POST /heartbeat', ''],
  ['POST /heartbeat', '{"ts":1700000000,"session":"a"}'],
  ['POST /collect', '{"event":"delete_clicked","props":{"amount":5}}'],
  ['POST /collect', '[{"event":"view","url":"/a"}]'],
  ['POST /api/5/envelope/?sentry_key=a', '{"event_id":"a"}\n{"type":"session"}\n{}', { contentType: '' }],
  ['POST /filter', '{"keyword":"tea","page":2}'],
  ['POST /api/list', '{"page":2,"limit":10}'],
  ['POST /api/list', ''],
  ['POST /api/orders/list', '{"state":"closed"}'],
  ['POST /graphql', JSON.stringify({ operationName: 'GetMe', query: getMe, variables: { id: 1 } })],
  ['POST /search', '{"q":"tea"}', form],
  ['POST /search', '{"q":"tea"}', { contentType: 'text/plain;charset=UTF-8' }],
  ['POST /search', '{"q":"tea"}', { contentType: 'application/vnd.api+json; charset="utf-8"' }],
  ['POST /api/search', '{"q":"tea","filters":[{"id":1},{"id":2}],"sort":{"id":1}}'],
  ['GET /orders/37', ''],
  ['GET /orders/37/payments', ''],
  ['GET /help/37/pay', ''],
  ['GET /account/close', ''],
  ['GET /orders?status=closed', ''],
] as const)('passes: %s %s [vault.review.request]', (line, body, given: Partial<SentRequest> = {}) => {
  expect(rules(factsOf(line, body, given))).toEqual(['none']);
});

import { expect, test } from 'vitest';
import { type RequestFacts, requestFacts, requestFactsOf } from './facts.ts';
import type { SentRequest } from './seen.ts';
import { judgeRequest } from './judge.ts';

const site = 'https://shop.example';
const factsOf = (
  line: string,
  body = '',
  given: Partial<SentRequest> = {},
  task = 'Log in and read my orders',
  approval: 'auto' | 'human' | 'never' = 'auto',
): RequestFacts => {
  const [method = '', path = ''] = line.split(' ');
  const contentType = /^[[{]/.test(body) ? 'application/json' : 'application/x-www-form-urlencoded';
  const sent = { method, url: site + path, resource: 'fetch', contentType, body, carriesCredential: false };
  return requestFactsOf({ ...sent, pageUrl: `${site}/home`, ...given }, { task, approval }, (text) => text);
};
const rules = (facts: RequestFacts) => judgeRequest(facts).rules.map(({ rule }) => rule);

test.each([
  ['GET /payments'],
  ['GET /members'],
  ['GET /billing'],
  ['GET /checkout'],
  ['HEAD /api/keys'],
  ['OPTIONS /items/5/delete'],
  ['GET /docs/api/delete'],
  ['GET /icons/delete.svg'],
  ['GET /wiki/Delete'],
  ['GET /posts/new'],
  ['GET /account/close'],
  ['POST /search', '{"query":"pens","page":2}'],
  ['POST /search', '{"query":"delete account"}'],
  ['POST /products/_search', '{"query":{"match":{"name":"pen"}}}'],
  ['POST /graphql', '{"query":"query Orders { orders { id deletedAt } }"}'],
  ['POST /graphql', '{"query":"{ orders { id } }"}'],
  ['POST /api/orders', '{"filter":{"status":"open"},"page":1}'],
  ['POST /rpc', '{"jsonrpc":"2.0","id":1,"method":"orders.list","params":{}}'],
  ['POST /api/orders/list', '{"page":1}'],
  ['POST /collect', '{"event":"click"}'],
  ['POST /api/analytics/events', '{"event":"delete_clicked"}'],
  ['POST /login', 'username=a&password=b&csrf=c'],
  ['POST /api/auth/login', '{"email":"a","password":"b"}'],
  ['POST /oauth/token', 'grant_type=refresh_token&refresh_token=x'],
  ['POST /session', 'user[email]=a&user[password]=b&user[remember_me]=1&commit=Sign+in'],
  ['POST /login/2fa', 'otp=123456', { pageUrl: `${site}/login` }],
  ['POST /login', 'username=a&password=b&password2=&email='],
  ['POST /pin', 'username=a&password=b', { carriesCredential: true }],
  [
    'POST /graphql',
    '{"query":"mutation Login($e:String!){ login(email:$e){ token } }"}',
    { pageUrl: `${site}/login` },
  ],
] as const)('passes: %s %s', (line, body: string = '', given: Partial<SentRequest> = {}) => {
  expect(judgeRequest(factsOf(line, body, given))).toMatchObject({
    verdict: 'allow',
    rules: [{ rule: 'none' }],
  });
});

test.each([
  ['delete', 'GET /graphql?query=mutation{deleteItem(id:1){ok}}'],
  ['unknown-write', 'POST /sql', '{"query":"UPDATE users SET a = 1"}'],
  ['unknown-write', 'POST /auth/token', '{"name":"ci","scopes":["all"]}'],
  ['unknown-write', 'POST /verify', '{"orderRef":5}'],
  ['delete', 'DELETE /items/5'],
  ['delete', 'POST /items/5/delete'],
  ['delete', 'POST /items/5', '_method=DELETE'],
  ['delete', 'GET /items/5/delete'],
  ['delete', 'GET /account/close?id=3'],
  ['delete', 'GET /index.php?action=delete&id=5'],
  ['delete', 'POST /search', '{"query":"x","action":"delete"}'],
  ['delete', 'POST /graphql', '{"query":"query A { a } mutation B { deleteItem(id:1) { ok } }"}'],
  ['delete', 'POST /graphql', '{"query":"query { deleteAccount { ok } }"}'],
  ['delete', 'POST /rpc', '{"jsonrpc":"2.0","id":1,"method":"account.delete"}'],
  ['delete', 'POST /login', '{"op":"delete_account","password":"x"}', { carriesCredential: true }],
  ['payment', 'POST /payments', '{"amount":5}'],
  ['payment', 'POST /x', '{"op":"transfer","amount":5}'],
  ['payment', 'POST /api/checkout/sessions', '{"cart":1}'],
  ['credential_change', 'POST /account', 'current_password=x&new_password=y', { carriesCredential: true }],
  ['credential_change', 'POST /pin', 'username=a&password=b'],
  ['credential_change', 'POST /pin', 'password=b', { carriesCredential: true }],
  ['credential_change', 'POST /pin', 'username=a&password=b&new_pin=c', { carriesCredential: true }],
  ['unknown-write', 'POST /login', 'username=a&password=b&password2=c'],
  ['public_post', 'POST /comments', '{"text":"x"}', { carriesCredential: true }],
  ['api_key_creation', 'POST /api/keys', '{"name":"x"}'],
  ['permission_grant', 'POST /team/members', '{"email":"x"}'],
  ['mfa_change', 'POST /settings/2fa/disable', '{}'],
  ['unknown-write', 'POST /continue', '{"a":1}'],
  ['unknown-write', 'PUT /profile', '{"city":"x"}'],
  ['unknown-write', 'GET /logout'],
] as const)('%s: %s %s', (rule, line, body: string = '', given: Partial<SentRequest> = {}) => {
  expect(rules(factsOf(line, body, given))).toContain(`request.${rule}`);
});

test('a kind that the task names is put before a person, one that it does not name is refused, an unknown write is asked [vault.review.request]', () => {
  expect(judgeRequest(factsOf('DELETE /drafts/1', '', {}, 'Delete the draft')).verdict).toBe('ask');
  expect(judgeRequest(factsOf('DELETE /drafts/1')).verdict).toBe('deny');
  expect(judgeRequest(factsOf('POST /continue', '{}')).verdict).toBe('ask');
  expect(judgeRequest(factsOf('POST /continue', '{}', {}, 'x', 'never')).verdict).toBe('deny');
});

test('the facts of a request are plain JSON without text of its body or query, and judged again give the same [vault.review.request.facts-without-text]', () => {
  const facts = factsOf('POST /search?q=Zqsecret', '{"query":"Zqsecret","Zqname":"Zqsecret"}');
  expect(JSON.stringify(facts)).not.toContain('Zq');
  const read = requestFacts.parse(JSON.parse(JSON.stringify(facts)));
  expect(judgeRequest(read)).toEqual(judgeRequest(facts));
});

test('what a header calls is called, at the address of a search too [vault.review.act.at-the-request]', () => {
  const calling = (action: string) => factsOf('POST /search', '{}', { action });
  expect(calling('DynamoDB_20120810.ListTables').purpose).toBe('search');
  expect(rules(calling('DynamoDB_20120810.DeleteTable'))).toEqual(['request.delete']);
  expect(calling('7f3a9c0012de').purpose).toBe('write');
});

test('a log-in that puts a session there is one, and no other PUT [vault.review.act.at-the-request]', () => {
  const put = (path: string, carriesCredential: boolean) =>
    factsOf(`PUT ${path}`, '{"email":"a@b.example","password":"x"}', {
      carriesCredential,
      pageUrl: `${site}/login`,
    }).purpose;
  expect(put('/api/session', true)).toBe('login');
  expect(put('/api/session', false)).toBe('write');
  expect(put('/api/me', true)).toBe('write');
});

test.each(['publish', 'invite', 'shareDocument'])(
  'a body of a log-in that says op=%s is none [vault.review.act.at-the-request]',
  (op) => {
    const body = (said: string) => `username=ada&password=x&op=${said}`;
    const given = { carriesCredential: true, pageUrl: `${site}/login` };
    expect(factsOf('POST /login', body('login'), given).purpose).toBe('login');
    expect(factsOf('POST /login', body('sendCode'), given).purpose).toBe('login');
    const facts = factsOf('POST /login', body(op), given);
    expect(judgeRequest(facts).verdict).not.toBe('allow');
  },
);

import { expect, test } from 'vitest';
import { requestFactsOf } from './facts.ts';
import type { SentRequest } from './seen.ts';
import { judgeRequest } from './judge.ts';

const site = 'https://shop.example';
const rulesOf = (line: string, body: string, given: Partial<SentRequest> = {}): string[] => {
  const [method = '', path = ''] = line.split(' ');
  const contentType = /^[[{]/.test(body) ? 'application/json' : 'application/x-www-form-urlencoded';
  const sent = { method, url: site + path, resource: 'fetch', contentType, body, carriesCredential: false };
  const about = { task: 'Log in and read my orders', approval: 'auto' } as const;
  const facts = requestFactsOf({ ...sent, pageUrl: `${site}/home`, ...given }, about, (text) => text);
  return judgeRequest(facts).rules.map(({ rule }) => rule);
};

const text = { contentType: 'text/plain;charset=UTF-8' };
const form = { contentType: 'application/x-www-form-urlencoded; charset=UTF-8' };
const carries = { carriesCredential: true };
const json = (value: unknown): string => JSON.stringify(value);

const events = 'POST /socket.io/?EIO=4&transport=polling&sid=abc';
const hub = 'POST /hub?id=abc';
const mark = '\u001e';

const pager =
  '__EVENTTARGET=grid%24pager&__EVENTARGUMENT=&__VIEWSTATE=abc&__VIEWSTATEGENERATOR=1&__EVENTVALIDATION=def';
const faces = (source: string, more: string): string =>
  `javax.faces.partial.ajax=true&javax.faces.source=${source}&javax.faces.partial.execute=f:t&javax.faces.partial.render=f:t&${more}&f=f&javax.faces.ViewState=1:2`;
const paging =
  'f:t=f:t&f:t_pagination=true&f:t_first=10&f:t_rows=10&f:t_skipChildren=true&f:t_encodeFeature=true';

const livewire = (updates: object, calls: readonly object[]): string =>
  json({ _token: 'x', components: [{ snapshot: '{"data":[]}', updates, calls }] });
const call = (method: string, ...params: unknown[]) => ({ path: '', method, params });
const livewire2 = (...updates: object[]): string =>
  json({ fingerprint: { id: 'x' }, serverMemo: {}, updates });

const batched = { contentType: 'multipart/mixed; boundary=b' };
const part = (line: string, more = ''): string =>
  `--b\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n${line} HTTP/1.1\r\nAccept: application/json\r\n${more}\r\n\r\n`;
const lines = { contentType: 'application/x-ndjson' };
const grpc = { contentType: 'application/grpc-web+proto' };

const getMe = 'query GetMe { me { id } }';
const hash = '0123456789abcdef'.repeat(4);
const persisted = (operationName: string, sha256Hash: string, query?: string): string =>
  json({ operationName, variables: {}, query, extensions: { persistedQuery: { version: 1, sha256Hash } } });

test.each([
  // Connections.
  ['POST /hub/negotiate?negotiateVersion=1', '', text],
  ['POST /api/v1/hubs/orders/negotiate?negotiateVersion=1', '', text],
  [hub, `{"protocol":"json","version":1}${mark}`, text],
  [hub, `{"type":6}${mark}`, text],
  [hub, `{"type":1,"invocationId":"0","target":"GetOrders","arguments":[]}${mark}`, text],
  [events, '2', text],
  [events, '3', text],
  [events, '40', text],
  [events, '40/orders,{"token":"x"}', text],
  [events, `3${mark}2probe`, text],
  [events, '420["getOrders",{"page":2}]', text],
  ['POST /socket.io/?EIO=3&transport=polling&sid=abc', '1:2', text],
  ['POST /socket.io/?EIO=3&transport=polling&sid=abc', '2:40', text],
  // Counting.
  ['POST /v1/t', json({ type: 'track', event: 'Viewed', anonymousId: 'a', messageId: 'm', properties: {} })],
  ['POST /v1/p', json({ type: 'page', name: 'Home', anonymousId: 'a', context: {}, writeKey: 'w' })],
  ['POST /v1/batch', json({ batch: [{ type: 'track', event: 'Paid', userId: 'u' }], sentAt: 'x' })],
  ['POST /wp-admin/admin-ajax.php', 'action=heartbeat&_nonce=x&interval=60&screen_id=front&has_focus=true'],
  ['POST /wp-admin/admin-ajax.php', 'action=heartbeat&data%5Bwp-auth-check%5D=true&interval=15&_nonce=x'],
  ['POST /cookie-consent', ''],
  ['POST /cookie-consent', '{"accepted":["necessary","statistics"]}'],
  ['POST /api/cookies/consent', 'choice=reject'],
  ['POST /consent', '{"analytics":false}'],
  ['POST /api/consent', '{"necessary":true,"analytics":false,"marketing":false}'],
  ['POST /api/event', '{"n":"pageview","u":"https://shop.example/a","d":"shop.example","r":null}'],
  // Questions by time.
  ['POST /orders', '{"from":"2026-01-01","to":"2026-02-01"}'],
  ['POST /api/transactions', '{"startDate":"2026-01-01T00:00:00Z","endDate":"2026-02-01"}'],
  // A page or an order of a table.
  ['POST /Orders.aspx', pager],
  ['POST /Orders.aspx', pager.replace('grid%24pager&__EVENTARGUMENT=', 'grid&__EVENTARGUMENT=Page%243')],
  ['POST /Orders.aspx', `${pager}&ctl00%24txtSearch=pen&ctl00%24ddlStatus=open`],
  [
    'POST /Orders.aspx',
    '__VIEWSTATE=abc&__EVENTVALIDATION=def&ctl00%24txtSearch=pen&ctl00%24btnSearch=Search',
  ],
  ['POST /orders.xhtml', faces('f:t', paging)],
  ['POST /orders.xhtml', faces('f:t', 'f:t=f:t&f:t_sorting=true&f:t_sortKey=a&f:t_sortDir=1')],
  ['POST /orders.xhtml', faces('f:t', paging).replaceAll('javax.', 'jakarta.')],
  ['POST /livewire/update', livewire({}, [call('nextPage', 'page')])],
  ['POST /livewire/update', livewire({}, [call('gotoPage', 3, 'page')])],
  ['POST /livewire/update', livewire({ search: 'pen', 'paginators.page': 2 }, [])],
  ['POST /livewire/update', livewire({}, [call('sortBy', 'name')])],
  ['POST /livewire/message/orders', livewire2({ type: 'callMethod', payload: call('nextPage') })],
  [
    'POST /livewire/message/orders',
    livewire2({ type: 'syncInput', payload: { name: 'search', value: 'x' } }),
  ],
  [
    'POST /orders/data',
    'draw=2&columns[0][data]=id&columns[0][name]=&columns[0][searchable]=true&columns[0][search][value]=&order[0][column]=0&order[0][dir]=asc&start=10&length=10&search[value]=&search[regex]=false',
  ],
  ['POST /views/ajax', 'view_name=orders&view_display_id=page_1&pager_element=0&page=2&_drupal_ajax=1'],
  ['POST /orders.xhtml', 'javax.faces.partial.ajax=true&f:t_pagination=true&f:t_first=10'],
  ['POST /livewire/update', json({ components: [{ updates: { page: 2 } }] })],
  ['POST /cookieconsent', '{"level":"necessary"}'],
  ['POST /order/detail', '{"orderId":7}'],
  // Many reads in one.
  ['POST /odata/$batch', `${part('GET Orders?$top=5')}${part('GET Orders(7)')}--b--`, batched],
  ['POST /odata/$batch', json({ requests: [{ id: '1', method: 'GET', url: '/Orders' }] })],
  ['POST /logs/_msearch', '{"index":"a"}\n{"query":{"match_all":{}}}\n{}\n{"size":5}\n', lines],
  ['POST /_msearch', '{"index":"a"}\n{"query":{"match_all":{}}}\n', { contentType: 'application/json' }],
  [
    'POST /1/indexes/*/queries?x-algolia-agent=a',
    json({ requests: [{ indexName: 'p', params: 'query=pen&hitsPerPage=20&facets=%5B%5D' }] }),
    form,
  ],
  // Calls by name.
  ['POST /graphql', persisted('GetMe', hash)],
  ['POST /graphql', persisted('GetMe', hash, getMe)],
  ['POST /api/graphql', 'fb_api_req_friendly_name=CometNewsFeedQuery&doc_id=123&variables=%7B%7D'],
  ['POST /shop.v1.OrderService/ListOrders', '\u0000\u0000\u0000\u0000\u0002\b\u0005', grpc],
  ['POST /shop.v1.OrderService/ListOrders', 'AAAAAAIIBQ==', { contentType: 'application/grpc-web-text' }],
  ['POST /trpc/orders.list?batch=1', '{"0":{"json":{"page":1}}}'],
  ['POST /api/trpc/orders.list,user.get?batch=1', '{"0":{"page":1},"1":{}}'],
  ['GET /_next/data/build5/orders.json?page=2', ''],
  // Log-ins.
  [
    'POST /v1/accounts:signInWithPassword?key=k',
    '{"email":"a","password":"x","returnSecureToken":true,"clientType":"CLIENT_TYPE_WEB"}',
    carries,
  ],
  ['POST /realms/pay/login-actions/authenticate?session_code=c', 'username=a&password=x', carries],
  ['POST /realms/pay/protocol/openid-connect/token', 'grant_type=refresh_token&refresh_token=x&client_id=c'],
  ['POST /u/password?state=abc', 'state=abc&password=x&action=default', carries],
  ['POST /u/password?state=abc', 'state=abc&username=a&password=x', carries],
] as const)(
  'what a framework reads, counts or logs in by passes: %s %s [vault.review.request.wire]',
  (line, body, given: Partial<SentRequest> = {}) => {
    expect(rulesOf(line, body, given)).toEqual(['none']);
  },
);

test.each([
  ['POST /contracts/7/negotiate?negotiateVersion=1', '', text],
  ['POST /deals/negotiate?negotiateVersion=1', '{"price":5}'],
  ['POST /deals/negotiate', ''],
  [hub, `{"type":1,"target":"PlaceOrder","arguments":[]}${mark}`, text],
  [hub, `{"type":6}${mark}{"type":1,"target":"Close","arguments":[]}${mark}`, text],
  [hub, `{"type":1,"target":"GetOrders","arguments":[]}`, text],
  [events, '42["approve",{"id":7}]', text],
  [events, `2${mark}42["approve",{"id":7}]`, text],
  [events, '42/orders,["approve",{"id":7}]', text],
  [events, '451-["read",{"_placeholder":true,"num":0}]', text],
  [events, 'bAQID', text],
  [events, '42["getOrders"', text],
  ['POST /socket.io/?EIO=3&transport=polling&sid=abc', '1:216:42["approve",{}]', text],
  ['POST /approvals/7?EIO=4&transport=polling&sid=abc', '2', text],
  ['POST /v1/t', '{"amount":5,"to":"x"}'],
  ['POST /v1/p', '{"type":"page","op":"close","anonymousId":"a"}'],
  ['POST /v1/t', '{"type":"track"}'],
  ['POST /v1/batch', '{"batch":[{"type":"close","id":7}]}'],
  ['POST /v1/batch', '{"batch":[{"type":"track","event":"a"},{"method":"PUT","path":"/x"}]}'],
  ['POST /api/event', '{"n":"Party","u":"x","d":"y","guests":5}'],
  ['POST /views/ajax', 'view_name=orders&view_display_id=page_1&action=approve'],
  ['POST /items/7/t', json({ type: 'track', event: 'a', anonymousId: 'a' })],
  ['POST /wp-admin/admin-ajax.php', 'action=heartbeat&data%5Bwp_autosave%5D%5Bpost_id%5D=5'],
  ['POST /wp-admin/admin-ajax.php', 'action=heartbeat&amount=5'],
  ['POST /cookie-consent', '{"newsletter":true}'],
  ['POST /consent', '{"marketing":true}'],
  ['POST /consent', '{"analytics":true,"study":"S1"}'],
  ['POST /consent', ''],
  ['POST /patients/7/consent', '{"analytics":true}'],
  ['POST /leave-requests', '{"from":"2026-01-01","to":"2026-02-01"}'],
  ['POST /orders', '{"from":"a","to":"b"}'],
  ['POST /orders/7', '{"from":"2026-01-01","to":"2026-02-01"}'],
  ['POST /transfers', '{"from":"2026-01-01","to":"2026-02-01","sum":5}'],
  ['POST /Orders.aspx', pager.replace('pager', 'btnApprove')],
  ['POST /Orders.aspx', pager.replace('grid%24pager&__EVENTARGUMENT=', 'grid&__EVENTARGUMENT=Approve%243')],
  ['POST /Orders.aspx', `${pager}&ctl00%24btnApprove=OK`],
  ['POST /Orders.aspx', `${pager}&ctl00%24b1=OK`],
  ['POST /OrderSearch.aspx', '__VIEWSTATE=abc&__EVENTVALIDATION=def&ctl00%24btnApprove=Approve'],
  ['POST /orders.xhtml', faces('f:approve', paging)],
  ['POST /orders.xhtml', 'javax.faces.partial.ajax=true&f:t_pagination=true&f:approve=1'],
  ['POST /1/indexes/x/settings', '{"hitsPerPage":20}'],
  ['POST /orders.xhtml', faces('f:t', `${paging}&f:approve=f:approve`)],
  ['POST /orders.xhtml', faces('f:t', `${paging}&f:t_rowEditAction=save`)],
  ['POST /search.xhtml', faces('f:approve', 'f:approve=f:approve')],
  ['POST /livewire/update', livewire({}, [call('nextPage'), call('approve', 7)])],
  ['POST /livewire/update', livewire({ role: 'admin' }, [])],
  ['POST /livewire/update', livewire({ method: 'sepa', path: 'x' }, [])],
  ['POST /livewire/update', json({ components: [], op: 'close' })],
  ['POST /orders/7/approve', livewire({}, [call('nextPage', 'page')])],
  ['POST /livewire/message/orders', livewire2({ type: 'callMethod', payload: call('approve', 7) })],
  ['POST /livewire/message/orders', livewire2({ type: 'syncInput', payload: { name: 'role', value: 'x' } })],
  ['POST /odata/$batch', `${part('GET Orders')}${part('PATCH Orders(7)')}--b--`, batched],
  ['POST /odata/$batch', `${part('GET Orders', 'X-HTTP-Method: MERGE\r\n')}--b--`, batched],
  [
    'POST /odata/$batch',
    `--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n${part('POST Orders').replace('--b', '--c')}--c--\r\n--b--`,
    batched,
  ],
  ['POST /odata/$batch', `${part('GET Orders(7)/close?id=7')}--b--`, batched],
  ['POST /odata/$batch', 'GET', batched],
  ['POST /odata/$batch', `${part('GET Orders')}${part(' POST Orders')}--b--`, batched],
  [
    'POST /odata/$batch',
    `${part('GET Orders')}${part('POST Orders').replace('-Type:', '-Type :')}--b--`,
    batched,
  ],
  ['POST /odata/$batch', `${part('GET Orders')}${part('patch Orders(7)')}--b--`, batched],
  ['POST /order/detail', '{"orderId":7,"state":"paid"}'],
  [
    'POST /odata/$batch',
    json({
      requests: [
        { method: 'GET', url: '/a' },
        { method: 'PATCH', url: '/a' },
      ],
    }),
  ],
  ['POST /odata/$batch', json({ requests: [{ url: '/Orders' }] })],
  ['POST /logs/_msearch', '{"index":"a"}\n{"op":"close"}\n', lines],
  ['POST /logs/_bulk', '{"index":{}}\n{"a":1}\n', lines],
  ['POST /tasks', '{"query":"a"}\n{"op":"close"}\n', { contentType: 'application/json' }],
  ['POST /settings', json({ requests: [{ params: 'query=pen&forward=x' }] }), form],
  ['POST /graphql', persisted('ApproveOrder', hash)],
  ['POST /graphql', persisted('ApproveOrder', hash, getMe)],
  ['POST /graphql', persisted('GetMe', 'ab12')],
  ['POST /graphql', json({ extensions: { persistedQuery: { version: 1, sha256Hash: hash } } })],
  ['POST /api/graphql', 'fb_api_req_friendly_name=ApproveFeedQuery&doc_id=123'],
  ['POST /shop.v1.OrderService/ApproveOrder', '\u0000\u0000\u0000\u0000\u0002\b\u0005', grpc],
  ['POST /trpc/orders.list,orders.approve?batch=1', '{"0":{"json":{"page":1}}}'],
  ['POST /trpc/list.approve', '{"0":{"json":{"page":1}}}'],
  ['POST /v1/accounts:update?key=k', '{"idToken":"x","displayName":"y"}'],
] as const)(
  'what wears such a shape and does more is stopped: %s %s [vault.review.request.wire]',
  (line, body, given: Partial<SentRequest> = {}) => {
    expect(rulesOf(line, body, given)).not.toContain('none');
  },
);

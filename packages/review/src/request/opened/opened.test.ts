import { expect, test } from 'vitest';
import { shop } from '../../../test/corpus/situations.ts';
import { requestFactsOf } from '../facts.ts';
import { judgeRequest } from '../judge.ts';
import { actsWhenFetched } from '../kinds.ts';
import { changesByStatement } from './statement.ts';

const about = { task: 'Log in and read my orders', approval: 'auto' } as const;
const rulesOf = (method: string, path: string, body = '', contentType = 'application/json'): string[] => {
  const sent = { method, url: shop + path, resource: 'fetch', contentType, body, carriesCredential: false };
  const facts = requestFactsOf({ ...sent, pageUrl: `${shop}/home` }, about, (text) => text);
  return judgeRequest(facts).rules.map(({ rule }) => rule);
};

test.each([
  // Encoded again, in parameters of a path, behind `;`, in pairs of a path.
  ['%2564elete/7', '%2573elect/7'],
  ['items/7/%252564elete', 'items/7'],
  ['orders/7;action=cancel', 'orders/7;view=full'],
  ['index.php?action=lock;topic=7', 'index.php?action=profile;topic=7'],
  ['checkout/cart/delete/id/7', 'sales/order/view/order_id/7'],
  // Two words written as one, and other languages.
  ['deleteorder?id=7', 'deletedorders?id=7'],
  ['deluser.php?name=eve', 'delhi.php?name=eve'],
  ['board/deletePro.jsp?num=7', 'board/listPro.jsp?num=7'],
  ['artikel/freischalten/7', 'artikel/bearbeiten/7'],
  ['amigos/añadir?id=7', 'amigos/añadidos?id=7'],
  ['zamowienie/anuluj/7', 'zamowienie/anulowane/7'],
  // What a query tells a program to do.
  ['items/7?_method=PUT', 'items/7?_method=GET'],
  ['api?mode=queue&name=delete', 'api?mode=queue&name=pen'],
  ['control?cmd=GPIO,2,1', 'control?cmd=status,2,1'],
  ['outlet?7=OFF', 'outlet?7=4'],
  ['course/mod.php?sesskey=a1&hide=7', 'course/view.php?sesskey=a1&id=7'],
  ['users.php?block_user=7', 'users.php?user=7&page=2'],
  // A body or a statement in a query.
  ['solr/core/update?stream.body=<delete><query>*:*</query></delete>', 'solr/core/select?q=delete'],
  [
    'jsonrpc?request={"jsonrpc":"2.0","method":"System.Shutdown"}',
    'jsonrpc?request={"jsonrpc":"2.0","method":"System.GetProperties"}',
  ],
  ['query?q=DROP+DATABASE+a', 'query?q=SHOW+DATABASES'],
  ['db?sql=update+users+set+role=1', 'search?q=update+users+set+role'],
  // Without a thing that is named.
  ['token/rotate', 'token/history'],
  ['notifications/mark-all-read', 'notifications/all'],
  ['axis-cgi/restart.cgi', 'restart.html'],
])('/%s acts by being opened, and /%s reads [vault.review.act.by-address]', (act, read) => {
  expect([act, ...rulesOf('GET', `/${act}`)]).not.toContain('none');
  expect(actsWhenFetched(`${shop}/${act}`)).toBe(true);
  expect([read, ...rulesOf('GET', `/${read}`)]).toEqual([read, 'none']);
});

test.each([
  '/%2564elete/%2567%2567',
  '/a%252',
  '/%E0%A4%A/delete?id=7',
  '/?a=%25%25%25',
  '/;;;=;',
  '/?;=;&;',
])('an address that nobody can decode is judged all the same: %s [vault.review.act.by-address]', (path) => {
  expect(rulesOf('GET', path).length).toBeGreaterThan(0);
});

test('asking which methods an address has changes nothing [vault.review.act.harmless]', () => {
  for (const path of ['/users/7/ban', '/items/7/delete']) expect(rulesOf('OPTIONS', path)).toEqual(['none']);
});

const text = 'text/plain';
test.each([
  ['{"query":"x","update":{"status":"closed"}}', '{"query":"x","updated":{"gte":"2026-01-01"}}'],
  ['{"q":"x","notify":true}', '{"q":"x","notified":true}'],
  ['{"q":"x","subscribe":true}', '{"q":"x","subscribe":false}'],
  ['{"q":{"id":7},"u":{"$unset":{"mfa":1}}}', '{"q":{"price":{"$gt":7}}}'],
  ['{"filter":{"$where":"sleep(1)"}}', '{"filter":{"$in":[1]}}'],
  ['{"script":{"source":"ctx._source.n = 1"}}', '{"script_fields":{"n":{"script":{"source":"doc.n"}}}}'],
  ['{"query":"MATCH (n) DETACH DELETE n"}', '{"query":"MATCH (n) WHERE n.deleted RETURN n"}'],
  ['{"sql":"SELECT 1; DROP TABLE users"}', '{"sql":"SELECT dropped FROM tables"}'],
  ['{"command":["DEL","a"]}', '{"command":["GET","a"]}'],
  ['{"method":"deleteUser","params":[7]}', '{"method":"getUser","params":[7]}'],
  ['{"q":"x","then":"archive"}', '{"q":"then archive"}'],
])('under the address of a search %s acts, and %s asks [vault.review.act.by-body]', (act, read) => {
  expect([act, ...rulesOf('POST', '/api/search', act)]).not.toContain('none');
  expect([read, ...rulesOf('POST', '/api/search', read)]).toEqual([read, 'none']);
});

test.each([
  ['DELETE FROM users', 'SELECT * FROM users'],
  ['INSERT DATA { <a> <b> <c> }', 'SELECT ?a WHERE { ?a ?b ?c }'],
  ['approve the request 7', 'requests that were approved'],
])('a body of text is a statement: %s acts, and %s asks [vault.review.act.by-body]', (act, read) => {
  expect(rulesOf('POST', '/api/query', act, text)).not.toContain('none');
  expect(rulesOf('POST', '/api/query', read, text)).toEqual(['none']);
});

test.each([
  [
    'PREFIX a: <b>\nDELETE { ?s ?p ?o } WHERE { ?s ?p ?o }',
    'PREFIX a: <b>\nCONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }',
  ],
  ['CLEAR SILENT GRAPH <a>', 'ASK { ?s ?p ?o }'],
  ["MATCH (u) SET u.role = 'admin'", 'MATCH (u) WHERE u.set = 1 RETURN u'],
  ["MERGE (u:User {name: 'eve'})", 'CALL db.labels()'],
  ["SELECT * FROM users INTO OUTFILE '/tmp/x'", 'SELECT a, b FROM users'],
  ['SELECT pg_terminate_backend(7)', 'SELECT max(a) FROM users'],
  ['SELECT * INTO copies FROM users', 'SELECT a FROM b WHERE c = 1'],
  ['from(bucket:"a") |> to(bucket:"b")', 'from(bucket:"a") |> mean()'],
  ['.drop table Users', '.show tables'],
  ["g.V().has('name','eve').drop()", 'g.V().count()'],
  ['FOR u IN users REMOVE u IN users', 'FOR u IN users RETURN u'],
  ['index=a | outputlookup users.csv', 'index=a | stats count by user'],
])('%s changes something, and %s asks [vault.review.act.by-body]', (act, read) => {
  expect(changesByStatement(act)).toBe(true);
  expect(changesByStatement(`# first\n  ${act}`)).toBe(true);
  expect(changesByStatement(read)).toBe(false);
});

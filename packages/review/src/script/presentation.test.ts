import { expect, test } from 'vitest';
import { readScript } from './read.ts';

const vc = '{{CREDENTIAL.credential_json}}';
const post = (body: string, more = '') => `await fetch('/verify', {method: 'POST', body: ${body}${more}})`;

const credential = { type: ['VerifiableCredential'], name: 'Ada "the" first' };
const values: Readonly<Record<string, string>> = {
  credential_json: JSON.stringify(credential),
  did: 'did:example:ada',
};

/** The body as the site receives it. */
function bodyOf(script: string): string {
  const reading = readScript(script);
  if (reading.kind !== 'presents') throw new Error(JSON.stringify(reading));
  const fields = [...script.matchAll(/\{\{CREDENTIAL\.(\w+)\}\}/g)].map(([, field]) => field ?? '');
  const written = {
    json: (text: string) => JSON.stringify(text).slice(1, -1),
    form: (text: string) => new URLSearchParams([['', text]]).toString().slice(1),
    uri: encodeURIComponent,
  };
  return (reading.requests[0]?.body ?? [])
    .map((piece) =>
      typeof piece === 'string'
        ? piece
        : piece.layers.reduce(
            (text, layer) => written[layer](text),
            values[fields[piece.placeholder] ?? ''] ?? '',
          ),
    )
    .join('');
}

const text = JSON.stringify(credential);

test.each([
  ['alone', vc, text],
  ['as an object', `JSON.stringify({vp: ${vc}})`, JSON.stringify({ vp: credential })],
  [
    'at any depth',
    `JSON.stringify({a: [{b: {c: ${vc}}}, 1, true, null]})`,
    JSON.stringify({ a: [{ b: { c: credential } }, 1, true, null] }),
  ],
  ['as text in quotes', `JSON.stringify({vp: '${vc}'})`, JSON.stringify({ vp: text })],
  ['as text of JSON', `JSON.stringify({vp: JSON.stringify(${vc})})`, JSON.stringify({ vp: text })],
  [
    'as text of text',
    `JSON.stringify({a: JSON.stringify({vp: JSON.stringify(${vc})})})`,
    JSON.stringify({ a: JSON.stringify({ vp: text }) }),
  ],
  ['parsed', `JSON.stringify({vp: JSON.parse(${vc})})`, JSON.stringify({ vp: credential })],
  ['in JSON written by hand', `'{"vp": ${vc}}'`, `{"vp": ${text}}`],
  ['in a template', '`{"vp": ${' + vc + '}}`', `{"vp": ${text}}`],
  ['in texts put together', `'{"vp": ' + ${vc} + '}'`, `{"vp": ${text}}`],
  [
    'in a form',
    `new URLSearchParams({vp: ${vc}, keep: 1})`,
    new URLSearchParams({ vp: text, keep: '1' }).toString(),
  ],
  [
    'in a form as text',
    `new URLSearchParams({a: 'ü ', vp: ${vc}}).toString()`,
    new URLSearchParams({ a: 'ü ', vp: text }).toString(),
  ],
  ['encoded', `'vp=' + encodeURIComponent(${vc})`, `vp=${encodeURIComponent(text)}`],
  [
    'beside the name of its owner',
    `JSON.stringify({vp: ${vc}, 'did': {{CREDENTIAL.did}}})`,
    JSON.stringify({ vp: credential, did: values['did'] }),
  ],
])('a credential stands in a body %s [vault.review.identity.presentation]', (_, body, expected) => {
  expect(bodyOf(post(body))).toBe(expected);
});

test('what a request is beside its body is read from the text', () => {
  const script = `const url = '/verify/' + 'it';
    const vp = JSON.stringify({vp: ${vc}});
    const answer = await window.fetch(url, {method: 'post', headers: {'Content-Type': 'application/json'}, body: vp, credentials: 'include', mode: 'cors'});
    return (await answer.json()).ok`;
  const reading = readScript(script);
  expect(reading).toMatchObject({
    kind: 'presents',
    acts: [],
    requests: [
      {
        url: '/verify/it',
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        credentials: 'include',
      },
    ],
  });
  const rest = reading.kind === 'presents' ? reading.rest : '';
  expect(rest.replace(/\s+/g, ' ')).toBe(
    "const url = '/verify/' + 'it'; const vp = null; const answer = await window.fetch(); return (await answer.json()).ok",
  );
});

test.each([
  `return (async () => { const r = await fetch('/verify', {method: 'POST', body: ${vc}}); return r.status })()`,
  `try { const r = await fetch('/verify', {method: 'POST', body: ${vc}}); if (!r.ok) return 'no'; return await r.json() } catch (e) { return e.message }`,
  `return fetch('/verify', {method: 'POST', body: ${vc}}).then(r => r.json())`,
  `const [a] = await Promise.all([fetch('/verify', {method: 'POST', body: ${vc}})]); return a.status`,
  `let r; r = await fetch('/verify', {method: 'PUT', body: ${vc},}); return r.status`,
])('is sent whatever the script reads: %s', (script) => {
  expect(readScript(script)).toMatchObject({ kind: 'presents', acts: [] });
});

test('several are sent in their order', () => {
  const script = `${post(vc)}; const r = await fetch('/second', {method: 'POST', body: {{CREDENTIAL.did}}}); return r.status`;
  expect(readScript(script)).toMatchObject({ requests: [{ url: '/verify' }, { url: '/second' }] });
});

test.each([
  `window.vc = ${vc}`,
  `localStorage.vc = ${vc}`,
  `return ${vc}`,
  `await fetch('/x?' + ${vc})`,
  `await fetch(location.href, {method: 'POST', body: ${vc}})`,
  `await fetch('/x', {body: ${vc}})`,
  `await fetch('/x', {method: 'POST', headers: {x: ${vc}}})`,
  `await fetch('/x', {method: 'POST', headers: {x: ${vc}}, body: ${vc}})`,
  `await fetch('/x/${vc}', {method: 'POST', body: 'x'})`,
  `await fetch('/x', {method: document.title, body: ${vc}})`,
  `await fetch('/x', {method: 'POST', body: ${vc} + document.title})`,
  `await fetch('/x', {method: 'POST', body: JSON.stringify({...{vp: ${vc}}})})`,
  `await fetch('/x', {method: 'POST', body: btoa(${vc})})`,
  `await fetch('/x', {method: 'POST', body: ${vc}, signal: s})`,
  `if (document.title) ${post(vc)}`,
  `document.title && ${post(vc)}`,
  `for (const a of [1, 2]) ${post(vc)}`,
  `if (!document.querySelector('#ready')) return 'not yet'; ${post(vc)}`,
  `const send = async () => ${post(vc)}; return 1`,
  `const fetch = (url, {body}) => body; return fetch('/x', {method: 'POST', body: ${vc}})`,
  `const vp = ${vc}; ${post('vp')}; return vp`,
  `let vp = ${vc}; ${post('vp')}`,
  `const vp = ${vc}; ${post("'x'")}`,
  `${post(vc)}; // ${vc}`,
])('is none, and nothing is sent: %s [vault.review.identity.no-leak]', (script) => {
  expect(readScript(script).kind).toBe('placeholder');
});

test('what a script does beside presenting is told', () => {
  expect(readScript(`${post(vc)}; document.title = 'x'`)).toMatchObject({
    kind: 'presents',
    acts: [{ what: 'markup' }],
  });
});

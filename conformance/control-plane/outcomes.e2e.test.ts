import { randomUUID } from 'node:crypto';
import { isReceiptSigned } from '@countersign/audit-log/receipt';
import { readPublicKey } from '@countersign/audit-log/keys';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { joinControlPlane, type TestControlPlane } from './fixtures/control-plane.ts';
import { type Sent, startHostileService } from './fixtures/hostile-service.ts';

/** An answer that is whole, of this status. */
const whole = (status: number, head = '', body = '{"said":1}'): Sent => ({
  text: `HTTP/1.1 ${status} Said\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n${head}\r\n${body}`,
});
const raw = (...lines: readonly string[]): Sent => ({ text: lines.join('\r\n') });
const statuses = [200, 202, 400, 401, 404, 408, 409, 422, 429, 500, 501, 502, 503, 504, 505, 599, 999];

const answers: Record<string, Sent> = {
  ...Object.fromEntries(statuses.map((status) => [String(status), whole(status)])),
  'wait-429': whole(429, 'retry-after: 7\r\n'),
  'wait-503': whole(503, 'retry-after: 7\r\n'),
  300: whole(300),
  302: whole(302, 'location: http://127.0.0.1:1/\r\n'),
  304: raw('HTTP/1.1 304 Not Modified', '', ''),
  308: whole(308, 'location: /do/200\r\n'),
  204: raw('HTTP/1.1 204 No Content', '', ''),
  hints: raw('HTTP/1.1 100 Continue', '', 'HTTP/1.1 103 Early Hints', 'link: </a>', '', whole(200).text),
  switching: raw('HTTP/1.1 101 Switching Protocols', 'upgrade: other', 'connection: upgrade', '', 'hello'),
  nothing: raw(''),
  garbage: raw('hello', '', ''),
  'half-a-head': raw('HTTP/1.1 200 OK', 'content-le'),
  'half-a-body': raw('HTTP/1.1 200 OK', 'content-length: 100', '', '{"paid":tr'),
  'half-a-chunk': raw('HTTP/1.1 200 OK', 'transfer-encoding: chunked', '', '20', '{"paid"'),
  'half-a-refusal': raw('HTTP/1.1 422 No', 'content-length: 100', '', '{"why":'),
  'too-short-a-length': raw(
    'HTTP/1.1 200 OK',
    'content-type: application/json',
    'content-length: 5',
    '',
    '{"paid":true}',
  ),
  'two-lengths': raw('HTTP/1.1 200 OK', 'content-length: 2', 'content-length: 9', '', '{}'),
  'length-and-chunks': raw('HTTP/1.1 200 OK', 'content-length: 2', 'transfer-encoding: chunked', '', '{}'),
  'a-long-head': raw('HTTP/1.1 200 OK', `x: ${'y'.repeat(100_000)}`, 'content-length: 2', '', '{}'),
  compressed: raw('HTTP/1.1 200 OK', 'content-encoding: gzip', 'content-length: 2', '', 'xx'),
  old: raw('HTTP/1.0 200 OK', 'content-type: application/json', '', '{"old":1}'),
  'old-and-cut': raw('HTTP/1.0 200 OK', 'content-type: application/json', '', '{"old":'),
  'no-text': raw('HTTP/1.1 200 OK', 'content-type: application/json', 'content-length: 2', '', 'OK'),
  'too-long-a-length': { ...raw('HTTP/1.1 200 OK', 'content-length: 100', '', '{"paid":tr'), open: true },
  endless: { ...raw('HTTP/1.1 200 OK', `content-length: ${100 * 2 ** 20}`, '', ''), megabytes: 100 },
};

let control: TestControlPlane;
let service: Awaited<ReturnType<typeof startHostileService>>;
let policyId: string;
beforeAll(async () => {
  [control, service] = await Promise.all([joinControlPlane(), startHostileService(answers)]);
  const policy = { name: 'all', cedar: 'permit(principal, action, resource);' };
  policyId = (await control.admin('POST', '/v1/policies', policy)).data.policy_id;
  for (const [name, safe_to_retry] of [
    ['hostile', false],
    ['again', true],
  ] as const) {
    const connector = { service: name, type: 'http', safe_to_retry, definition: service.definition };
    expect(await control.admin('POST', '/v1/connectors', connector)).toMatchObject({ status: 201 });
  }
});
afterAll(async () => {
  await control?.stop();
  await service?.stop();
});

async function ended(what: string, { action = 'do', service: name = 'hostile', seconds = 20 } = {}) {
  const body = {
    policy_id: policyId,
    user_id: 'ann',
    service: name,
    action,
    params: { what },
    timeout_seconds: seconds,
  };
  const headers = { 'idempotency-key': randomUUID() };
  const { status, data } = await control.ask('POST', '/v1/executions', {
    key: control.keys.service,
    headers,
    body,
  });
  expect(status).toBe(200);
  return data;
}
type Ended = Awaited<ReturnType<typeof ended>>;
const told = ({ status, target_status, error }: Ended) => [status, target_status, error?.code ?? null];

const unknown = 'outcome_unknown';
const rows: readonly (readonly [what: string, ...told: readonly unknown[]])[] = [
  ['200', 'completed', 200, null],
  ['202', 'completed', 202, null],
  ['204', 'completed', 204, null],
  ['hints', 'completed', 200, null],
  ['old', 'completed', 200, null],
  ['no-text', 'completed', 200, null],
  ['300', 'failed', 300, 'not_followed'],
  ['302', 'failed', 302, 'not_followed'],
  ['304', 'failed', 304, 'not_followed'],
  ['308', 'failed', 308, 'not_followed'],
  ['400', 'failed', 400, 'target_error'],
  ['401', 'failed', 401, 'target_error'],
  ['404', 'failed', 404, 'target_error'],
  ['409', 'failed', 409, 'target_error'],
  ['422', 'failed', 422, 'target_error'],
  ['half-a-refusal', 'failed', 422, 'target_error'],
  ['501', 'failed', 501, 'target_error'],
  ['505', 'failed', 505, 'target_error'],
  ['408', unknown, 408, unknown],
  ['429', unknown, 429, unknown],
  ['wait-429', unknown, 429, unknown],
  ['500', unknown, 500, unknown],
  ['502', unknown, 502, unknown],
  ['503', unknown, 503, unknown],
  ['wait-503', unknown, 503, unknown],
  ['504', unknown, 504, unknown],
  ['599', unknown, 599, unknown],
  ['999', unknown, 999, unknown],
  ['nothing', unknown, null, 'target_unreachable'],
  ['garbage', unknown, null, 'target_unreachable'],
  ['half-a-head', unknown, null, 'target_unreachable'],
  ['two-lengths', unknown, null, 'target_unreachable'],
  ['length-and-chunks', unknown, null, 'target_unreachable'],
  ['a-long-head', unknown, null, 'target_unreachable'],
  ['switching', unknown, null, 'target_unreachable'],
  ['half-a-body', unknown, 200, 'target_unreachable'],
  ['half-a-chunk', unknown, 200, 'target_unreachable'],
  ['too-short-a-length', unknown, 200, 'target_unreachable'],
  ['compressed', unknown, 200, 'target_unreachable'],
  ['old-and-cut', unknown, 200, 'target_unreachable'],
  ['endless', unknown, 200, 'answer_too_large'],
];

test('completed, failed and outcome_unknown are what a hostile service truly said [control-plane.execution.outcome] [control-plane.execution.target-status]', async () => {
  const before = service.asked.length;
  const seen: unknown[] = [];
  for (const [what] of rows) seen.push([what, ...told(await ended(what))]);
  expect(seen).toEqual(rows);
  expect(service.asked).toHaveLength(before + rows.length);
});

test('a status that was heard before the time was up is told [control-plane.execution.target-status]', async () => {
  expect(told(await ended('too-long-a-length', { seconds: 2 }))).toEqual([unknown, 200, 'connector_timeout']);
});

test('what changes nothing, or the same however often it is done, has failed where its answer leaves that open [control-plane.execution.outcome]', async () => {
  for (const action of ['look', 'set']) {
    expect(told(await ended('500', { action }))).toEqual(['failed', 500, 'target_error']);
    expect(told(await ended('half-a-body', { action }))).toEqual(['failed', 200, 'target_unreachable']);
    expect(told(await ended('endless', { action }))).toEqual(['failed', 200, 'answer_too_large']);
    expect(told(await ended('308', { action }))).toEqual(['failed', 308, 'not_followed']);
  }
});

test('where the definition documents how the service says that it did nothing, that is believed [control-plane.execution.outcome.documented]', async () => {
  const of = async (what: string) => told(await ended(what, { action: 'documented' }));
  expect(await of('wait-429')).toEqual(['failed', 429, 'target_error']);
  expect(await of('wait-503')).toEqual(['failed', 503, 'target_error']);
  expect(await of('502')).toEqual(['failed', 502, 'target_error']);
  expect(await of('429')).toEqual([unknown, 429, unknown]);
  expect(await of('503')).toEqual([unknown, 503, unknown]);
  expect(await of('500')).toEqual([unknown, 500, unknown]);
});

test('an answer that leaves it open is told whole and asked for once, also where it is safe to retry what was cut off', async () => {
  const before = service.asked.length;
  const execution = await ended('500', { service: 'again' });
  expect(execution).toMatchObject({ status: unknown, data: { said: 1 } });
  expect(service.asked).toHaveLength(before + 1);
});

test('the status stands in the receipt, under its signature [control-plane.execution.target-status]', async () => {
  const { auditPublicKey } = (await control.ask('GET', '/v1/attestation/report')).data;
  const key = readPublicKey(auditPublicKey);
  for (const [what, status] of [
    ['200', 200],
    ['422', 422],
    ['500', 500],
    ['nothing', null],
  ] as const) {
    const { target_status, proof } = await ended(what);
    expect([target_status, proof.receipt.target_status]).toEqual([status, status]);
    const isSigned = (one: typeof proof) => key !== null && isReceiptSigned(one, key);
    expect(isSigned(proof)).toBe(true);
    expect(isSigned({ ...proof, receipt: { ...proof.receipt, target_status: 201 } })).toBe(false);
  }
});

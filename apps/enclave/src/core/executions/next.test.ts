import { defaultRules, nextPlaceholder } from '@countersign/protocol/control/rotation';
import type { CommandRequest } from '@countersign/protocol/enclave/commands';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type RunningCore, startOnSocket } from '../../../test/core-on-socket.ts';
import { bindingOf, opened, sealed } from '../../../test/credentials.ts';
import { completed, digestOf, minted, runOf } from '../../../test/executions.ts';
import type { Run } from '../connector-runs/connector.ts';

let core: RunningCore;
let runs: Run[] = [];
beforeAll(async () => {
  const runConnector = (run: Run) => {
    runs.push(run);
    return Promise.resolve(completed({ ok: true }));
  };
  core = await startOnSocket({ runConnector });
});
afterAll(() => core.stop());
beforeEach(() => {
  runs = [];
});

const why = { actor: 'user:ada', reason: 'to look' };
const key = { plaintext: Buffer.from('{"key":"first"}'), binding: () => bindingOf({ type: 'api_key' }) };

async function newKey(plaintext = key.plaintext, binding = key.binding()) {
  const current = await sealed(core.client, { binding, plaintext });
  const request = { binding, envelope: current.envelope, version: 2, rules: defaultRules };
  return { current, answer: await core.client.call('control.newValue', request) };
}
async function nextOf() {
  const { current, answer } = await newKey();
  if (!answer.ok) throw new Error(answer.error.code);
  const { binding, envelope } = answer.value.reply;
  return { credential: { binding: current.binding, envelope: current.envelope }, binding, envelope };
}

test('a new value is sealed as its version alone, and nobody is told it', async () => {
  const { current, answer } = await newKey();
  if (!answer.ok) throw new Error(answer.error.code);
  const { binding, envelope, fingerprint } = answer.value.reply;
  expect(binding).toEqual({ ...current.binding, version: 2 });
  expect(answer.value.body.length).toBe(0);
  const text = await opened(core.client, { binding, envelope, ...why });
  expect(JSON.parse(text)).toEqual({ key: expect.stringMatching(/^[A-Za-z0-9]{32}$/) });
  expect(fingerprint).toMatch(/^hmac-sha256:/);
  for (const moved of [current.binding, { ...binding, version: 3 }, { ...binding, tenantId: 'other' }])
    expect(await opened(core.client, { binding: moved, envelope, ...why })).toBe('CANNOT_DECRYPT');
});

test('there is no new value of a log-in kept as a key, nor of what does not open', async () => {
  const { answer, current } = await newKey(Buffer.from('{"key":"ann:secret"}'));
  expect(answer).toMatchObject({ error: { code: 'INVALID_PLAINTEXT' } });
  const request = { envelope: current.envelope, version: 2, rules: defaultRules };
  const moved = { ...current.binding, version: 7 };
  expect(await core.client.call('control.newValue', { ...request, binding: moved })).toMatchObject({
    error: { code: 'CANNOT_DECRYPT' },
  });
});

async function run(paramsText: string, about: Partial<CommandRequest<'control.run'>>) {
  const { token, claims } = await minted(core.client, { params_hash: digestOf(paramsText) });
  return core.client.call('control.run', runOf(claims, token, about), Buffer.from(paramsText));
}
const text = JSON.stringify({ new_key: nextPlaceholder });

test('a connector is given a decoy of the same form in the place of the new value', async () => {
  const { credential, ...next } = await nextOf();
  const rules = { length: 40, alphabet: 'abcdefghij' };
  const ran = await run(text, { credential, next: { ...next, param: 'new_key', rules } });
  expect(ran).toMatchObject({ value: { reply: { ended: { status: 'completed' } } } });
  expect(runs).toMatchObject([{ params: { new_key: expect.stringMatching(/^[a-j]{40}$/) } }]);
  expect(runs[0]?.next?.decoy).toBe(runs[0]?.params['new_key']);
});

test('a next value of another credential or tenant, for another member, or without the one in use is no command', async () => {
  const { credential, ...next } = await nextOf();
  const other = await nextOf();
  const whole = { ...next, param: 'new_key', rules: defaultRules };
  const wrong: Partial<CommandRequest<'control.run'>>[] = [
    { next: whole },
    { credential: other.credential, next: whole },
    { credential, next: { ...whole, binding: { ...next.binding, tenantId: 'other' } } },
    { credential, next: { ...whole, param: 'else' } },
    { credential, next: whole, connector: { type: 'postgres', definition: {} } },
  ];
  for (const about of wrong)
    expect(await run(text, about)).toMatchObject({ error: { code: 'INVALID_COMMAND', field: 'next' } });
  expect(await run('{"new_key":"mine"}', { credential, next: whole })).toMatchObject({
    error: { code: 'INVALID_COMMAND', field: 'next' },
  });
  expect(runs).toEqual([]);
});

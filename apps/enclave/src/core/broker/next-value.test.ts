import { ok } from '@countersign/protocol/result';
import { expect, test } from 'vitest';
import { lending } from '../../../test/connectors.ts';
import { nextValueOf } from './next-value.ts';

const decoy = 'Abcdefghijklmnop1234';
const value = 'Zyxwvutsrqponmlk9876';
const nextOf = (secret: Parameters<typeof lending>[0] = value) => {
  const { lend, lent } = lending(secret);
  const next = nextValueOf({ next: { param: 'new_key', decoy, lend } });
  if (next === null) throw new Error('there is one');
  return { ...next, lent };
};
/** What is sent of a body; what the service answers to that is the same. */
const put = async (body: string, next = nextOf()) => {
  let sent = '';
  const answer = await next.giveIn(Buffer.from(body), (filled) => {
    sent = filled.toString();
    return Promise.resolve(ok({ status: 200, headers: { 'x-sent': sent }, text: sent }));
  });
  expect(JSON.stringify(answer)).not.toContain(value);
  return answer.ok ? sent : answer.error.code;
};

test('the value stands where its decoy stood, and everything else as it was', async () => {
  expect(await put(`{"a":"é","new_key":"${decoy}","b":[1]}`)).toBe(`{"a":"é","new_key":"${value}","b":[1]}`);
  const login = nextOf({ username: 'ann', password: value });
  expect(await put(`{"new_key": "${decoy}"}`, login)).toBe(`{"new_key": "${value}"}`);
});

test('a request that has no decoy, or two, is not what rotates: nothing is opened for it', async () => {
  const bodies = ['', '{"new_key":"mine"}', `{"new_key":"${decoy}","again":"${decoy}"}`, decoy];
  for (const body of bodies) {
    const next = nextOf();
    expect(await put(body, next)).toBe('egress_denied');
    expect(next.lent).toEqual([]);
  }
});

test('a decoy in any other place than the member that takes the new value is refused: nothing is opened for it', async () => {
  for (const body of [
    `{"display_name":"${decoy}"}`,
    `{"display_name":"${decoy}","new_key":"mine"}`,
    `{"new_key":"mine-${decoy}"}`,
    `{"new_key":["${decoy}"]}`,
    `{"new_key":{"new_key":"${decoy}"}}`,
    `{"deep":{"new_key":"${decoy}"}}`,
    `{"${decoy}":"new_key"}`,
    `{"new_key":"mine","new_key":"${decoy}"}`,
    `{"new_key":"${decoy}","n\\u0065w_key":"mine"}`,
    `[{"new_key":"${decoy}"}]`,
    `{"new_key":"${decoy}"`,
  ]) {
    const next = nextOf();
    expect(await put(body, next)).toBe('egress_denied');
    expect(next.lent).toEqual([]);
  }
});

test('what comes back is masked, and nothing of it is left at the end', async () => {
  const next = nextOf();
  await put(`{"new_key":"${decoy}"}`, next);
  const { masker } = next.loan;
  for (const form of [value, Buffer.from(value).toString('base64'), encodeURIComponent(value)]) {
    expect(masker.text(`now ${form}`)).not.toContain(form);
    expect(JSON.stringify(masker.json({ [form]: [form] }))).not.toContain(form);
  }
  await next.loan.end();
  expect(next.lent.map((bytes) => bytes.every((byte) => byte === 0))).toEqual([true]);
  expect(await put(`{"new_key":"${decoy}"}`, { ...nextOf(), giveIn: next.giveIn })).not.toContain(value);
});

import { expect, test } from 'vitest';
import { Slots } from './slots.ts';

const never = new AbortController().signal;
const fill = async (slots: Slots) => {
  for (let n = 0; n < 128; n++) expect(await slots.enter(never)).toBe('entered');
};

test('the 129th call waits for its turn, in order of arrival', async () => {
  const slots = new Slots();
  await fill(slots);
  const order: string[] = [];
  const first = slots.enter(never).then(() => order.push('first'));
  const second = slots.enter(never).then(() => order.push('second'));
  slots.leave();
  await first;
  slots.leave();
  await second;
  expect(order).toEqual(['first', 'second']);
});

test('a payment is never kept waiting, and counts', async () => {
  const slots = new Slots();
  await fill(slots);
  slots.force();
  let entered = false;
  const waiting = slots.enter(never).then(() => (entered = true));
  slots.leave();
  await Promise.resolve();
  expect(entered).toBe(false);
  slots.leave();
  await waiting;
});

test('who gives up waiting takes no slot, and no more than 1024 wait', async () => {
  const slots = new Slots();
  await fill(slots);
  const impatient = Array.from({ length: 1024 }, () => new AbortController());
  const waiting = impatient.map(({ signal }) => slots.enter(signal));
  expect(await slots.enter(never)).toBe('full');
  for (const one of impatient) one.abort();
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(['late']));
  expect(await slots.enter(AbortSignal.abort())).toBe('late');
  slots.leave();
  expect(await slots.enter(never)).toBe('entered');
});

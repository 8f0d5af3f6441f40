import { assert, constantFrom, jsonValue, property } from 'fast-check';
import { expect, test } from 'vitest';
import { readOrder } from './order.ts';

const address = '0x036CbD53842c5426634e7929541eC2318f3dCF7e';
const requirement = {
  scheme: 'exact',
  network: 'eip155:84532',
  amount: '10000',
  asset: address,
  payTo: address,
  maxTimeoutSeconds: 60,
  extra: { name: 'USDC', version: '2' },
};
const authorization = {
  from: address,
  to: address,
  value: '10000',
  validAfter: '0',
  validBefore: '1795262120',
  nonce: `0x${'ab'.repeat(32)}`,
};
const payload = { signature: `0x${'cd'.repeat(65)}`, authorization };
const order = {
  paymentPayload: { x402Version: 2, accepted: requirement, payload },
  paymentRequirements: requirement,
};

test('an order with a well-formed authorization is read', () => {
  expect(readOrder(order)).toMatchObject({ payload: { payload }, requirements: requirement });
});

test('an order whose authorization lacks a field, or holds something else in one, is none', () => {
  const field = constantFrom(...(Object.keys(authorization) as (keyof typeof authorization)[]));
  assert(
    property(field, jsonValue(), (name, value) => {
      const broken = { ...authorization, [name]: value };
      const paymentPayload = { ...order.paymentPayload, payload: { ...payload, authorization: broken } };
      // A value of one field may by chance be right for another: digits are digits.
      if (typeof value === 'string' && /^\d+$/.test(value)) return;
      expect(readOrder({ ...order, paymentPayload })).toBeNull();
    }),
  );
});

test('an order for Permit2 is read, of exact and of upto, and with a broken field is none', () => {
  const permit2Authorization = {
    from: address,
    permitted: { token: address, amount: '10000' },
    spender: address,
    nonce: '7',
    deadline: '1795262120',
    witness: { to: address, validAfter: '0' },
  };
  const { signature } = payload;
  const read = (changes: object) =>
    readOrder({
      ...order,
      paymentPayload: {
        ...order.paymentPayload,
        payload: { signature, permit2Authorization: { ...permit2Authorization, ...changes } },
      },
    });
  expect(read({})).not.toBeNull();
  expect(read({ witness: { to: address, facilitator: address, validAfter: '0' } })).not.toBeNull();
  for (const broken of [{ nonce: '0x7' }, { permitted: {} }, { witness: { to: 'me' } }, { deadline: -1 }])
    expect(read(broken)).toBeNull();
});

test('no garbage makes it throw', () => {
  assert(property(jsonValue(), (body) => readOrder(body) === null));
});

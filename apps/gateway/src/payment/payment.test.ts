import { keccak256, toBytes } from 'viem';
import { expect, test } from 'vitest';
import { call, demandFor, owner, required } from '../../test/samples.ts';
import { deriveNonce, hashArguments, hashCall } from './payment.ts';
import { createWallet } from '../wallet.ts';

const wallet = createWallet(Buffer.from('11'.repeat(32), 'hex'));
const demand = demandFor(required());
const nonce = (
  changes: Parameters<typeof call>[0] = {},
  mandateId: string | null = 'mdt_1',
  demanded = demand,
) => deriveNonce(wallet, call(changes), demanded, mandateId);

test('the wallet is that of its key', () => {
  expect(wallet.address).toBe(owner.address);
});

test('one decision has one nonce: the same key, call, terms and mandate', () => {
  const key = { idempotencyKey: 'one-and-the-same' };
  expect(nonce({ ...key, traceId: 'a'.repeat(32) })).toBe(nonce({ ...key, traceId: 'b'.repeat(32) }));
  expect(nonce(key)).toMatch(/^0x[0-9a-f]{64}$/);
});

test('anything else differs: calls without a key, other keys, tools, services, arguments, prices, mandates, wallets [gateway.paying.nonce.differs]', () => {
  const all = [
    nonce(),
    nonce({ traceId: 'f'.repeat(32) }),
    nonce({ idempotencyKey: 'key-number-one' }),
    nonce({ idempotencyKey: 'key-number-two' }),
    nonce({ toolName: 'other' }),
    nonce({ serviceId: 'other' }),
    nonce({ arguments: { symbol: 'OTHER' } }),
    nonce({}, 'mdt_2'),
    nonce({}, null),
    nonce({}, 'mdt_1', demandFor(required({ amount: '10001' }))),
    deriveNonce(createWallet(Buffer.from('44'.repeat(32), 'hex')), call(), demand, 'mdt_1'),
  ];
  expect(new Set(all).size).toBe(all.length);
});

test('arguments are hashed by their RFC 8785 text: the order of keys does not count [gateway.challenge.typed-data.arguments-hash]', () => {
  const hash = keccak256(toBytes('{"a":[1,{"b":"ü","c":null}],"z":1.5}'));
  expect(hashArguments(call({ arguments: { z: 1.5, a: [1, { c: null, b: 'ü' }] } }))).toBe(hash);
  expect(hashCall(call({ arguments: { x: 1, y: 2 } }))).toBe(hashCall(call({ arguments: { y: 2, x: 1 } })));
  expect(hashCall(call({ arguments: { x: 1 } }))).not.toBe(hashCall(call({ arguments: { x: '1' } })));
});

import { parseAddress } from '@countersign/protocol/address';
import { expect, test } from 'vitest';
import { isAsker, isNamed } from './approvers.ts';

const wallet = parseAddress('0x036CbD53842c5426634e7929541eC2318f3dCF7e');
const other = parseAddress('0x00000000000000000000000000000000000000aa');

test('a key is named by its name, any key by *, a wallet by its address in any case [control-plane.hitl.approvers]', () => {
  expect(isNamed(['cfo'], { name: 'cfo', wallet: null })).toBe(true);
  expect(isNamed(['cfo'], { name: 'ceo', wallet })).toBe(false);
  expect(isNamed(['ceo', '*'], { name: 'cfo', wallet: null })).toBe(true);
  expect(isNamed([wallet?.toLowerCase() ?? ''], { name: 'cfo', wallet })).toBe(true);
  expect(isNamed([wallet ?? ''], { name: 'cfo', wallet: other })).toBe(false);
});

test('whoever calls a key like an address is not that wallet', () => {
  expect(isNamed([wallet ?? ''], { name: wallet ?? '', wallet: null })).toBe(false);
});

test('a person is also their account: who asked for its wallet is theirs, whatever their name [system.one-sign-in.quorum]', () => {
  const asker = { keyId: 'service', createdBy: 'a service', userId: `user:${other}` };
  const olga = { keyId: 'olga', name: 'Olga (per_1)', wallet: null, account: other };
  expect(isAsker(asker, olga)).toBe(true);
  expect(isAsker({ ...asker, userId: 'bob', createdBy: String(other) }, olga)).toBe(true);
  expect(isAsker({ ...asker, userId: 'bob' }, olga)).toBe(false);
  expect(isAsker(asker, { ...olga, account: wallet })).toBe(false);
  expect(isAsker(asker, { ...olga, account: null })).toBe(false);
});

import { parseAddress } from '@countersign/protocol/address';
import { expect, test } from 'vitest';
import { isNamed } from './approvers.ts';

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

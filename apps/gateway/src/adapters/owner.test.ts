import { expect, test } from 'vitest';
import { address, owner } from '../../test/samples.ts';
import { createOwner } from './owner.ts';

const hash = Buffer.alloc(32, 1);
const chainId = 8453;

/** A node that says yes to everything, and what it was asked. */
function lyingNode() {
  const asked: number[] = [];
  const signedByContract = (chain: number) => async () => {
    asked.push(chain);
    return true;
  };
  return { asked, signedByContract };
}

test('once an owner’s key has signed, no node speaks for it [gateway.agent-wallet.key-owner]', async () => {
  const node = lyingNode();
  const port = createOwner(address(owner), node);
  expect([await port.signed(hash, '0x1234', chainId), port.isKey()]).toEqual([true, false]);
  expect(node.asked).toEqual([chainId]);
  const signature = await owner.sign({ hash: `0x${hash.toString('hex')}` });
  expect([await port.signed(hash, signature, chainId), port.isKey()]).toEqual([true, true]);
  expect(await port.signed(hash, '0x1234', chainId)).toBe(false);
  expect(await port.signed(Buffer.alloc(32, 2), signature, chainId)).toBe(false);
  expect(node.asked).toEqual([chainId]);
});

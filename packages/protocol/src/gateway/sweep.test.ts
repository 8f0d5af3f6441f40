import { expect, test } from 'vitest';
import { parseAddress } from '../address.ts';
import { readSweep, sweepText } from './sweep.ts';

const address = (digit: string) => {
  const parsed = parseAddress(`0x${digit.repeat(40)}`);
  if (parsed === null) throw new Error('no address');
  return parsed;
};
const authorization = {
  chainId: 84532,
  usdc: address('1'),
  from: address('2'),
  to: address('3'),
  value: '12500000',
  validBefore: '1764172800',
  nonce: `0x${'ab'.repeat(32)}`,
  signature: `0x${'cd'.repeat(65)}`,
};

test('what gateway sweep prints is read back, with the blanks that copying adds [gateway.sweep]', () => {
  expect(readSweep(`\n  ${sweepText(authorization)} \n`)).toEqual(authorization);
});

test('a word that is not the whole of it, or says something else, is none [gateway.sweep]', () => {
  const word = sweepText(authorization);
  for (let length = 0; length < word.length; length++) expect(readSweep(word.slice(0, length))).toBeNull();
  const changed = {
    value: '-1',
    nonce: '0x',
    signature: `0x${'cd'.repeat(64)}`,
    validBefore: '1.5',
    chainId: 0,
  };
  for (const [name, value] of Object.entries(changed))
    expect(readSweep(sweepText({ ...authorization, [name]: value }))).toBeNull();
  const [most, tooMuch] = [2n ** 256n - 1n, 2n ** 256n].map((value) => ({
    ...authorization,
    value: String(value),
  }));
  expect(readSweep(sweepText(most ?? authorization))).toEqual(most);
  expect(readSweep(sweepText(tooMuch ?? authorization))).toBeNull();
  expect(readSweep(`csw_${btoa('null')}`)).toBeNull();
  expect(readSweep(`csw_${'A'.repeat(4000)}`)).toBeNull();
});

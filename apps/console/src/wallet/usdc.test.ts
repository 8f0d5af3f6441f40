import { formatAmount, parseAmount } from '@countersign/protocol/decimal';
import { encodeFunctionData, erc20Abi } from 'viem';
import { expect, test } from 'vitest';
import { balanceData, readBalance, readSent, transferData } from './usdc.ts';

const to = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';

test('a transfer and the question for a balance are what an independent encoder makes of them [dashboard.console.agents.top-up]', () => {
  for (const units of [1n, 12_500_000n, 2n ** 256n - 1n]) {
    const args = [to, units] as const;
    expect(transferData(to, units)).toBe(
      encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args }),
    );
  }
  expect(balanceData(to)).toBe(encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [to] }));
});

test('a balance is exact, however large; an answer that is no number is none [dashboard.console.agents.balance]', () => {
  const balance = (units: bigint) => readBalance(`0x${units.toString(16).padStart(64, '0')}`);
  const text = (units: bigint) => {
    const amount = balance(units);
    return amount === null ? null : formatAmount(amount);
  };
  expect([text(0n), text(1n), text(12_500_000n)]).toEqual(['0', '0.000001', '12.5']);
  expect(text(2n ** 256n - 1n)).toBe(
    '115792089237316195423570985008687907853269984665640564039457584007913129.639935',
  );
  for (const answer of ['0x', '0x1', null, 7, `0x${'g'.repeat(64)}`]) expect(readBalance(answer)).toBeNull();
});

test('what is typed becomes units to the digit, or the words that say what is wrong [dashboard.console.agents.top-up]', () => {
  const held = parseAmount('20');
  expect(readSent(' 12.50 ', held)).toEqual({ units: 12_500_000n });
  expect(readSent('0.000001', null)).toEqual({ units: 1n });
  expect(readSent('20', held)).toEqual({ units: 20_000_000n });
  for (const text of ['', '1e3', '1,5', '-1', '0x10', 'NaN', '１']) {
    expect(readSent(text, held)).toEqual({ fault: 'Enter an amount, such as 12.50.' });
  }
  expect(readSent('0.00', held)).toEqual({ fault: 'Enter an amount above zero.' });
  expect(readSent('0.0000001', held)).toEqual({ fault: 'USDC has six digits after the point at most.' });
  expect(readSent('20.000001', held)).toEqual({ fault: 'More than your wallet holds (20.00 USDC).' });
});

import { usdcOn } from '@countersign/protocol/dashboard/usdc';
import { expect, test } from 'vitest';
import { chainName } from './chains.ts';

test('each chain where payments can be made has its name [dashboard.console.agents.top-up]', () => {
  const paid = [1, 10, 137, 8453, 42161, 43114, 84532];
  expect(paid.filter((chainId) => usdcOn(chainId) === null)).toEqual([]);
  expect(paid.map(chainName).filter((name) => name.startsWith('chain '))).toEqual([]);
});

import { expect, test } from 'vitest';
import { outcomeOf, sendTransaction } from './requests.ts';
import type { Provider } from './wallets.ts';

const hash = `0x${'a'.repeat(64)}`;

/** Answers each method as it stands here. */
const walletOf = (answers: Readonly<Record<string, unknown>>): Provider => ({
  request: ({ method }) => Promise.resolve(answers[method]),
});

const outcome = async (receipt: unknown, chainId = '0x14a34') => {
  const wallet = walletOf({ eth_getTransactionReceipt: receipt, eth_chainId: chainId });
  const answer = await outcomeOf(wallet, 84532, hash);
  return answer.ok ? answer.value : answer.error.kind;
};

test('only status 1 is confirmed and only 0 reverted; any other says nothing [dashboard.console.agents.once]', async () => {
  expect(await outcome(null)).toBe('waiting');
  for (const status of ['0x1', '0x01', 1]) expect(await outcome({ status })).toBe('confirmed');
  for (const status of ['0x0', '0x00', 0]) expect(await outcome({ status })).toBe('reverted');
  for (const status of [undefined, null, '', '0x', '0x2', '1', true, false, [], {}])
    expect(await outcome({ status })).toBe('unknown');
});

test('what a wallet says that is on another chain is not believed [dashboard.console.agents.once]', async () => {
  for (const receipt of [null, { status: '0x1' }, { status: '0x0' }])
    expect(await outcome(receipt, '0x1')).toBe('wrong-chain');
});

test('a transaction names its chain and sends no coin [dashboard.console.agents.once]', async () => {
  const asked: unknown[] = [];
  const wallet: Provider = {
    request({ params }) {
      asked.push(...(params ?? []));
      return Promise.resolve(hash);
    },
  };
  const call = { chainId: 84532, to: '0xb', data: '0xc' };
  expect(await sendTransaction(wallet, '0xa', call)).toEqual({ ok: true, value: hash });
  expect(asked).toEqual([{ from: '0xa', to: '0xb', data: '0xc', value: '0x0', chainId: '0x14a34' }]);
});

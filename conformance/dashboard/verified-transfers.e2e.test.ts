import { usdcAddress } from '@countersign/contracts/addresses';
import { testUsdc } from '@countersign/contracts/test-usdc';
import { fundGas, mint } from '@countersign/local/chain-accounts';
import { expectOk, logIn } from '@countersign/local/dashboard-account';
import { callRpc } from '@countersign/local/json-rpc';
import { newPrivateKey } from '@countersign/local/market';
import { keyBytes } from '@countersign/local/private-key';
import { dashboardDialect } from '@countersign/protocol/dashboard/dialect';
import { dashboardRoutes } from '@countersign/protocol/dashboard/routes';
import { createClient } from '@countersign/service/client';
import { addressOfPrivateKey } from '@countersign/service/ethereum/signature';
import { encodeFunctionData, type Hex } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestChain, type TestChain } from '../../contracts/test-chain.ts';
import { until } from '../gateway/fixtures/until.ts';
import { type OwnDashboard, startOwnDashboard } from './fixtures/own-dashboard.ts';

const chainId = 84532;
const otherToken = '0x00000000000000000000000000000000000070Ce';

let chain: TestChain;
let dashboard: OwnDashboard;
beforeAll(async () => {
  chain = await startTestChain();
  for (const token of [usdcAddress, otherToken])
    await callRpc(chain.url, 'anvil_setCode', [token, testUsdc.deployedBytecode]);
  dashboard = await startOwnDashboard({ SETTLEMENT_CHAIN_ID: String(chainId), EVM_RPC_URL: chain.url });
});
afterAll(async () => {
  await dashboard?.stop();
  await chain?.stop();
});

type Report = Parameters<OwnDashboard['client']['reportTransaction']>[0]['body'];

/** Somebody with an account and a key of it. */
async function newParty(on: OwnDashboard = dashboard, apiKey?: string) {
  const privateKey = newPrivateKey();
  const wallet = { privateKey, address: addressOfPrivateKey(keyBytes(privateKey)) };
  const { token } = await logIn(on.client, wallet, { origin: new URL(on.url), chainId });
  const own = expectOk('key', await on.client.createKey({ token, body: { name: 'test' } })).apiKey;
  const client = createClient(dashboardRoutes, dashboardDialect, {
    baseUrl: new URL(on.url),
    timeoutMs: 10_000,
    apiKey: apiKey ?? own,
  });
  const list = async (standing: 'counted' | 'claimed' = 'counted') =>
    expectOk('list', await client.listTransactions({ token, query: { scope: 'myAll', standing } }));
  return {
    address: wallet.address,
    list,
    record: (txHash: string) =>
      until(list, ({ data }) => data.some((each) => each.txHash === txHash)).then(({ data }) => data[0]),
    whole: async (id: number) =>
      expectOk('get', await client.getTransaction({ token, params: { id: String(id) } })).transaction,
    spent: async () => {
      const { today, month } = expectOk('overview', await client.getOverview({ token }));
      return [today.spent, today.count, month.spent, month.count];
    },
    csv: async () => {
      const query = '/api/transactions?scope=myAll&format=csv';
      const answer = await fetch(on.url + query, { headers: { authorization: `Bearer ${token}` } });
      return (await answer.text()).split('\r\n').length - 2;
    },
    report: (more: Partial<Report>) =>
      client.reportTransaction({
        body: { serviceName: 'quotes', serviceResult: 'pass', chain: 'base-sepolia', ...more },
      }),
  };
}

type Party = Awaited<ReturnType<typeof newParty>>;

/** Moves so many base units on chain, as the payer itself would: the hash. */
async function transfer(from: Party, to: Party, units: bigint, token: string = usdcAddress): Promise<Hex> {
  await callRpc(chain.url, 'anvil_impersonateAccount', [from.address]);
  await fundGas(chain.url, from.address);
  await mint(chain.url, from.address, units, token);
  const data = encodeFunctionData({
    abi: testUsdc.abi,
    functionName: 'transfer',
    args: [to.address, units],
  });
  const hash = (await callRpc(chain.url, 'eth_sendTransaction', [
    { from: from.address, to: token, data, gas: '0x30000' },
  ])) as Hex;
  await until(
    () => callRpc(chain.url, 'eth_getTransactionReceipt', [hash]),
    (receipt) => receipt !== null,
  );
  return hash;
}

const between = (payer: Party, payee: Party) => ({ payer: payer.address, payee: payee.address });
const anyHash = () => `0x${Buffer.from(keyBytes(newPrivateKey())).toString('hex')}`;
const screenings = {
  payerKycResult: 1,
  payerKytResult: 1,
  payerKytRiskLevel: 0,
  payeeKycResult: 1,
  payeeKytResult: 1,
  payeeKytRiskLevel: 0,
} as const;
const unscreened = Object.fromEntries(Object.keys(screenings).map((name) => [name, null]));

test('a new wallet that reports against a stranger writes nothing into that log: it claims, and is shown as claiming [dashboard.transactions.claim] [dashboard.transactions.claim.screenings]', async () => {
  const [stranger, victim, control] = [await newParty(), await newParty(), await newParty()];
  const lie = { amount: '4999', tokenSymbol: 'USDC', ...screenings, metadata: { toolName: 'free money' } };
  const asPayer = await stranger.report({ ...lie, ...between(stranger, victim), txHash: anyHash() });
  const asPayee = await stranger.report({ ...lie, ...between(victim, stranger), txHash: anyHash() });
  const hash = await transfer(control, victim, 10_000n);
  expectOk('report', await control.report({ ...between(control, victim), amount: '0.01', txHash: hash }));
  await victim.record(hash);

  expect(await victim.list()).toMatchObject({ total: 1, data: [{ txHash: hash }] });
  expect([await victim.csv(), await victim.spent()]).toEqual([1, ['0', 0, '0', 0]]);
  const claims = await victim.list('claimed');
  expect(claims.total).toBe(2);
  expect(claims.data).toMatchObject([
    { ...unscreened, reportedBy: 'payee', verified: 'no', amountExact: '4999' },
    { ...unscreened, reportedBy: 'payer', verified: 'no', amountExact: '4999' },
  ]);
  for (const made of [asPayer, asPayee])
    expect(await victim.whole(expectOk('report', made).id)).toMatchObject({ ...unscreened, metadata: null });

  // In its own log stands what it reported, and nobody else's word.
  expect(await stranger.list('claimed')).toMatchObject({ total: 0 });
  expect((await stranger.list()).data).toMatchObject([
    { ...screenings, reportedBy: 'payee', verified: 'no' },
    { ...screenings, reportedBy: 'payer', verified: 'no' },
  ]);
});

test('a transfer is looked for however its hash and USDC are spelled [dashboard.transactions.verified] [dashboard.transactions.spelling]', async () => {
  const [payer, payee] = [await newParty(), await newParty()];
  const txHash = await transfer(payer, payee, 1_500_000n);
  const spelled = { txHash: txHash.slice(2), tokenSymbol: 'usdc', amount: '1.5' };
  expectOk('report', await payee.report({ ...between(payer, payee), ...spelled }));
  expect(await payer.record(txHash)).toMatchObject({ tokenSymbol: 'USDC', verified: 'chain' });
});

test('a payment that both report is one row to each, whoever came first; the other sees neither metadata nor mandate [dashboard.transactions.verified] [dashboard.transactions.one-payment] [dashboard.transactions.private]', async () => {
  const [payer, payee] = [await newParty(), await newParty()];
  const txHash = await transfer(payer, payee, 2_500_000n);
  const paid = { ...between(payer, payee), amount: '2.5', txHash };
  const theirs = expectOk(
    'payee',
    await payee.report({ ...paid, ...screenings, metadata: { agent: 'shop' } }),
  );
  expect(await payer.record(txHash)).toMatchObject({ ...unscreened, reportedBy: 'payee', verified: 'chain' });
  expect(await payer.whole(theirs.id)).toMatchObject({ metadata: null, intentMandateId: null });
  expect(await payer.spent()).toEqual(['2.5', 1, '2.5', 1]);

  const metadata = { agent: 'researcher', toolName: 'get_quote' };
  const ours = expectOk('payer', await payer.report({ ...paid, ...screenings, metadata }));
  expect(await payer.list()).toMatchObject({ total: 1, data: [{ id: ours.id, reportedBy: 'payer' }] });
  expect(await payer.spent()).toEqual(['2.5', 1, '2.5', 1]);
  expect(await payee.list()).toMatchObject({ total: 1, data: [{ id: theirs.id, ...screenings }] });
  for (const party of [payer, payee]) {
    expect(await party.list('claimed')).toMatchObject({ total: 0 });
    expect(await party.csv()).toBe(1);
  }
  expect(await payer.whole(ours.id)).toMatchObject({ metadata, ...screenings });
  expect(await payee.whole(ours.id)).toMatchObject({ metadata: null, ...unscreened });

  const refund = await transfer(payer, payee, 1n);
  const failed = {
    ...paid,
    amount: '0.000001',
    txHash: refund,
    serviceResult: 'error',
    intentMandateId: 'mdt_1',
  } as const;
  const { id } = expectOk('payer', await payer.report({ ...failed, metadata }));
  expect(await payee.record(refund)).toMatchObject({ id, verified: 'chain', serviceResult: 'error' });
  expect(await payer.whole(id)).toMatchObject({ metadata, intentMandateId: 'mdt_1' });
  expect(await payee.whole(id)).toMatchObject({ metadata: null, intentMandateId: null });
});

test('the same transfer is one payment under every name of its chain and in any case; an operator’s report makes no second row [dashboard.transactions.repeat.chain-names] [dashboard.transactions.one-payment]', async () => {
  const { stdout } = await dashboard.run(['dashboard', 'create-operator-key']);
  const [payer, payee, operator] = [
    await newParty(),
    await newParty(),
    await newParty(dashboard, stdout.trim()),
  ];
  const txHash = await transfer(payer, payee, 10_000n);
  const paid = { ...between(payer, payee), amount: '0.01', txHash };
  const { id } = expectOk('report', await payer.report(paid));
  for (const other of [
    { chain: 'eip155:84532' },
    { chain: '84532', txHash: `0x${txHash.slice(2).toUpperCase()}` },
    { metadata: { traceId: 'another' } },
  ])
    expect(await payer.report({ ...paid, ...other })).toMatchObject({
      kind: 'refused',
      status: 409,
      data: { id },
    });
  await payee.record(txHash);
  const byOperator = expectOk('operator', await operator.report({ ...paid, chain: '84532' }));
  expect(await payer.list()).toMatchObject({ total: 1, data: [{ id, reportedBy: 'payer' }] });
  expect(await payee.list()).toMatchObject({
    total: 1,
    data: [{ id: byOperator.id, reportedBy: 'operator' }],
  });
  expect(await payer.spent()).toEqual(['0.01', 1, '0.01', 1]);
});

test('another token, amount, party or a failed transaction is no such transfer [dashboard.transactions.verified]', async () => {
  const [payer, payee] = [await newParty(), await newParty()];
  const [five, wrongToken, back] = [
    await transfer(payer, payee, 5_000_000n),
    await transfer(payer, payee, 5_000_000n, otherToken),
    await transfer(payee, payer, 5_000_000n),
  ];
  const ofFive = { ...between(payer, payee), amount: '5' };
  const claims: Partial<Report>[] = [
    { ...ofFive, txHash: wrongToken },
    { ...ofFive, txHash: back },
    { ...ofFive, txHash: anyHash() },
    { ...ofFive, txHash: five, chain: 'base' },
  ];
  for (const claim of claims) expectOk('report', await payer.report(claim));
  // Another amount: the same hash, by the party that has not reported it yet.
  expectOk('report', await payee.report({ ...ofFive, amount: '5.000001', txHash: five }));
  const control = await transfer(payer, payee, 1n);
  expectOk('report', await payer.report({ ...ofFive, amount: '0.000001', txHash: control }));
  await payee.record(control);
  expect((await payee.list()).data.map(({ txHash, verified }) => [txHash, verified])).toEqual([
    [control, 'chain'],
    [five, 'no'],
  ]);
  expect(await payee.list('claimed')).toMatchObject({ total: 4 });
});

test('what a reorganised chain took back is verified no more [dashboard.transactions.verified.reorganised]', async () => {
  const [payer, payee] = [await newParty(), await newParty()];
  const before = await callRpc(chain.url, 'evm_snapshot', []);
  const txHash = await transfer(payer, payee, 3_000_000n);
  expectOk('report', await payer.report({ ...between(payer, payee), amount: '3', txHash }));
  expect(await payee.record(txHash)).toMatchObject({ verified: 'chain' });
  await callRpc(chain.url, 'evm_revert', [before]);
  await until(payee.list, ({ total }) => total === 0);
  expect(await payee.list('claimed')).toMatchObject({ total: 1, data: [{ verified: 'no' }] });
  expect(await payer.list()).toMatchObject({ total: 1, data: [{ verified: 'no' }] });
});

test('without a node nothing is verified: the other party’s word stays a claim [dashboard.transactions.verified.no-node]', async () => {
  const deaf = await startOwnDashboard({ SETTLEMENT_CHAIN_ID: String(chainId) });
  const [payer, payee] = [await newParty(deaf), await newParty(deaf)];
  const txHash = await transfer(payer, payee, 1_000_000n);
  expectOk('report', await payer.report({ ...between(payer, payee), amount: '1', txHash }));
  expect(await payer.list()).toMatchObject({ total: 1, data: [{ reportedBy: 'payer', verified: 'no' }] });
  expect(await payee.list()).toMatchObject({ total: 0 });
  expect(await payee.list('claimed')).toMatchObject({ total: 1 });
  await deaf.stop();
});

test('a report with the required fields alone stands in its reporter’s own log [dashboard.transactions.report.alone]', async () => {
  const reporter = await newParty();
  const { id } = expectOk('report', await reporter.report({}));
  expect(await reporter.list()).toMatchObject({
    total: 1,
    data: [{ id, payer: reporter.address, payee: null, reportedBy: 'payer', verified: 'no' }],
  });
});

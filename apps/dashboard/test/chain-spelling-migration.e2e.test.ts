import { createHash } from 'node:crypto';
import { createLogger } from '@countersign/service/logger';
import { createPool, migrate, type Pool } from '@countersign/service/sql';
import { expect, onTestFinished, test } from 'vitest';
import { rollUpAdvancer } from '../src/transactions/upkeep.ts';
import { newDatabase, newWallet, openDashboardForTest, paymentOf } from './dashboard.ts';
import { migrationsBefore } from './earlier-migrations.ts';

const log = createLogger('test', 'silent');
const yesterday = new Date('2026-11-20T12:00:00.000Z').getTime();
const [payer, payee] = [newWallet(), newWallet()];

type Kept = {
  readonly by: 'payer' | 'payee';
  readonly chain: string;
  readonly hash?: string;
  readonly nonce?: string;
  readonly result?: string;
};

/** A record and its key as a build before kept them, for which a spelling that it did not know was a chain of its own. */
async function keptBefore(pool: Pool, id: number, { by, chain, hash, nonce, result = 'pass' }: Kept) {
  await pool.query(
    `insert into dashboard.transaction_log (id, reporter, service_name, service_result, chain, tx_hash, amount, amount_exact,
       token_symbol, payer, payee, metadata, payment, created_at, reported_by, verified, payer_standing, payee_standing)
     values ($1, $2, 'quotes', $3, $4, $5, 1, 1, 'USDC', $6, $7, $8, $9, $10, $11, false, $12, $13)`,
    [
      id,
      `acc_${by}`,
      result,
      chain,
      hash ?? null,
      payer.address,
      payee.address,
      nonce === undefined ? null : { nonce },
      nonce === undefined ? null : `${payee.address} ${chain} ${nonce}`,
      new Date(yesterday + id),
      by,
      by === 'payer' ? 'counted' : 'claimed',
      by === 'payee' ? 'counted' : 'claimed',
    ],
  );
  const known = { base: 'eip155:8453' }[chain] ?? chain;
  const key = createHash('sha256').update(JSON.stringify(['hash', known, hash]));
  if (hash !== undefined)
    await pool.query('insert into dashboard.transaction_key values ($1, $2, $3)', [
      `acc_${by}`,
      key.digest(),
      id,
    ]);
}

const hash = (digit: string) => `0x${digit.repeat(64)}`;
const kept: readonly Kept[] = [
  { by: 'payer', chain: 'Base', hash: hash('a') },
  { by: 'payer', chain: 'base', hash: hash('a') },
  { by: 'payee', chain: 'EIP155:8453', hash: hash('a') },
  { by: 'payer', chain: 'BASE', nonce: '0x01', result: 'reject' },
  { by: 'payer', chain: 'base', nonce: '0x01' },
  { by: 'payer', chain: ' base-SEPOLIA ', hash: hash('b') },
  { by: 'payer', chain: 'eth', hash: hash('c') },
  { by: 'payer', chain: 'Eip155:5', hash: hash('d') },
  { by: 'payer', chain: 'Solana', hash: hash('e') },
];

test('records whose chain an earlier build kept in another spelling stand under its names, count once, and are not taken again [dashboard.transactions.repeat.chain-names]', async () => {
  const url = await newDatabase();
  const pool = createPool(url, log);
  onTestFinished(() => pool.end());
  await migrate(pool, { schema: 'dashboard', directory: migrationsBefore('0020') });
  for (const [id, { address }] of [
    ['acc_payer', payer],
    ['acc_payee', payee],
  ] as const)
    await pool.query(
      'insert into dashboard.account (id, wallet_address, created_at) values ($1, $2, now())',
      [id, address],
    );
  for (const [n, each] of kept.entries()) await keptBefore(pool, n + 1, each);
  // The month of this one was dropped since: its key alone is left.
  await keptBefore(pool, 99, { by: 'payer', chain: 'BASE', hash: hash('f') });
  await pool.query('delete from dashboard.transaction_log where id = 99');
  await pool.query(`select setval('dashboard.transaction_id', $1)`, [kept.length]);
  await rollUpAdvancer(pool)(new Date(yesterday + 3_600_000));

  const dashboard = await openDashboardForTest({ storage: { kind: 'given', url } });
  const [owner, merchant] = [await dashboard.newAccount(payer), await dashboard.newAccount(payee)];
  const ids = async ({ token }: { token: string }, query: string) => {
    const path = `/api/transactions?scope=myAll&limit=100&${query}`;
    const { data } = await dashboard.request('GET', path, { token });
    expect(data.total).toBe(data.data.length);
    return data.data.map(({ id }: { id: number }) => id);
  };
  for (const chain of ['base', 'Base', '8453', 'EIP155:8453'])
    expect(await ids(owner, `chain=${chain}`)).toEqual([5, 1]);
  expect(await ids(merchant, 'chain=base')).toEqual([3]);
  expect(await ids(owner, 'chain=base-sepolia')).toEqual([6]);
  expect(await ids(owner, 'chain=ethereum')).toEqual([7]);
  expect(await ids(owner, 'chain=5')).toEqual([8]);
  expect(await ids(owner, 'chain=Solana')).toEqual([9]);
  expect((await dashboard.request('GET', '/api/overview', { token: owner.token })).data).toMatchObject({
    month: { spent: '6', count: 6 },
  });

  const shown = async (id: number, { token }: { token: string }) =>
    (await dashboard.request('GET', `/api/transactions/${id}`, { token })).data.transaction;
  expect(await shown(2, owner)).toMatchObject({ id: 2, chain: 'base', txHash: hash('a') });
  expect(await shown(5, owner)).toMatchObject({ steps: [{ result: 'reject' }, { result: 'pass' }] });

  for (const [n, { by, chain, hash: txHash }] of kept.entries()) {
    if (txHash === undefined) continue;
    const { apiKey } = by === 'payer' ? owner : merchant;
    const about = { apiKey, ...paymentOf(payer.address, { payee: payee.address, txHash }) };
    const first = { status: 409, data: { id: n === 1 ? 1 : n + 1 } };
    const spellings =
      chain === 'Solana' ? [chain] : [chain, chain.trim(), chain.toLowerCase(), chain.toUpperCase()];
    for (const spelled of spellings)
      expect(await dashboard.post('/api/transactions', { ...about, chain: spelled })).toMatchObject(first);
  }
  const dropped = paymentOf(payer.address, { payee: payee.address, txHash: hash('f'), chain: 'BASE' });
  expect(await dashboard.post('/api/transactions', { apiKey: owner.apiKey, ...dropped })).toMatchObject({
    status: 409,
    data: { id: 99 },
  });

  // While both releases run, the older one writes as it did.
  await keptBefore(pool, 100, { by: 'payer', chain: 'BASE', nonce: '0x02', result: 'reject' });
  await keptBefore(pool, 101, { by: 'payer', chain: 'eth', hash: hash('9') });
  expect(await ids(owner, 'chain=base')).toEqual([100, 5, 1]);
  expect(await ids(owner, 'chain=ETH')).toEqual([101, 7]);
  const { rows } = await pool.query('select payment from dashboard.transaction_log where id = 100');
  expect(rows).toEqual([{ payment: `${payee.address} base 0x02` }]);
});

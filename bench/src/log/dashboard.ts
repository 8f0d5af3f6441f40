import { setTimeout as sleep } from 'node:timers/promises';
import { countersign } from '@countersign/local/countersign';
import { logIn } from '@countersign/local/dashboard-account';
import { newPrivateKey } from '@countersign/local/market';
import { keyBytes } from '@countersign/local/private-key';
import { get, runCommand } from '@countersign/local/service-process';
import { dashboardDialect } from '@countersign/protocol/dashboard/dialect';
import { dashboardRoutes } from '@countersign/protocol/dashboard/routes';
import { createClient } from '@countersign/service/client';
import { addressOfPrivateKey } from '@countersign/service/ethereum/signature';
import { freePort } from '@countersign/service/free-port';
import { firstRow, type Pool, statement } from '@countersign/service/sql';
import { Pool as HttpPool } from 'undici';
import type { Lab } from '../lab.ts';
import { addressOf } from './wallets.ts';

/** A dashboard as a process of its own, and calls to it that do as little as a client can. */
export type BenchDashboard = {
  readonly pid: number;
  readonly origin: string;
  /** Rejects unless the answer is 200 or 201; gives the body. */
  readonly send: (method: 'GET' | 'POST', path: string, body?: string, token?: string) => Promise<string>;
  readonly operatorKey: string;
  readonly close: () => Promise<void>;
};

export const chainId = 8453;

/** Ours, or a build of it that is compared with ours. */
type Started = { readonly program?: string; readonly env?: Readonly<Record<string, string>> };

/** Starts the dashboard on a database. Its tables are there when it answers. */
export async function startDashboard(
  lab: Lab,
  databaseUrl: string,
  { program, env: more }: Started = {},
): Promise<BenchDashboard> {
  const origin = `http://127.0.0.1:${await freePort()}`;
  const env = {
    PATH: process.env['PATH'],
    DATABASE_URL: databaseUrl,
    DASHBOARD_PORT: new URL(origin).port,
    SETTLEMENT_CHAIN_ID: String(chainId),
    RATE_LIMIT_LOGINS: '1000000',
    RATE_LIMIT_REQUESTS: '1000000000',
    LOG_LEVEL: 'warn',
    ...more,
  };
  const { args, command } =
    program === undefined ? countersign('dashboard') : { command: process.execPath, args: [program] };
  const child = lab.processes.spawn({
    name: 'dashboard',
    command,
    args: [...lab.nodeOptions, ...args],
    env,
    ipc: true,
  });
  while ((await get(`${origin}/health`))?.status !== 200) {
    const ended = await Promise.race([child.exited, sleep(100, null)]);
    if (ended !== null) throw new Error(`the dashboard ended: ${ended.lastLines.at(-1) ?? 'without a word'}`);
  }
  const argv = ['dashboard', 'create-operator-key', 'bench'];
  const operatorKey = await runCommand(lab.processes, { name: 'key', argv, env });
  const http = new HttpPool(origin, { connections: 128 });
  return {
    pid: child.pid,
    origin,
    operatorKey,
    async send(method, path, body, token) {
      const headers: Record<string, string> = { 'content-type': 'application/json' };
      if (token !== undefined) headers['authorization'] = `Bearer ${token}`;
      const response = await http.request({ method, path, headers, body: body ?? null });
      const text = await response.body.text();
      if (response.statusCode > 201) throw new Error(`HTTP ${response.statusCode}: ${text.slice(0, 200)}`);
      return text;
    },
    async close() {
      await http.destroy();
      await child.stop();
    },
  };
}

const giveWallet = statement(
  'bench.give-wallet',
  'update dashboard.account set wallet_address = $2 where id = $1',
);

/** Logs somebody in and gives the account the wallet of this rank: a session of that wallet. */
export async function sessionOf(dashboard: BenchDashboard, pool: Pool, rank: number): Promise<string> {
  const client = createClient(dashboardRoutes, dashboardDialect, {
    baseUrl: new URL(dashboard.origin),
    timeoutMs: 10_000,
  });
  const privateKey = newPrivateKey();
  const wallet = { privateKey, address: addressOfPrivateKey(keyBytes(privateKey)) };
  const { token, accountId } = await logIn(client, wallet, { origin: new URL(dashboard.origin), chainId });
  await firstRow(pool, giveWallet, [accountId, addressOf(rank)]);
  await client.close();
  return token;
}

const progress = statement<{ behind: boolean; until: Date }>(
  'bench.progress',
  'select counted_until < $1 as behind, counted_until as until from dashboard.wallet_day_progress',
);

// The dashboard looks for what is new when an id has been given out, so that comes last.
const beginAt = statement(
  'bench.begin-at',
  `with begun as (update dashboard.wallet_day_progress set counted_until = $1 returning 1)
   select setval('dashboard.transaction_id', (select max(id) from dashboard.transaction_log)) from begun`,
);

/** Has the dashboard roll up what lies between two moments, and waits until it has. */
export async function untilRolledUp({ say }: Lab, pool: Pool, from: Date, until: Date): Promise<void> {
  await firstRow(pool, beginAt, [from]);
  for (let told = ''; ; await sleep(500)) {
    const state = await firstRow(pool, progress, [until]);
    if (state?.behind === false) return;
    const month = state?.until.toISOString().slice(0, 7) ?? '';
    if (month !== told) say(`rolled up to ${month}`);
    told = month;
  }
}

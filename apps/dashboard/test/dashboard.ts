import { randomBytes } from 'node:crypto';
import type { Address } from '@countersign/protocol/address';
import { hashMessage } from '@countersign/service/ethereum/message';
import { addressOfPrivateKey, signHash } from '@countersign/service/ethereum/signature';
import { createLogger } from '@countersign/service/logger';
import { Client } from 'pg';
import { hashTypedData } from 'viem';
import { createSiweMessage, type SiweMessage } from 'viem/siwe';
import { expect, inject, onTestFinished } from 'vitest';
import type { World } from '../src/app.ts';
import { startDashboard } from '../src/start.ts';
import { createApiKey } from '../src/auth/api-key.ts';
import type { DashboardConfig } from '../src/config.ts';
import { openDatabase } from '../src/database.ts';

/** What the server said. Every answer was checked to carry the envelope and a request id. */
export type Reply = {
  readonly status: number;
  readonly code: number;
  readonly msg: string;
  readonly data: Json;
  readonly headers: Headers;
};
export type Json = ReturnType<typeof JSON.parse>;

export type RequestOptions = {
  readonly body?: unknown;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

/** A wallet in the hands of a test. */
export type Wallet = {
  readonly address: Address;
  readonly signMessage: (message: string) => string;
  readonly signTypedData: (typedData: Json) => string;
};

export function newWallet(): Wallet {
  const key = randomBytes(32);
  return {
    address: addressOfPrivateKey(key),
    signMessage: (message) => signHash(hashMessage(message), key),
    // viem hashes here, so that the service's own hashing has an independent judge.
    signTypedData: (typedData) => signHash(Buffer.from(hashTypedData(typedData).slice(2), 'hex'), key),
  };
}

export const chainId = 8453;

/** A clock that a test moves by hand. */
export type Clock = { now: Date; readonly advance: (ms: number) => void };

function newClock(): Clock {
  const clock = {
    now: new Date('2026-11-21T12:00:00.000Z'),
    advance(ms: number) {
      clock.now = new Date(clock.now.getTime() + ms);
    },
  };
  return clock;
}

/** A new, empty database of the shared server: its URL. */
export const newDatabase = (): Promise<string> => createDatabase('template1');

/** One that has its tables already. */
const newMigratedDatabase = (): Promise<string> => createDatabase(inject('migrated'));

async function createDatabase(template: string): Promise<string> {
  const name = `dashboard_${randomBytes(6).toString('hex')}`;
  const client = new Client({ connectionString: inject('databaseUrl') });
  await client.connect();
  await client.query(`create database ${name} template ${template} strategy file_copy`);
  await client.end();
  const url = new URL(inject('databaseUrl'));
  url.pathname = `/${name}`;
  return url.href;
}

export type TestDashboard = Awaited<ReturnType<typeof openDashboard>>;

/** A dashboard on a port and a database of its own. The caller stops it. */
export async function openDashboard(overrides: Partial<DashboardConfig> = {}, world: Partial<World> = {}) {
  const clock = newClock();
  const storage = overrides.storage ?? { kind: 'given' as const, url: await newMigratedDatabase() };
  const config: DashboardConfig = { ...quietConfig, ...overrides, storage };
  const log = createLogger('dashboard', 'silent');
  const service = await startDashboard(config, { now: () => clock.now, log, ...world });

  /** A key that may see, report and hold for every payer. */
  async function newOperatorKey() {
    const database = await openDatabase(storage, log);
    const about = { accountId: null, name: 'operator', now: clock.now };
    const { apiKey } = await createApiKey(database.pool, randomBytes, about);
    await database.close();
    return { apiKey };
  }

  return { ...service, config, clock, newOperatorKey, ...callsTo(service.url, clock) };
}

const quietConfig: Omit<DashboardConfig, 'storage'> = {
  host: '127.0.0.1',
  port: 0,
  publicUrl: null,
  otherOrigins: [],
  vaultUrl: null,
  signInKey: null,
  controlPlane: null,
  chainId,
  chainIsLocal: false,
  rpcUrl: null,
  operators: new Set(),
  kyc: { provider: 'review-queue' },
  kyb: null,
  review: { validDays: 365, fourEyes: false },
  kyt: { providers: [{ provider: 'ofac-sdn' }], require: 'all', rejectAt: 'high' },
  evidenceKey: { kind: 'given', key: Buffer.alloc(32, 7) },
  kycRetentionDays: 90,
  recovery: { changeMs: 7 * 24 * 60 * 60_000, claimMs: 48 * 60 * 60_000 },
  oauth: false,
  providerLogin: null,
  providerAwayMs: 30 * 24 * 60 * 60_000,
  limits: { logins: 1_000_000, requests: 1_000_000 },
  exportsTraces: false,
  logLevel: 'silent',
};

function callsTo(url: string, clock: Clock) {
  const request = (method: string, path: string, options: RequestOptions = {}) =>
    send(url, method, path, options);
  const post = (path: string, body: unknown, token?: string) =>
    request('POST', path, token === undefined ? { body } : { body, token });

  /** Logs in as a browser would; `change` bends the message before it is signed. */
  async function loginReply(wallet: Wallet, change: Partial<SiweMessage> = {}): Promise<Reply> {
    const { nonce } = (await post('/api/auth/nonce', {})).data;
    const message = createSiweMessage(loginMessage(url, wallet, { nonce, issuedAt: clock.now, ...change }));
    return post('/api/auth/login', { message, signature: wallet.signMessage(message) });
  }

  async function newAccount(wallet: Wallet = newWallet()) {
    const { token, account } = (await loginReply(wallet)).data;
    const { apiKey } = (await post('/api/keys', { name: 'test' }, token)).data;
    return { wallet, address: wallet.address, token: token as string, apiKey: apiKey as string, account };
  }

  const draftMandate = async (token: string, limits: Partial<typeof demoMandate> = {}) =>
    (await post('/api/mandates/intent/create', { ...demoMandate, ...limits }, token)).data;

  const signMandate = (owner: { wallet: Wallet; token: string }, { mandateId, typedData }: Json) =>
    post(
      '/api/mandates/intent/sign',
      { mandateId, signature: owner.wallet.signTypedData(typedData) },
      owner.token,
    );

  /** A signed, active mandate: its id. */
  async function newMandate(
    owner: { wallet: Wallet; token: string },
    limits: Partial<typeof demoMandate> = {},
  ) {
    const draft = await draftMandate(owner.token, limits);
    expect(await signMandate(owner, draft)).toMatchObject({ status: 200, code: 80000000 });
    return draft.mandateId as string;
  }

  return { request, post, loginReply, newAccount, draftMandate, signMandate, newMandate };
}

/** A dashboard that stops when the running test has finished. */
export async function openDashboardForTest(
  overrides: Partial<DashboardConfig> = {},
  world: Partial<World> = {},
) {
  const dashboard = await openDashboard(overrides, world);
  onTestFinished(dashboard.stop);
  return dashboard;
}

export const demoMandate = { title: 'Research agent', perTxLimit: '1.00', totalBudget: '20', validDays: 30 };

/** A report that every account may make about its own payment. */
export const paymentOf = (payer: string, more: Readonly<Record<string, unknown>> = {}) => ({
  serviceName: 'quotes',
  serviceResult: 'pass',
  chain: 'base',
  payer,
  amount: '0.01',
  ...more,
});

export const loginMessage = (origin: string, wallet: Wallet, change: Partial<SiweMessage>): SiweMessage => ({
  address: wallet.address,
  domain: new URL(origin).host,
  uri: origin,
  version: '1',
  chainId,
  nonce: 'unknownunknown',
  ...change,
});

async function send(base: string, method: string, path: string, options: RequestOptions): Promise<Reply> {
  const { body, token, headers } = options;
  const response = await fetch(base + path, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  expect(response.headers.get('x-request-id')).toMatch(/^[\w.-]{1,64}$/);
  if (method === 'HEAD')
    return { status: response.status, code: 0, msg: '', data: null, headers: response.headers };
  const answer = JSON.parse(text) as Record<string, unknown>;
  expect(Object.keys(answer)).toEqual(['code', 'msg', 'data']);
  expect(answer).toMatchObject({ code: expect.any(Number), msg: expect.any(String) });
  return {
    status: response.status,
    headers: response.headers,
    ...(answer as { code: number; msg: string; data: Json }),
  };
}

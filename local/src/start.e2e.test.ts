import { whyProxied } from './proxy.ts';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { get } from 'node:https';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dashboardDialect } from '@countersign/protocol/dashboard/dialect';
import { dashboardRoutes } from '@countersign/protocol/dashboard/routes';
import { createClient } from '@countersign/service/client';
import { commandLineOf } from '@countersign/service/process-identity';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { balanceOf } from './chain-accounts.ts';
import type { ConnectionCard } from './connection-card.ts';
import { countersign } from './countersign.ts';
import { type Dashboard, expectOk, logIn } from './dashboard-account.ts';
import { callRpc } from './json-rpc.ts';
import { loadShopCustomer } from './keys.ts';
import {
  freePortBase,
  processesOf,
  readCard,
  runStart,
  type StartedCommand,
  survivorsOf,
} from './started-command.ts';
import { usdcUnits } from './usdc-units.ts';

let dir: string;
let base: number;
const started: StartedCommand[] = [];

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'start-'));
  base = await freePortBase();
});

afterEach(async () => {
  for (const command of started.splice(0)) {
    command.kill('SIGKILL');
    await command.ended;
  }
});

afterAll(() => {
  rmSync(dir, { recursive: true, force: true });
});

function start(args: readonly string[], env: NodeJS.ProcessEnv = {}): StartedCommand {
  const command = runStart(['--data', dir, '--port-base', String(base), ...args], env);
  started.push(command);
  return command;
}

function cardNow(): ConnectionCard {
  const card = readCard(dir);
  if (card === null) throw new Error('there is no connection card');
  return card;
}

const parts = [
  'database',
  'chain',
  'facilitator',
  'sample services',
  'dashboard',
  'accounts',
  'enclave',
  'vault',
  'vault user',
  'control plane',
  'gateway',
];

test('starts, tells its progress and its URLs, stays up, and goes without a trace at Ctrl-C [system.start.progress] [system.start.no-story-flag] [system.start.prints-urls-and-waits] [system.start.ctrl-c] [system.card.file] [system.card.removed-on-stop] [system.start.port-base-flag] [system.start.data-flag] [system.start.dashboard] [system.start.vault-and-enclave] [system.card.vault-fields] [system.card.vault-user-is-admin] [system.start.vault-user-printed-once] [system.start.control-plane] [system.start.control-plane-ca] [system.card.control-plane-fields] [system.door.link]', async () => {
  const command = start(['--no-story']);
  await command.printed('Ctrl-C stops everything');

  const card = cardNow();
  expect(statSync(join(dir, 'local.json')).mode & 0o777).toBe(0o600);
  expect(card).toEqual(wholeCard(card, base));
  expect((await fetch(`${card.dashboardUrl}/health`)).status).toBe(200);
  expect(await asksForAdmin(card)).toBe(201);
  expect(await healthOfControlPlane(card)).toBe(200);
  const running = processesOf(dir);
  expect(running.map(({ name }) => name).sort()).toEqual(
    [
      'chain',
      'control-plane',
      'dashboard',
      'enclave',
      'facilitator',
      'gateway',
      'postgres',
      'sample-services',
      'start',
      'vault',
    ].sort(),
  );

  command.kill('SIGINT');
  const { code, stdout, stderr } = await command.ended;

  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  for (const part of parts) {
    expect(stdout).toMatch(new RegExp(`^  ${part} +starting$`, 'm'));
    expect(stdout).toMatch(new RegExp(`^  ${part} +ready after \\d+\\.\\d s$`, 'm'));
  }
  for (const url of [card.gatewayUrl, card.dashboardUrl, card.facilitatorUrl, card.rpcUrl]) {
    expect(stdout).toContain(url);
  }
  expect(stdout).toContain(`password ${card.vaultUser?.password}`);
  expect(stdout).not.toContain('The agent');
  const link = /^ {2}(\w+) +http:\/\/127\.0\.0\.1:(\d+)\/door\/\w+#[\w-]{22}$/gm;
  expect([...stdout.matchAll(link)].map(([, role, port]) => [role, Number(port) - base])).toEqual([
    ['Owner', 10],
    ['Merchant', 10],
    ['Operator', 10],
    ['Approver', 10],
    ['Auditor', 10],
  ]);
  expect(await survivorsOf(running)).toEqual([]);
  expect(readCard(dir)).toBeNull();
  const links = await start(['--links']).ended;
  expect([links.code, links.stderr]).toEqual([
    1,
    `start: there is no demo with a door that runs in ${dir}\n`,
  ]);
});

/** By HTTPS, believing the card's authority alone. */
function healthOfControlPlane({ controlPlaneUrl, controlPlaneCa }: ConnectionCard): Promise<number> {
  return new Promise((resolve, reject) => {
    const ca = readFileSync(String(controlPlaneCa));
    get(`${controlPlaneUrl}/health`, { ca }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    }).once('error', reject);
  });
}

/** How the vault answers its user's wish for a token that may do everything. */
async function asksForAdmin({ vaultUrl, vaultUser }: ConnectionCard): Promise<number> {
  const post = (path: string, body: unknown, token = '') =>
    fetch(`${vaultUrl}/api/v1/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
  const login = await post('auth/login', vaultUser);
  const { access_token: token } = (await login.json()) as { access_token: string };
  return (await post('tokens', { name: 'all', scopes: ['admin'], expires_in: 60 }, token)).status;
}

/** [system.card.payment-fields] [system.card.party-fields] [system.card.gateway-url] */
function wholeCard({ owner, merchant, operator }: ConnectionCard, base: number) {
  const at = (offset: number, path = '') => `http://127.0.0.1:${base + offset}${path}`;
  const wallet = (given: { privateKey: string; address: string }) => ({
    privateKey: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    address: given.address,
  });
  const apiKey = expect.stringMatching(/^csk_[\w-]{43}$/);
  const text = expect.any(String);
  return {
    gatewayUrl: at(0, '/mcp'),
    gatewayToken: expect.stringMatching(/^[\w-]{32}$/),
    dashboardUrl: at(1),
    vaultUrl: at(2),
    controlPlaneUrl: `https://127.0.0.1:${base + 3}`,
    controlPlaneCa: join(dir, 'tls', 'ca.pem'),
    facilitatorUrl: at(4),
    rpcUrl: at(5),
    chainId: 84532,
    tokenAddress: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
    anchorAddress: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/),
    services: [
      { serviceId: 'quotes', url: at(6, '/mcp') },
      { serviceId: 'archive', url: at(7, '/sse') },
    ],
    owner: { ...wallet(owner), accountId: text, apiKey },
    merchant: { ...wallet(merchant), apiKey },
    operatorApiKey: apiKey,
    operator: wallet(operator),
    vaultUser: { username: 'admin', password: expect.stringMatching(/^[\w-]{32}$/) },
    controlPlaneKeys: {
      admin: expect.stringMatching(/^csk_admin_/),
      service: expect.stringMatching(/^csk_service_/),
      approver: expect.stringMatching(/^csk_approver_/),
    },
    controlPlaneClientCert: { cert: join(dir, 'tls', 'client.pem'), key: join(dir, 'tls', 'client-key.pem') },
    databaseUrl: expect.stringMatching(
      new RegExp(`^postgres://countersign:[\\w-]{32}@127\\.0\\.0\\.1:${base + 8}/`),
    ),
    webhookSecret: expect.stringMatching(/^whsec_/),
  };
}

describe('a second start on the same directory', () => {
  /** What has to be the same after it. */
  const look = async () => {
    const card = cardNow();
    const dashboard = createClient(dashboardRoutes, dashboardDialect, {
      baseUrl: new URL(String(card.dashboardUrl)),
      timeoutMs: 5000,
    });
    try {
      const owner = await loggedIn(dashboard, card, card.owner);
      const { token } = owner;
      const mandates = expectOk('list', await dashboard.listMandates({ token, body: {} })).data;
      const log = expectOk(
        'list',
        await dashboard.listTransactions({ token, query: { scope: 'myAll' } }),
      ).data;
      const [balance, height] = await Promise.all([
        balanceOf(String(card.rpcUrl), card.owner.address),
        callRpc(String(card.rpcUrl), 'eth_blockNumber', []),
      ]);
      return { card, accountId: owner.accountId, mandates, log, balance, height: Number(height) };
    } finally {
      await dashboard.close();
    }
  };

  test('goes on where the first stopped, and tells the vault’s password no second time [system.start.state-survives] [system.start.vault-user-printed-once]', async () => {
    const first = start([]);
    await first.printed('Ctrl-C stops everything');
    const before = await look();
    expect(before.log.length).toBeGreaterThan(0);
    const password = String(cardNow().vaultUser?.password);
    first.kill('SIGTERM');
    await first.ended;

    const second = start(['--no-story']);
    await second.printed('Ctrl-C stops everything');
    const after = await look();
    second.kill('SIGTERM');
    expect((await second.ended).stdout).not.toContain(password);

    expect(after).toEqual({ ...before, height: after.height });
    expect(after.height).toBeGreaterThanOrEqual(before.height);
  });

  test('is refused while the first runs', async () => {
    const first = start(['--no-story']);
    await first.printed('Ctrl-C stops everything');
    const card = cardNow();

    const { code, stderr } = await runStart(['--data', dir, '--port-base', '0']).ended;

    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `start: process ${first.pid} already runs on ${dir}; stop it first\n`,
    });
    expect(cardNow()).toEqual(card);
  });
});

const loggedIn = (dashboard: Dashboard, card: ConnectionCard, wallet: ConnectionCard['operator']) =>
  logIn(dashboard, wallet, { origin: new URL(String(card.dashboardUrl)), chainId: card.chainId });

test('killed with -9, it leaves no process and no card, and the next start succeeds [system.start.parent-killed]', async () => {
  const killed = start(['--no-story']);
  await killed.printed('Ctrl-C stops everything');
  const running = processesOf(dir);

  killed.kill('SIGKILL');

  expect(await survivorsOf(running)).toEqual([]);
  expect(readCard(dir)).toBeNull();
  const next = start(['--no-story']);
  await next.printed('Ctrl-C stops everything');
});

test('when a part dies, it says which one and why, and stops the others', async () => {
  const command = start(['--no-story']);
  await command.printed('Ctrl-C stops everything');
  const running = processesOf(dir);

  process.kill(running.find(({ name }) => name === 'facilitator')?.pid ?? 0, 'SIGKILL');
  const { code, stderr } = await command.ended;

  expect(code).toBe(1);
  expect(stderr).toBe(
    `start: facilitator was ended by SIGKILL: listening on http://127.0.0.1:${base + 4} (${dir}/logs/facilitator.log)\n`,
  );
  expect(await survivorsOf(running)).toEqual([]);
});

test('a port that is taken is one sentence, code 1, and nothing left running [system.start.port-taken]', async () => {
  const squatter = createServer();
  await new Promise<void>((resolve) => {
    squatter.listen(base + 4, '127.0.0.1', resolve);
  });

  const { code, stderr } = await start(['--no-story']).ended;

  squatter.close();
  expect(code).toBe(1);
  expect(stderr).toBe(
    `start: port ${base + 4} is taken by another process; the facilitator wants it. Choose other ports with --port-base N\n`,
  );
  expect(readCard(dir)).toBeNull();
});

test('a service that refuses its environment says so, and nothing is left running [system.start.environment-passed-on]', async () => {
  const { code, stderr } = await start(['--no-story'], { PAYMENT_MAX_AMOUNT: 'much' }).ended;

  expect(code).toBe(1);
  expect(stderr).toContain('gateway ended with code 2');
  expect(stderr).toContain('PAYMENT_MAX_AMOUNT must be a plain decimal such as 12.50');
  expect(readCard(dir)).toBeNull();
});

test('a browser that is not where it is named is one sentence, code 1, and nothing left running [system.start.browser-missing]', async () => {
  const { code, stderr } = await start(['--no-story'], { SANDBOX_CHROMIUM: '/no/such/browser' }).ended;

  expect(code).toBe(1);
  expect(stderr).toContain('enclave ended with code 2');
  expect(stderr).toContain('SANDBOX_CHROMIUM must be the path of a program');
  expect(readCard(dir)).toBeNull();
});

test('a data directory that cannot be made or written is one sentence with what to do, and code 1 [system.start.folder]', async () => {
  const file = join(dir, 'a-file');
  writeFileSync(file, '');
  for (const [folder, code] of [
    ['/proc/countersign/state', 'ENOENT'],
    [file, 'EEXIST'],
    [join(file, 'below'), 'ENOTDIR'],
  ] as const) {
    const ended = await runStart(['--no-story', '--port-base', '0', '--data', folder]).ended;
    expect([ended.code, ended.stderr]).toEqual([
      1,
      `start: nothing can be written to ${folder} (${code}): name another data directory with --data DIR\n`,
    ]);
  }
});

test('a proxy that would be asked for this machine’s own services is one sentence, and code 1 [system.start.proxy]', async () => {
  const proxy = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: 'http://proxy.example:3128' };
  // A Node that asks none, such as 20, goes on to what else is wrong.
  const { code, stderr } = await start(['--no-story'], { ...proxy, PAYMENT_MAX_AMOUNT: 'much' }).ended;

  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(
      whyProxied(proxy) === null
        ? /PAYMENT_MAX_AMOUNT must be a plain decimal/
        : /^start: Node asks a proxy .*: set NO_PROXY=127\.0\.0\.1,localhost\n$/,
    ),
  ]);
  expect(readCard(dir)).toBeNull();
});

/** A small disk, seen by nobody else, takes a mount namespace, and that takes root. */
const canMount = spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;

test.runIf(canMount)(
  'a full disk is one sentence, code 1, and nothing left running [system.start.disk-full]',
  () => {
    const small = mkdtempSync(join(tmpdir(), 'full-'));
    const { command, args } = countersign('start', '--no-story', '--data', small, '--port-base', '0');
    const onSmallDisk = 'mount -t tmpfs -o size=8m none "$0" && exec "$@"';
    const env = { PATH: process.env['PATH'], HOME: process.env['HOME'] };
    const { status, stderr } = spawnSync(
      'unshare',
      ['-m', 'sh', '-c', onSmallDisk, small, command, ...args],
      {
        env,
        encoding: 'utf8',
      },
    );

    rmSync(small, { recursive: true });
    expect(status).toBe(1);
    // Who finds it full depends on who writes first.
    expect(stderr.replace(small, 'DIR')).toMatch(
      /^start: the disk is full: (PostgreSQL cannot write|nothing can be written) to DIR\n$/,
    );
    const running = readdirSync('/proc').filter((pid) => commandLineOf(Number(pid)).includes(small));
    expect(running).toEqual([]);
  },
);

test('--story tells its story, stops, and its exit code says how it went [system.start.story-flag] [system.start.fresh-machine] [system.start.gateway-http] [system.story.lists-services] [system.story.free-call] [system.story.paid-call] [system.story.over-limit] [system.story.approve-and-repeat] [system.story.behind-login] [system.story.audit] [system.story.under-policy] [system.sample.owner-pays]', async () => {
  const { code, stdout, stderr } = await start(['--story']).ended;

  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/quotes \(streamable-http\): ping, get_quote/);
  expect(stdout).toMatch(/archive \(sse\): fetch_article/);
  expect(stdout).toContain('ping → SUCCESS, nothing paid');
  expect(stdout).toMatch(/transaction +0x[0-9a-f]{64}/);
  // What each had depends on the stories told before in this directory; what moves does not.
  const moved = [...stdout.matchAll(/^  (owner|merchant) +(\S+) → (\S+) USDC$/gm)].map(
    ([, who, before = '', after = '']) => [who, usdcUnits(after) - usdcUnits(before)],
  );
  expect(moved).toEqual([
    ['owner', -10_000n],
    ['merchant', 10_000n],
    ['owner', -5_000_000n],
    ['merchant', 5_000_000n],
  ]);
  expect(stdout).toContain('get_report → WALLET_APPROVAL_REQUIRED (PER_TX_LIMIT_EXCEEDED)');
  expect(stdout).toContain('#password with {{CREDENTIAL.password}} → executed');
  expect(stdout).toContain('shown        ███, and the script reads ███');
  expect(stdout).toContain('script       pending_approval (script.acts)');
  expect(stdout).toContain('decided      by the agent → insufficient_scope, by the owner → rejected');
  expect(stdout).toContain('exported     8 orders, the newest: LR-2048,');
  expect(stdout).toMatch(/ records; countersign audit verify → exit code 3, good, but SIMULATED/);
  expect(stdout).toContain('€ 180        completed: LR-2051,');
  expect(stdout).toContain('€ 740        pending_hitl:');
  expect(stdout).toContain('agreed       completed: LR-2054');
  expect(stdout).toContain('€ 5,400      denied (policy_denied)');
  expect(stdout).toMatch(/proof        countersign audit verify → exit code 3, good, but SIMULATED/);
  expect(stdout).not.toContain(loadShopCustomer(dir).password);
  expect(readCard(dir)).toBeNull();
});

test('interrupted while it starts, it leaves nothing running', async () => {
  const command = start([]);
  await command.printed('dashboard');
  const running = processesOf(dir);

  command.kill('SIGINT');
  const { code, stderr } = await command.ended;

  expect({ code, stderr }).toEqual({ code: 130, stderr: '' });
  expect(await survivorsOf(running)).toEqual([]);
});

test('an option it does not know is one line and code 2', async () => {
  const { code, stderr } = await runStart(['--fast']).ended;

  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: `start: Unknown option '--fast'. "npm start -- --help" explains.\n`,
  });
});

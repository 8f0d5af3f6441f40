import { readFileSync } from 'node:fs';
import { type Agent, connectAgent } from '@countersign/local/agent';
import { expectOk } from '@countersign/local/dashboard-account';
import { controlDialect } from '@countersign/protocol/control/dialect';
import { controlRoutes } from '@countersign/protocol/control/routes';
import { ended } from '@countersign/protocol/control/execution';
import { dashboardDialect } from '@countersign/protocol/dashboard/dialect';
import { dashboardRoutes } from '@countersign/protocol/dashboard/routes';
import type { GatewayEnvelope } from '@countersign/protocol/gateway/envelope';
import { vaultDialect } from '@countersign/protocol/vault/dialect';
import { vaultRoutes } from '@countersign/protocol/vault/routes';
import { createClient } from '@countersign/service/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { booksAgree, readBooks } from '../gateway/fixtures/books.ts';
import { newStateDir, removeStateDirs } from '../gateway/fixtures/mortal-gateway.ts';
import { openShop, type Shop } from '../gateway/fixtures/paid-shop.ts';
import { sale } from '../gateway/fixtures/sell-tool.ts';
import { until } from '../gateway/fixtures/until.ts';
import { type Owner, startWorld, type World } from '../gateway/fixtures/world.ts';
import { startCounter } from './fixtures/counter.ts';
import { furtherNodes, type Pair, pairOf } from './fixtures/nodes.ts';
import { verifiedExport } from './fixtures/verified-export.ts';

/** Two processes of everything but the enclave, on one PostgreSQL. */
let world: World;
let further: Awaited<ReturnType<typeof furtherNodes>>;
let pairs: {
  readonly dashboard: Pair;
  readonly vault: Pair;
  readonly controlPlane: Pair;
  readonly gateway: Pair;
};
let owner: Owner;
/** Drafts mandates, and pays nothing. */
let planner: Owner;
let shop: Shop;
let agent: Agent;
let counter: Awaited<ReturnType<typeof startCounter>>;

const timeoutMs = 5_000;
const budget = { perTxLimit: '0.01', totalBudget: '5' };

beforeAll(async () => {
  world = await startWorld({}, ['vault user', 'control plane']);
  const { card, dir } = world;
  further = await furtherNodes(dir);
  const [dashboard, vault, controlPlane] = await Promise.all([
    further.pair('dashboard', 'DASHBOARD_PORT', card.dashboardUrl),
    further.pair('vault', 'VAULT_PORT', card.vaultUrl ?? ''),
    further.pair('control-plane', 'CONTROL_PORT', card.controlPlaneUrl ?? ''),
  ]);
  owner = await world.newOwner({ mandate: budget });
  planner = await world.newOwner({ mandate: null, usdc: 0n });
  [shop, counter] = await Promise.all([openShop(world), startCounter()]);
  const env = {
    COMPLIANCE_BASE_URL: dashboard.url,
    GATEWAY_DATABASE_URL: card.databaseUrl,
    PAYMENT_TIMEOUT_MS: '3000',
    LOG_LEVEL: 'error',
  };
  const gateway = await pairOf(null, async () => {
    const stateDir = await newStateDir();
    const started = await world.gatewayProcess(
      owner,
      { shop: shop.url },
      { ...env, GATEWAY_STATE_DIR: stateDir },
    );
    return { url: started.url, pid: started.child.pid };
  });
  pairs = { dashboard, vault, controlPlane, gateway };
  agent = await connectAgent(gateway.url);
});

afterAll(async () => {
  await agent?.close();
  for (const pair of Object.values(pairs ?? {})) await pair.stop();
  await further?.stop();
  await world?.stop();
  counter?.stop();
  await removeStateDirs();
});

/** Clients that know the balancers alone. Each call may be lost with the process that had it. */
async function clients() {
  const { card } = world;
  const { cert = '', key = '' } = card.controlPlaneClientCert ?? {};
  const tls = {
    ca: readFileSync(card.controlPlaneCa ?? '', 'utf8'),
    cert: readFileSync(cert, 'utf8'),
    key: readFileSync(key, 'utf8'),
  };
  const at = ({ url }: Pair) => ({ baseUrl: new URL(url), timeoutMs });
  const vault = createClient(vaultRoutes, vaultDialect, at(pairs.vault));
  const { access_token: vaultToken } = expectOk(
    'log in',
    await vault.login({ body: card.vaultUser ?? { username: '', password: '' } }),
  );
  return {
    dashboard: createClient(dashboardRoutes, dashboardDialect, at(pairs.dashboard)),
    vault,
    vaultToken,
    controlPlane: createClient(controlRoutes, controlDialect, { ...at(pairs.controlPlane), tls }),
    adminKey: card.controlPlaneKeys?.admin ?? '',
    serviceKey: card.controlPlaneKeys?.service ?? '',
  };
}

/** Work that goes on until the end; `done` has what was acknowledged. */
type Work<T> = { readonly done: T[]; readonly ended: Promise<void> };

/** Does `once` again and again, with a number of its own each time; null was not acknowledged. */
function keepDoing<T>(
  isOver: () => boolean,
  atOnce: number,
  once: (n: number) => Promise<T | null>,
): Work<T> {
  const done: T[] = [];
  let next = 0;
  const worker = async () => {
    while (!isOver()) {
      const acknowledged = await once((next += 1));
      if (acknowledged !== null) done.push(acknowledged);
    }
  };
  return { done, ended: Promise.all(Array.from({ length: atOnce }, worker)).then(() => undefined) };
}

const hashOf = (answer: GatewayEnvelope | null) => answer?.detail.paymentResponse?.['transaction'];

/**
 * Calls with one key until it is known that it was paid. An answer of the service that died with a gateway is lost: the
 * next one says that it was paid, and for what.
 */
async function pay(idempotencyKey: string): Promise<{ key: string; hash: string }> {
  const paid = await until(
    () => agent.call({ ...sale, idempotencyKey }).catch(() => null),
    (answer) => answer?.detail.paymentMade === true && hashOf(answer) !== undefined,
  );
  return { key: idempotencyKey, hash: String(hashOf(paid)) };
}

/** Asks with one key until it is known how the execution ended. */
async function execute({ controlPlane, serviceKey: token }: Asked, policy_id: string, n: number) {
  const what = { policy_id, user_id: 'ann', service: 'counter', action: 'count', params: { n } };
  const headers = { 'idempotency-key': `execution-${n}` };
  const answer = await until(
    () => controlPlane.createExecution({ token, headers, body: what }),
    (told) => told.kind === 'ok' && ended.some((status) => status === told.data.status),
  );
  const { execution_id: id, status } = expectOk('execute', answer);
  return { n, id, status };
}

type Kept = { readonly credentialId: string; readonly policyId: string };

function load(asked: Asked, { credentialId, policyId }: Kept) {
  let over = false;
  const isOver = () => over;
  const works = {
    payments: keepDoing(isOver, 4, (n) => pay(`payment-${n}`)),
    mandates: keepDoing(isOver, 1, async (n) => {
      const body = { title: `Mandate ${n}`, validDays: 1, ...budget };
      const made = await asked.dashboard.createMandate({ token: planner.token, body });
      return made.kind === 'ok' ? made.data.mandate.id : null;
    }),
    decryptions: keepDoing(isOver, 2, async (n) => {
      const reason = `decryption ${n}`;
      const opened = await asked.vault.decryptCredential({
        token: asked.vaultToken,
        params: { id: credentialId },
        body: { reason },
      });
      if (opened.kind !== 'ok') return null;
      expect(opened.data.plaintext_data).toEqual({ key: 'k-1' });
      return { reason, auditId: opened.data.audit_id };
    }),
    policies: keepDoing(isOver, 1, async (n) => {
      const body = { name: `policy ${n}`, cedar: 'permit(principal, action, resource);' };
      const made = await asked.controlPlane.createPolicy({ token: asked.adminKey, body });
      return made.kind === 'ok' ? made.data.policy_id : null;
    }),
    executions: keepDoing(isOver, 2, (n) => execute(asked, policyId, n)),
  };
  return {
    works,
    /** Resolves when each kind of work went on by so much. */
    goesOn: async (by: number): Promise<void> => {
      const counts = () => Object.values(works).map(({ done }) => done.length);
      const before = counts();
      await until(
        async () => counts(),
        (now) => now.every((count, n) => count >= (before[n] ?? 0) + by),
      );
    },
    end: async (): Promise<void> => {
      over = true;
      await Promise.all(Object.values(works).map(({ ended }) => ended));
    },
  };
}

const anchorOf = async ({ url }: { readonly url: string }): Promise<string> => {
  const ready = await fetch(new URL('/ready', url));
  return ((await ready.json()) as { anchor: { state: string } }).anchor.state;
};

/** Kills the vault that publishes the audit log’s root; the other takes over. Milliseconds that took. */
async function killLeader(): Promise<number> {
  const states = await Promise.all(pairs.vault.nodes().map(anchorOf));
  expect(states.filter((state) => state === 'standby')).toHaveLength(1);
  const leader = states.findIndex((state) => state !== 'standby');
  const heir = pairs.vault.nodes()[1 - leader] ?? { url: '' };
  const killedAt = performance.now();
  pairs.vault.kill(leader);
  await until(
    () => anchorOf(heir),
    (state) => state !== 'standby',
  );
  const tookMs = performance.now() - killedAt;
  await pairs.vault.restart(leader);
  return tookMs;
}

test('two of every process, one of each killed under load: nothing acknowledged is lost, nothing is done twice [system.service.stateless] [system.production.two-nodes] [system.service.one-at-a-time]', async () => {
  const asked = await clients();
  const { works, goesOn, end } = load(asked, await keep(asked));

  await goesOn(3);
  for (const [n, pair] of [pairs.gateway, pairs.dashboard, pairs.controlPlane].entries()) {
    pair.kill(n % 2);
    await goesOn(2);
    await pair.restart(n % 2);
    await goesOn(1);
  }
  expect(await killLeader()).toBeLessThan(10_000);
  await goesOn(3);
  await end();

  await expectPaidOnce(works.payments.done);
  await expectKept(asked, works);
  await expectRecordedOnce(asked, works);
  await expectRunOnce(asked, works.executions.done);
  await Promise.all([asked.dashboard.close(), asked.vault.close(), asked.controlPlane.close()]);
});

/** What the load works with. */
async function keep({ vault, vaultToken, controlPlane, adminKey: token }: Asked): Promise<Kept> {
  const secret = {
    service_id: 'shop',
    credential_type: 'api_key' as const,
    plaintext_data: { key: 'k-1' },
  };
  const credential = await vault.createCredential({ token: vaultToken, body: secret });
  const connector = { service: 'counter', type: 'http' as const, definition: counter.definition };
  expectOk('connect', await controlPlane.createConnector({ token, body: connector }));
  const anything = { name: 'anything', cedar: 'permit(principal, action, resource);' };
  const policy = expectOk('allow', await controlPlane.createPolicy({ token, body: anything }));
  return { credentialId: expectOk('keep a credential', credential).id, policyId: policy.policy_id };
}

/** Each key paid once: chain, log and mandate agree with what the agent was told, also when it asks again. */
async function expectPaidOnce(paid: readonly { key: string; hash: string }[]): Promise<void> {
  await until(
    async () => shop.busy(),
    (busy) => busy === 0,
  );
  const books = await until(
    () => readBooks(world, owner),
    (all) => booksAgree(all) && all.hashes.length === shop.settled.size,
  );
  expect(new Set(books.hashes)).toEqual(new Set(paid.map(({ hash }) => hash)));
  expect(books.hashes).toHaveLength(paid.length);
  expect(books.chain).toBe(BigInt(paid.length) * 10_000n);
  for (const { key, hash } of paid.slice(-3)) expect(await pay(key)).toEqual({ key, hash });
  expect(shop.settled.size).toBe(paid.length);
}

type Asked = Awaited<ReturnType<typeof clients>>;
type Works = ReturnType<typeof load>['works'];

/** What was acknowledged is there, and once. */
async function expectKept({ dashboard, controlPlane, adminKey }: Asked, works: Works): Promise<void> {
  const drafted: string[] = [];
  for (let page = 1, total = 1; drafted.length < total; page++) {
    const body = { page, limit: 100 };
    const list = expectOk('list', await dashboard.listMandates({ token: planner.token, body }));
    drafted.push(...list.data.map(({ id }) => id));
    total = list.total;
  }
  expect(drafted).toEqual(expect.arrayContaining(works.mandates.done));
  for (const policy_id of works.policies.done)
    expect(await controlPlane.getPolicy({ token: adminKey, params: { policy_id } })).toMatchObject({
      kind: 'ok',
    });
}

/** Each key is one execution, and what it does was done once; not at all or once where nobody can know. */
async function expectRunOnce(asked: Asked, done: readonly { n: number; id: string; status: string }[]) {
  expect(new Set(done.map(({ id }) => id)).size).toBe(done.length);
  const completed = done.filter(({ status }) => status === 'completed');
  expect(completed.length).toBeGreaterThan(done.length / 2);
  expect(completed.filter(({ n }) => counter.runs.get(n) !== 1)).toEqual([]);
  expect([...counter.runs].filter(([, times]) => times > 1)).toEqual([]);
  for (const { id, status } of done.filter((one) => one.status !== 'completed').concat(done.slice(-3))) {
    const token = asked.serviceKey;
    const kept = await asked.controlPlane.getExecution({ token, params: { execution_id: id } });
    expect(expectOk('look', kept)).toMatchObject({ status });
  }
}

/** The chain of records has no gap, `audit verify` finds nothing wrong, and what was acknowledged stands in it once. */
async function expectRecordedOnce({ vault, vaultToken: token }: Asked, works: Works): Promise<void> {
  const records = verifiedExport(expectOk('export the log', await vault.exportAudit({ token })));
  for (const { reason, auditId } of works.decryptions.done)
    expect(records.filter(({ detail }) => detail['reason'] === reason)).toMatchObject([{ auditId }]);
  const created = records.filter(({ eventType }) => eventType === 'policy_created');
  for (const id of works.policies.done)
    expect(created.filter(({ detail }) => JSON.stringify(detail).includes(id))).toHaveLength(1);
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Env } from '@countersign/service/config';
import { afterAll, expect, test } from 'vitest';
import { loadKeys, loadShopCustomer } from './keys.ts';
import { planPorts } from './port-plan.ts';
import { serviceEnvironments } from './service-environments.ts';

const dir = mkdtempSync(join(tmpdir(), 'environments-'));
afterAll(() => rmSync(dir, { recursive: true }));

const environments = async (env: Env) =>
  serviceEnvironments({
    dir,
    env,
    ports: await planPorts(4020),
    keys: loadKeys(dir),
    databaseUrl: null,
    anchorAddress: null,
    ownerKey: null,
    shopCustomer: loadShopCustomer(dir),
    hasControlPlane: false,
    door: null,
  });
const enclaveOf = async (env: Env): Promise<Env> => (await environments(env)).enclave;

test('browsers are kept apart as well as the machine can, unless the environment demands more [system.start.sandbox-isolation-best]', async () => {
  expect(await enclaveOf({})).toMatchObject({ SANDBOX_ISOLATION: 'best' });
  expect(await enclaveOf({ SANDBOX_ISOLATION: 'required' })).toMatchObject({ SANDBOX_ISOLATION: 'required' });
});

test('they may reach the demo site, beside what the environment names [system.start.sandbox-allow-private]', async () => {
  expect(await enclaveOf({})).toMatchObject({ SANDBOX_ALLOW_PRIVATE: '127.0.0.1' });
  expect(await enclaveOf({ SANDBOX_ALLOW_PRIVATE: '10.0.0.0/8' })).toMatchObject({
    SANDBOX_ALLOW_PRIVATE: '127.0.0.1,10.0.0.0/8',
  });
});

test('connectors and webhooks of the control plane may lead to this machine, unless the environment forbids it [system.start.allow-private-targets]', async () => {
  const allowed = { CONNECTOR_ALLOW_PRIVATE: '1', WEBHOOK_ALLOW_PRIVATE: '1' };
  expect((await environments({})).controlPlane).toMatchObject(allowed);
  const forbidden = { CONNECTOR_ALLOW_PRIVATE: '0', WEBHOOK_ALLOW_PRIVATE: '0' };
  expect((await environments(forbidden)).controlPlane).toMatchObject(forbidden);
});

import { cpSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ConnectionCard } from '@countersign/local/connection-card';
import { expectOk } from '@countersign/local/dashboard-account';
import type { Part } from '@countersign/local/parts';
import { startSystem, type System } from '@countersign/local/system';
import { controlDialect } from '@countersign/protocol/control/dialect';
import { controlRoutes } from '@countersign/protocol/control/routes';
import { vaultDialect } from '@countersign/protocol/vault/dialect';
import { vaultRoutes } from '@countersign/protocol/vault/routes';
import { createClient } from '@countersign/service/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyOfDatabase, newDatabase } from '../fixtures/new-database.ts';
import { until } from '../gateway/fixtures/until.ts';
import { verifiedExport } from './fixtures/verified-export.ts';

/** What an operator keeps: a copy of the database, and then one of the enclave's directory. */
type Backup = { readonly databaseUrl: string; readonly enclave: string };

let root: string;
let system: System | undefined;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'backup-'));
});
afterAll(async () => {
  await system?.stop();
  rmSync(root, { recursive: true, force: true });
});

const everything: readonly Part[] = ['vault user', 'control plane'];

/** Starts what keeps something, on this directory; the log’s root is on chain a second after a record. */
async function start(dir: string, databaseUrl: string, env: object = {}, only = everything) {
  const told = { ...process.env, DATABASE_URL: databaseUrl, ANCHOR_INTERVAL_SECONDS: '1', ...env };
  system = await startSystem({ dir, portBase: 0, env: told, only });
  return peopleOf(system);
}

async function peopleOf({ card }: System) {
  const { vaultUser } = card;
  const control = controlClient(card);
  const admin = card.controlPlaneKeys?.admin ?? '';
  const vault = createClient(vaultRoutes, vaultDialect, {
    baseUrl: new URL(card.vaultUrl ?? ''),
    timeoutMs: 5_000,
  });
  const login = vaultUser ?? { username: '', password: '' };
  const { access_token: token } = expectOk('log in', await vault.login({ body: login }));
  return {
    async keep(key: string): Promise<string> {
      const body = { service_id: 'shop', credential_type: 'api_key' as const, plaintext_data: { key } };
      return expectOk('keep it', await vault.createCredential({ token, body })).id;
    },
    async open(id: string) {
      const body = { reason: 'to see whether it opens' };
      return expectOk('open it', await vault.decryptCredential({ token, params: { id }, body }))
        .plaintext_data;
    },
    records: async () => verifiedExport(expectOk('export', await vault.exportAudit({ token }))),
    addPolicy: async () => {
      const body = { name: 'anything', cedar: 'permit(principal, action, resource);' };
      expectOk('add it', await control.createPolicy({ token: admin, body }));
    },
    policies: async () => expectOk('list', await control.listPolicies({ token: admin })).total,
    /** Resolves when the whole log is on chain. */
    anchored: () =>
      until(
        async () => (await fetch(new URL('/ready', card.vaultUrl ?? ''))).json() as Promise<Ready>,
        ({ anchor, audit }) => anchor.state === 'anchored' && anchor.size === audit.size,
      ),
    async stop() {
      await Promise.all([vault.close(), control.close()]);
      await system?.stop();
    },
  };
}

function controlClient({ controlPlaneUrl, controlPlaneCa, controlPlaneClientCert }: ConnectionCard) {
  const pem = (path: string | undefined) => (path === undefined ? '' : readFileSync(path, 'utf8'));
  const tls = {
    ca: pem(controlPlaneCa ?? undefined),
    cert: pem(controlPlaneClientCert?.cert),
    key: pem(controlPlaneClientCert?.key),
  };
  const baseUrl = new URL(controlPlaneUrl ?? 'https://127.0.0.1');
  return createClient(controlRoutes, controlDialect, { baseUrl, timeoutMs: 5_000, tls });
}

type Ready = { readonly anchor: { state: string; size?: number }; readonly audit: { size: number } };

/** First the database, then the enclave: so the log tells of all that the database has. */
async function backUp(databaseUrl: string, dir: string, name: string): Promise<Backup> {
  const backup = { databaseUrl: await copyOfDatabase(databaseUrl), enclave: join(root, name) };
  cpSync(join(dir, 'enclave'), backup.enclave, { recursive: true });
  return backup;
}

test('restored from copies of database and enclave directory, credentials open and the log is good; an older one is refused [system.production.backup] [vault.audit.rollback]', async () => {
  const [first, second] = [join(root, 'first'), join(root, 'second')];
  const databaseUrl = await newDatabase();
  const before = await start(first, databaseUrl);
  const id = await before.keep('k-1');
  await before.open(id);
  await before.addPolicy();
  await before.anchored();
  const records = (await before.records()).length;
  await before.stop();
  const backup = await backUp(databaseUrl, first, 'kept');

  // What is lost: the database and the enclave. The chain goes on, and the operator has the keys and certificates.
  cpSync(first, second, { recursive: true });
  rmSync(join(second, 'enclave'), { recursive: true });
  rmSync(first, { recursive: true });
  cpSync(backup.enclave, join(second, 'enclave'), { recursive: true });
  const restored = await start(second, backup.databaseUrl);
  expect(await restored.open(id)).toEqual({ key: 'k-1' });
  expect(await restored.records()).toHaveLength(records + 1);
  expect(await restored.policies()).toBe(1);
  await restored.anchored();
  await restored.stop();

  // The same backup again: by now the chain knows of a longer log.
  rmSync(join(second, 'enclave'), { recursive: true });
  cpSync(backup.enclave, join(second, 'enclave'), { recursive: true });
  await expect(start(second, backup.databaseUrl, {}, ['vault user'])).rejects.toThrow('AUDIT_ROLLBACK');

  renameSync(join(second, 'enclave', 'audit'), join(root, 'audit-until-the-loss'));
  const origin = { AUDIT_ORIGIN: 'countersign.local/audit-2' };
  const renewed = await start(second, backup.databaseUrl, origin, ['vault user']);
  expect(await renewed.open(id)).toEqual({ key: 'k-1' });
  expect(await renewed.records()).toHaveLength(1);
  await renewed.anchored();
  await renewed.stop();
});

import { randomBytes } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { type Json, newDatabase, newWallet, openDashboard } from '../dashboard.ts';
import { chainalysis } from './chainalysis.ts';
import { elliptic } from './elliptic.ts';
import { startFakeServer } from './fake-server.ts';
import { persona } from './persona.ts';
import { sanctionsOracle } from './sanctions-oracle.ts';
import { sumsub } from './sumsub.ts';
import { trm } from './trm.ts';
import type { Vendor } from './vendor.ts';

export const vendors: readonly Vendor[] = [sumsub, persona, chainalysis, trm, elliptic, sanctionsOracle];

export type VendorWorld = Awaited<ReturnType<typeof openVendorWorld>>;

/** A dashboard that is configured by variables alone, with a vendor behind it whose server can be made to fail. */
export async function openVendorWorld(vendor: Vendor, more: Readonly<Record<string, string>> = {}) {
  let said: Json = vendor.meanings[1]?.[1];
  let now = () => new Date();
  const server = await startFakeServer((received) => vendor.answer(received, said, now()));
  const DATABASE_URL = await newDatabase();
  const EVIDENCE_KEY = randomBytes(32).toString('base64');
  const read = readConfig({ DATABASE_URL, EVIDENCE_KEY, ...vendor.env(server.url), ...more });
  if (!read.ok) throw new Error(read.error.join('; '));
  const { kyc, kyt, evidenceKey, storage } = read.value;
  const dashboard = await openDashboard({ kyc, kyt, evidenceKey, storage });
  now = () => dashboard.clock.now;
  const caller = await dashboard.newAccount();

  return {
    dashboard,
    server,
    caller,
    /** What the vendor says of everybody from now on. */
    says(next: Json) {
      said = next;
    },
    /** Whom nobody has asked about: for KYC an account, because a vendor knows people by their account. */
    async somebody(): Promise<string> {
      return vendor.kind === 'kyt' ? newWallet().address : (await dashboard.newAccount()).address;
    },
    ask: (walletAddress: string) =>
      dashboard.post(vendor.kind === 'kyc' ? '/api/kyc/check' : '/api/compliance/kyt/check', {
        apiKey: caller.apiKey,
        walletAddress,
      }),
    state: async (): Promise<Json> => {
      const { data } = await dashboard.request('GET', '/api/compliance/providers', { token: caller.token });
      return vendor.kind === 'kyc' ? data.kyc : data.kyt[0];
    },
    stop: async () => {
      await dashboard.stop();
      await server.stop();
    },
  };
}

/** The same, gone when the running test has finished. */
export async function openVendorWorldForTest(vendor: Vendor, more: Readonly<Record<string, string>> = {}) {
  const world = await openVendorWorld(vendor, more);
  onTestFinished(() => world.stop());
  return world;
}

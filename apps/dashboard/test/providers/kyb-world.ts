import { randomBytes } from 'node:crypto';
import { createLogger } from '@countersign/service/logger';
import { createPool } from '@countersign/service/sql';
import { createEvidence } from '../../src/compliance/evidence.ts';
import { readConfig } from '../../src/config.ts';
import { createKyb } from '../../src/kyb/kyb.ts';
import { readDue } from '../../src/kyb/poll.ts';
import { kybVendor } from '../../src/providers.ts';
import { type Person, threeOperators } from '../compliance-people.ts';
import { type Json, newDatabase, openDashboard } from '../dashboard.ts';
import { payeesOf } from '../payees.ts';
import { urlOf } from '../personal-data.ts';
import type { KybFake } from './business-checks.ts';
import { startFakeServer } from './fake-server.ts';

async function openParts(fake: KybFake, more: Readonly<Record<string, string>>) {
  let said: Json = null;
  let now = () => new Date();
  const server = await startFakeServer((received) => fake.answer(received, said, now()));
  const wallets = threeOperators();
  const read = readConfig({
    DATABASE_URL: await newDatabase(),
    EVIDENCE_KEY: randomBytes(32).toString('base64'),
    OPERATOR_ADDRESSES: wallets.map(({ address }) => address).join(','),
    ...fake.env(server.url),
    ...more,
  });
  if (!read.ok) throw new Error(read.error.join('; '));
  const { kyb, evidenceKey, storage, operators, review } = read.value;
  const dashboard = await openDashboard({ kyb, evidenceKey, storage, operators, review });
  now = () => dashboard.clock.now;
  const [operator, second] = await Promise.all(wallets.map((wallet) => dashboard.newAccount(wallet)));
  const payer = await dashboard.newAccount();
  const payees = payeesOf(dashboard);
  const pool = createPool(urlOf(dashboard), createLogger('dashboard', 'silent'));
  const log = createLogger('dashboard', 'silent');
  if (kyb === null || operator === undefined || second === undefined) throw new Error('not configured');
  const evidence = createEvidence({ pool, sealer: null, now, random: randomBytes });
  /** The provider's checks as a process reads them whose clock is wrong by so much, in milliseconds. */
  const kybOf = (byMs: number) => {
    const told = () => new Date(now().getTime() + byMs);
    return createKyb(kybVendor(kyb, now), { pool, evidence, now: told, log });
  };
  const says = (next: Json): void => {
    said = next;
  };
  return { dashboard, server, payees, pool, log, operator, second, payer, says, kybOf, now: () => now() };
}

/** A dashboard with a KYB provider, two operators and a payer. */
export async function openKybWorld(fake: KybFake, more: Readonly<Record<string, string>> = {}) {
  const parts = await openParts(fake, more);
  const { dashboard, server, payees, pool, operator } = parts;
  const check = (id: string, body: object = {}, by: Person = operator) =>
    dashboard.post(
      `/api/payees/${id}/checks`,
      { version: 1, country: 'DE', registrationNumber: 'HRB 1 B', ...body },
      by.token,
    );
  return {
    ...parts,
    check,
    /** A record that counts, and a check of it that has begun. */
    async checked() {
      const address = payees.address();
      const id = await payees.admitted(operator, [address]);
      const { data } = await check(id);
      return { id, address, checkId: data.payee.checks[0].id as string };
    },
    checksOf: async (id: string) => (await payees.get(operator, id)).data.payee.checks as Json[],
    /** As the page of a record shows them. */
    seenOf: async (id: string) => {
      const { checks } = (await payees.get(operator, id)).data.payee;
      return { seenRejections: checks.flatMap(({ rejection }: Json) => rejection ?? []) };
    },
    /** Another process reads a check, whose clock is wrong by so much. */
    readElsewhere: (checkId: string, byMs: number) => parts.kybOf(byMs).read(checkId),
    readAgain: (checkId: string, by: Person = operator) =>
      dashboard.post(`/api/business/checks/${checkId}/read`, {}, by.token),
    poll: () => readDue({ pool, kyb: parts.kybOf(0), now: parts.now, log: parts.log }),
    deliver: (sent: ReturnType<KybFake['webhook']>, to = fake.id) =>
      dashboard.request('POST', `/api/business/webhooks/${to}`, sent),
    stop: async () => {
      await pool.end();
      await dashboard.stop();
      await server.stop();
    },
  };
}
export type KybWorld = Awaited<ReturnType<typeof openKybWorld>>;

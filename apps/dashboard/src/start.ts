import { randomBytes } from 'node:crypto';
import { dashboardDialect } from '@countersign/protocol/dashboard/dialect';
import { every } from '@countersign/service/every';
import { type Service, sayWhy } from '@countersign/service/lifecycle';
import { openPort } from '@countersign/service/listen';
import { createLogger } from '@countersign/service/logger';
import { repeat } from '@countersign/service/repeat';
import { silentTracer } from '@countersign/service/trace';
import { transferNode } from './adapters/transfer-node.ts';
import { startSweeper } from './alerts/sweeper.ts';
import {
  contractsOf,
  createDashboard,
  isLoopbackHost,
  lookedAt,
  namesOf,
  openSessions,
  type World,
} from './app.ts';
import { forgetArguments } from './approvals/arguments.ts';
import { walletJudge } from './auth/wallet-signature.ts';
import { openSealer, type Sealer } from './compliance/seal.ts';
import type { DashboardConfig } from './config.ts';
import { builtConsole, readConsole } from './console.ts';
import { handOn, openElsewhere } from './elsewhere/elsewhere.ts';
import { startEvents } from './events/events.ts';
import type { Kyb } from './kyb/kyb.ts';
import { kybChecks, openKyb } from './kyb/open.ts';
import { documentFetcher } from './oauth/fetch-document.ts';
import { startOauthUpkeep } from './oauth/upkeep.ts';
import { startDomainChecks } from './payees/check-domain.ts';
import { payeeFileFetcher } from './payees/domain-file.ts';
import { openForKey, startPersonalUpkeep } from './personal/upkeep.ts';
import { openProvider } from './provider-login/provider.ts';
import { startLettingGo } from './provider-login/upkeep.ts';
import { startRecovering } from './recovery/upkeep.ts';
import { startLogUpkeep } from './transactions/upkeep.ts';
import { startLooking } from './transfers/look.ts';

/** A dashboard that listens. `stop` finishes what is in flight. */
export type Dashboard = Service & { readonly url: string };

/** Starts the whole service: port, database, tables, API. Fails with one sentence, and then leaves nothing open. */
export async function startDashboard(
  config: DashboardConfig,
  world: Partial<World> = {},
): Promise<Dashboard> {
  const log = world.log ?? createLogger('dashboard', config.logLevel);
  const port = await openPort(config.host, config.port, dashboardDialect);
  const origins = originsOf(config, port.port);
  try {
    const sealer = openSealer(config.evidenceKey);
    const database = await openForKey(config.storage, sealer, log);
    const site = world.site === undefined ? readConsole(log, builtConsole, config) : world.site;
    const fetchers = { fetchDocument: documentFetcher(), fetchPublic: payeeFileFetcher() };
    const usual = { now: () => new Date(), random: randomBytes, tracer: silentTracer, every, ...fetchers };
    const whole = { ...usual, ...world, site, log };
    const events = await startEvents({ pool: database.pool, recovery: config.recovery, ...whole });
    const sessions = await openSessions(database.pool, origins, whole);
    const checks = openKyb({ ...config, sealer }, database.pool, whole);
    const settings = { ...config, origins, sealer, sessions, checks };
    const app = await createDashboard(database.pool, settings, events, whole);
    const elsewhere = openElsewhere(config, { ...whole, pool: database.pool, sessions, events });
    handOn(app, elsewhere);
    const jobs = await startJobs(
      { ...config, sealer, checks },
      { ...whole, pool: database.pool, tell: events.tell },
    );
    port.serve(app.fetch);
    const url = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port.port}`;
    log.info(
      { url, publicUrl: origins[0], kyc: config.kyc.provider, kyt: namesOf(config.kyt) },
      'the dashboard is up',
    );
    const stop = once(async () => {
      // A stream would never end by itself; a request in flight does, and may have something to tell.
      events.endStreams();
      await port.close();
      await Promise.all(jobs.map((job) => job.stop()));
      await events.stop();
      await elsewhere.stop();
      await database.close();
    });
    return { url, stop };
  } catch (error) {
    await port.close();
    throw new Error(`the dashboard cannot start: ${sayWhy(error)}`, { cause: error });
  }
}

type AtWork = World & Pick<Parameters<typeof startLooking>[0], 'pool' | 'tell'>;

/** Starts the background jobs: cleaning up, expiries, checks that are due. */
async function startJobs(
  config: DashboardConfig & { readonly sealer: Sealer | null; readonly checks: Kyb | null },
  world: AtWork,
): Promise<readonly Service[]> {
  const { pool, now, log, tell } = world;
  const { chainId, sealer, providerAwayMs: awayMs, providerLogin } = config;
  const signedBy = walletJudge(pool, contractsOf(config, log));
  const answers = providerLogin ? openProvider(providerLogin, { now, log }).answers : async () => true;
  return [
    ...(await startPersonalUpkeep({ ...config, ...world, sealer })),
    await startLogUpkeep(pool, now, log),
    startOauthUpkeep(pool, now, log),
    startLettingGo({ pool, awayMs, now, tell, answers }, log),
    startRecovering(pool, now, tell, log),
    startSweeper(pool, now, tell, log),
    repeat(log, 'delete arguments of decided approvals', 60_000, () => forgetArguments(pool, now())),
    startDomainChecks({ ...world, chain: `eip155:${chainId}`, signedBy }, log),
    ...kybChecks(config.checks, pool, world),
    ...lookersOf(config, world),
  ];
}

function lookersOf(config: DashboardConfig, parts: AtWork): readonly Service[] {
  const at = lookedAt(config);
  if (at === null) return [];
  const node = transferNode(at.rpcUrl, at.token.chainId, parts.log);
  const looking = startLooking({ ...parts, node, token: at.token });
  return [{ stop: () => looking.stop().then(node.close) }];
}

/** On this machine a browser may spell the same address in several ways. */
function originsOf(config: DashboardConfig, port: number): [string, ...string[]] {
  const local = [`http://127.0.0.1:${port}`, `http://localhost:${port}`];
  const others = config.otherOrigins.map(({ origin }) => origin);
  const publicOrigin = config.publicUrl?.origin ?? `http://127.0.0.1:${port}`;
  return [publicOrigin, ...others, ...(isLoopbackHost(config.host) ? local : [])];
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => (done ??= work());
}

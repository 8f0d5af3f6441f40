import { randomBytes } from 'node:crypto';
import { type AnchorPlace, anchorChainOf } from '@countersign/audit-log/anchor/ethereum';
import type { CommandReply } from '@countersign/protocol/enclave/commands';
import type { VaultCode } from '@countersign/protocol/vault/codes';
import { vaultDialect } from '@countersign/protocol/vault/dialect';
import { vaultRoutes } from '@countersign/protocol/vault/routes';
import { background } from '@countersign/service/background';
import { openDatabase } from '@countersign/service/database';
import { connectEnclave, type EnclaveClient } from '@countersign/service/enclave-client';
import { createHttpApp } from '@countersign/service/http';
import { type Service, sayWhy } from '@countersign/service/lifecycle';
import { openPort } from '@countersign/service/listen';
import type { Logger } from '@countersign/service/logger';
import { createMetrics } from '@countersign/service/metrics';
import { createRateLimit } from '@countersign/service/rate-limit';
import { repeat } from '@countersign/service/repeat';
import type { Pool } from '@countersign/service/sql';
import type { Tracer } from '@countersign/service/trace';
import { type ElectedPublisher, startElectedPublisher } from './anchor/elected-publisher.ts';
import { auditHandlers } from './audit/routes.ts';
import type { VaultCallers } from './callers.ts';
import type { VaultConfig } from './config.ts';
import { sharedWith, withoutForeignSockets, withPreflights } from './cors.ts';
import { createReached } from './credentials/reached.ts';
import { credentialHandlers } from './credentials/routes.ts';
import { readiness } from './readiness.ts';
import { Answered } from './sandbox/answered.ts';
import { createCloseRevoked } from './sandbox/close-revoked.ts';
import { createSessionEnclave, type SessionEnclave } from './sandbox/enclave-session.ts';
import { followSessions, type SessionEvents } from './sandbox/follow.ts';
import { requestHandlers } from './requests/routes.ts';
import { sandboxHandlers } from './sandbox/routes.ts';
import { tidySessions } from './sandbox/tidy.ts';
import { loginHandlers } from './tokens/login-routes.ts';
import { tokenHandlers } from './tokens/routes.ts';
import { createTokens } from './tokens/tokens.ts';
import { createLogin } from './users/login.ts';
import { personHandlers } from './users/people-routes.ts';

/** A vault that listens. `stop` finishes what is in flight. */
export type Vault = Service & { readonly url: string };

/** The vault's dependencies besides its database and its enclave. */
export type World = { readonly log: Logger; readonly tracer: Tracer; readonly now: () => Date };

type Parts = World & {
  readonly pool: Pool;
  readonly enclave: EnclaveClient;
  readonly sessions: SessionEnclave;
  readonly events: SessionEvents;
  readonly answered: Answered;
  /** Null: roots are published nowhere. */
  readonly publisher: ElectedPublisher | null;
  /** Who the enclave is, once it has said so. */
  readonly described: () => CommandReply<'describe'> | null;
  readonly anchor: AnchorPlace | null;
  readonly requests: number;
  readonly consoleOrigins: readonly string[];
  readonly randomPasswords: readonly string[];
  readonly signIn: VaultConfig['signIn'];
};

/** More than the API needs at a time, because the publisher keeps one. */
const connections = 12;

/** Starts the whole service: port, database, tables, API. Fails with one sentence, and then leaves nothing open. */
export async function startVault(config: VaultConfig, world: World): Promise<Vault> {
  const { log, now } = world;
  const port = await openPort(config.host, config.port, vaultDialect);
  try {
    const database = await openDatabase(config.storage, 'vault', log, connections);
    const { pool } = database;
    const enclave = connectEnclave(config.socket, log);
    const described = introduce(enclave, log);
    const publisher = startPublishing(config, { pool, enclave, now, log });
    const sessions = createSessionEnclave({ pool, enclave, now });
    const answered = new Answered();
    const events = followSessions({ pool, enclave, sessions, answered, now, log });
    const tidying = repeat(log, 'tidy browser sessions', 60_000, tidySessions(pool, events, now));
    const { anchor, consoleOrigins, randomPasswords, requests, signIn } = config;
    const parts = {
      ...world,
      pool,
      enclave,
      sessions,
      events,
      answered,
      publisher,
      described,
      anchor,
      requests,
      consoleOrigins,
      randomPasswords,
      signIn,
    };
    const app = await createVault(parts);
    port.serve(
      withoutForeignSockets(
        consoleOrigins,
        withPreflights(consoleOrigins, (request, env) => app.fetch(request, env)),
      ),
      { sockets: true },
    );
    const url = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port.port}`;
    log.info({ url }, 'the vault is up');
    const stop = once(async () => {
      await port.close();
      await publisher?.stop();
      const following = events.stop();
      enclave.close();
      await Promise.all([following, tidying.stop()]);
      await database.close();
    });
    return { url, stop };
  } catch (error) {
    await port.close();
    throw new Error(`the vault cannot start: ${sayWhy(error)}`, { cause: error });
  }
}

/** The vault's HTTP API on a database that is up to date. */
async function createVault({
  pool,
  enclave,
  sessions,
  events,
  answered,
  publisher,
  described,
  anchor,
  requests,
  consoleOrigins,
  randomPasswords,
  signIn,
  now,
  log,
  tracer,
}: Parts) {
  const reached = createReached(pool);
  const closeRevoked = createCloseRevoked(pool, sessions);
  const tokens = createTokens({ pool, enclave, now, random: randomBytes });
  const login = await createLogin(pool, randomPasswords, now);
  const limit = createRateLimit(requests, now);
  return createHttpApp<typeof vaultRoutes, VaultCallers, VaultCode>({
    title: 'Countersign vault',
    table: vaultRoutes,
    dialect: vaultDialect,
    handlers: {
      ...loginHandlers({ pool, tokens, login, closeRevoked, now }),
      ...personHandlers({ pool, tokens, signIn, closeRevoked, now }),
      ...tokenHandlers({ pool, tokens, closeRevoked, now }),
      ...credentialHandlers({ pool, enclave, reached, now }),
      ...requestHandlers({ reached, enclave, now }),
      ...auditHandlers({ enclave, anchor, log }),
      ...sandboxHandlers({ log, pool, enclave, sessions, events, reached, answered, closeRevoked, now }),
    },
    authenticate: { bearer: tokens.identify },
    admit: (address) => limit.take(address),
    health: () => ({ tee: toldTee(described()) }),
    ready: () => readiness(pool, enclave, publisher),
    metrics: createMetrics('vault'),
    tracer,
    log,
    extraHeaders: sharedWith(consoleOrigins),
  });
}

const toldTee = (described: CommandReply<'describe'> | null): string => {
  if (described === null) return 'unknown: the enclave has not been reached yet';
  const { kind, trust } = described.tee;
  return trust === 'simulated' ? 'SIMULATED: no hardware protects this vault' : kind;
};

/** Asks the enclave who it is as soon as it is there, and says so in the log. */
function introduce(enclave: EnclaveClient, log: Logger): () => CommandReply<'describe'> | null {
  let known: CommandReply<'describe'> | null = null;
  const ask = async () => {
    await enclave.whenConnected();
    const answer = await enclave.call('describe', {});
    if (!answer.ok) return;
    known = answer.value.reply;
    log.info({ tee: known.tee, isolation: known.isolation }, `enclave: ${toldTee(known)}`);
  };
  background(log, 'ask the enclave who it is', ask());
  return () => known;
}

function startPublishing(
  { anchor }: VaultConfig,
  parts: Pick<Parts, 'pool' | 'enclave' | 'now' | 'log'>,
): ElectedPublisher | null {
  if (anchor === null) {
    parts.log.warn('the audit log is not anchored: AUDIT_ANCHOR_ADDRESS is not set');
    return null;
  }
  const chain = anchorChainOf(anchor, anchor.privateKey);
  return startElectedPublisher({ ...parts, chain, intervalMs: anchor.intervalMs });
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => (done ??= work());
}

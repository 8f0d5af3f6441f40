import type { ControlCode } from '@countersign/protocol/control/codes';
import { controlDialect } from '@countersign/protocol/control/dialect';
import { controlRoutes } from '@countersign/protocol/control/routes';
import { openDatabase } from '@countersign/service/database';
import { connectEnclave } from '@countersign/service/enclave-client';
import { enclaveState } from '@countersign/service/enclave-state';
import { createHttpApp } from '@countersign/service/http';
import { type Service, sayWhy } from '@countersign/service/lifecycle';
import { openPort } from '@countersign/service/listen';
import type { Logger } from '@countersign/service/logger';
import { createMetrics } from '@countersign/service/metrics';
import { createRateLimit } from '@countersign/service/rate-limit';
import type { Pool } from '@countersign/service/sql';
import type { Tracer } from '@countersign/service/trace';
import { decisionHandlers } from './approvals/approvals.ts';
import { auditHandlers } from './audit/routes.ts';
import { batchHandlers } from './batches/routes.ts';
import type { ControlCallers } from './callers.ts';
import type { ControlPlaneConfig } from './config.ts';
import { connectorHandlers } from './connectors/routes.ts';
import { credentialHandlers } from './credentials/routes.ts';
import { startTellingDue } from './credentials/tell-due.ts';
import type { Enclave } from './enclave.ts';
import { type Executions, gaugesOf, startExecutions } from './executions/executions.ts';
import { executionHandlers } from './executions/routes.ts';
import { workLoad } from './executions/store.ts';
import { identifier } from './keys/identify.ts';
import { openJobs } from './jobs.ts';
import { personHandlers } from './people/routes.ts';
import { policyHandlers } from './policy/routes.ts';
import { startChecks } from './rotations/checks.ts';
import { rotationHandlers } from './rotations/routes.ts';
import { limitedThread } from './schemas/limited-thread.ts';
import { openSignals } from './signals.ts';
import { introduce } from './tee.ts';
import { tlsOptions, tlsValidUntil } from './tls.ts';
import { createPost } from './webhooks/post.ts';
import { webhookHandlers } from './webhooks/routes.ts';
import { createWebhooks, type Webhooks } from './webhooks/webhooks.ts';

/** A control plane that listens. `stop` finishes what is in flight. */
export type ControlPlane = Service & {
  readonly url: string;
  /** New connections get these certificates; throws where they do not go together, and then nothing changes. */
  readonly renewTls: (tls: ControlPlaneConfig['tls']) => void;
};

/** The app's dependencies besides its database and its enclave. */
export type World = {
  readonly log: Logger;
  readonly tracer: Tracer;
  readonly now: () => Date;
  /** The program of this process, which its worker threads run as well. */
  readonly program: string;
};

/** Starts the whole service: port, database, tables, API. Fails with one sentence, and then leaves nothing open. */
export async function startControlPlane(config: ControlPlaneConfig, world: World): Promise<ControlPlane> {
  const { log, now } = world;
  const port = await openPort(config.host, config.port, controlDialect, tlsOptions(config.tls));
  let validUntil = tlsValidUntil(config.tls);
  try {
    const database = await openDatabase(config.storage, 'control-plane', log);
    const { pool } = database;
    const enclave = connectEnclave(config.socket, log);
    const signals = openSignals(pool, log);
    const jobs = await openJobs(pool, signals, log);
    const { secrets: sharedSecrets, allowPrivate } = config.webhooks;
    const post = createPost(allowPrivate);
    const webhooks = createWebhooks({ pool, enclave, signals, post, sharedSecrets, now, log });
    const schemas = limitedThread(world.program, log);
    const doing = { pool, enclave, jobs, signals, webhooks, schemas };
    const executions = await startExecutions(config, { ...world, ...doing });
    const telling = startTellingDue({ pool, webhooks, now, log });
    const checks = startChecks(executions);
    const { requests, anchor, signIn } = config;
    const app = createApp({
      ...world,
      pool,
      enclave,
      webhooks,
      sharedSecrets,
      allowPrivate,
      executions,
      anchor,
      requests,
      signIn,
      tee: introduce(enclave, log),
      tlsValidUntil: () => validUntil,
    });
    port.serve((request, env) => app.fetch(request, env));
    const url = `https://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port.port}`;
    log.info({ url }, 'the control plane is up');
    process.send?.({ ready: true, url });
    let stopping: Promise<void> | undefined;
    const stop = async () => {
      await port.close();
      await Promise.all([jobs.stop(), telling.stop(), checks.stop(), webhooks.stop()]);
      await signals.stop();
      enclave.close();
      await database.close();
    };
    return {
      url,
      renewTls: (tls) => {
        port.renewTls(tlsOptions(tls));
        validUntil = tlsValidUntil(tls);
      },
      stop: () => (stopping ??= stop()),
    };
  } catch (error) {
    await port.close();
    throw new Error(`the control plane cannot start: ${sayWhy(error)}`, { cause: error });
  }
}

type Parts = World & {
  readonly pool: Pool;
  readonly enclave: Enclave;
  readonly webhooks: Webhooks;
  readonly sharedSecrets: readonly string[];
  readonly allowPrivate: boolean;
  readonly executions: Executions;
  readonly anchor: ControlPlaneConfig['anchor'];
  readonly signIn: ControlPlaneConfig['signIn'];
  readonly requests: number;
  /** Describes the TEE in words. */
  readonly tee: () => string;
  /** When the certificate that new connections get ends. */
  readonly tlsValidUntil: () => string;
};

function createApp(parts: Parts) {
  const { pool, enclave, requests, now, log, tracer } = parts;
  const [limit, tokenLimit] = [createRateLimit(requests, now), createRateLimit(requests, now)];
  return createHttpApp<typeof controlRoutes, ControlCallers, ControlCode>({
    title: 'Countersign control plane',
    table: controlRoutes,
    dialect: controlDialect,
    handlers: {
      ...credentialHandlers(parts),
      ...rotationHandlers(parts.executions),
      ...policyHandlers(parts),
      ...batchHandlers(parts),
      ...auditHandlers(parts),
      ...webhookHandlers(parts),
      ...connectorHandlers(parts.executions),
      ...executionHandlers(parts.executions),
      ...decisionHandlers(parts.executions),
      ...personHandlers(parts),
    },
    authenticate: { key: identifier(parts) },
    // Services that ask about tokens and callers of the API, who may share an address, do not use up each other's.
    admit: (address, route) => (route === 'verifyActionToken' ? tokenLimit : limit).take(address),
    health: () => ({ tee: parts.tee(), tls_valid_until: parts.tlsValidUntil() }),
    ready: () => readiness(pool, enclave),
    metrics: createMetrics('control_plane', gaugesOf(pool)),
    tracer,
    log,
  });
}

async function readiness(pool: Pool, enclave: Enclave) {
  const [executions, told] = await Promise.all([workLoad(pool).catch(() => null), enclaveState(enclave)]);
  return {
    ready: executions !== null && told !== null,
    database: executions === null ? 'down' : 'up',
    enclave: told === null ? 'down' : 'up',
    enclave_restarts: told?.restarts ?? null,
    /** The numbers of executions that wait for a worker and that run, over all processes. */
    executions,
  };
}

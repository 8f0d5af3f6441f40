import type { ControlCode } from '@countersign/protocol/control/codes';
import { controlDialect } from '@countersign/protocol/control/dialect';
import { controlRoutes } from '@countersign/protocol/control/routes';
import { openDatabase } from '@countersign/service/database';
import { connectEnclave } from '@countersign/service/enclave-client';
import { createHttpApp } from '@countersign/service/http';
import { type Service, sayWhy } from '@countersign/service/lifecycle';
import { openPort } from '@countersign/service/listen';
import type { Logger } from '@countersign/service/logger';
import { createMetrics } from '@countersign/service/metrics';
import { createRateLimit } from '@countersign/service/rate-limit';
import { firstRow, type Pool, statement } from '@countersign/service/sql';
import type { Tracer } from '@countersign/service/trace';
import { auditHandlers } from './audit/routes.ts';
import type { ControlCallers } from './callers.ts';
import type { ControlPlaneConfig } from './config.ts';
import { credentialHandlers } from './credentials/routes.ts';
import type { Enclave } from './enclave.ts';
import { identifier } from './keys/identify.ts';
import { openJobs } from './jobs.ts';
import { policyHandlers } from './policy/routes.ts';
import { tlsOptions } from './tls.ts';
import { createPost } from './webhooks/post.ts';
import { webhookHandlers } from './webhooks/routes.ts';
import { createWebhooks, type Webhooks } from './webhooks/webhooks.ts';

/** A control plane that listens. `stop` finishes what is in flight. */
export type ControlPlane = Service & { readonly url: string };

/** What it takes from the outside world besides its database and its enclave. */
export type World = { readonly log: Logger; readonly tracer: Tracer; readonly now: () => Date };

/** Starts the whole service: port, database, tables, API. Fails with one sentence, and then leaves nothing open. */
export async function startControlPlane(config: ControlPlaneConfig, world: World): Promise<ControlPlane> {
  const { log, now } = world;
  const port = await openPort(config.host, config.port, controlDialect, tlsOptions(config.tls));
  try {
    const database = await openDatabase(config.storage, 'control-plane', log);
    const { pool } = database;
    const enclave = connectEnclave(config.socket, log);
    const jobs = await openJobs(pool, log);
    const { secret: sharedSecret, allowPrivate } = config.webhooks;
    const post = createPost(allowPrivate);
    const webhooks = await createWebhooks({ pool, enclave, jobs, post, sharedSecret, now });
    const { requests } = config;
    const app = createApp({ ...world, pool, enclave, webhooks, sharedSecret, allowPrivate, requests });
    port.serve((request, env) => app.fetch(request, env));
    const url = `https://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port.port}`;
    log.info({ url }, 'the control plane is up');
    process.send?.({ ready: true, url });
    let stopping: Promise<void> | undefined;
    const stop = async () => {
      await port.close();
      await jobs.stop();
      enclave.close();
      await database.close();
    };
    return { url, stop: () => (stopping ??= stop()) };
  } catch (error) {
    await port.close();
    throw new Error(`the control plane cannot start: ${sayWhy(error)}`, { cause: error });
  }
}

type Parts = World & {
  readonly pool: Pool;
  readonly enclave: Enclave;
  readonly webhooks: Webhooks;
  readonly sharedSecret: string | null;
  readonly allowPrivate: boolean;
  readonly requests: number;
};

function createApp(parts: Parts) {
  const { pool, enclave, requests, now, log, tracer } = parts;
  const limit = createRateLimit(requests, now);
  return createHttpApp<typeof controlRoutes, ControlCallers, ControlCode>({
    title: 'Countersign control plane',
    table: controlRoutes,
    dialect: controlDialect,
    handlers: {
      ...credentialHandlers(parts),
      ...policyHandlers(parts),
      ...auditHandlers(enclave),
      ...webhookHandlers(parts),
    },
    authenticate: { key: identifier(pool) },
    admit: (address) => limit.take(address),
    ready: () => readiness(pool, enclave),
    metrics: createMetrics('control_plane'),
    tracer,
    log,
  });
}

const ping = statement('ready.ping', 'select 1');

async function readiness(pool: Pool, enclave: Enclave) {
  const database = await firstRow(pool, ping, []).then(
    () => true,
    () => false,
  );
  return {
    ready: database && enclave.connected(),
    database: database ? 'up' : 'down',
    enclave: enclave.connected() ? 'up' : 'down',
  };
}

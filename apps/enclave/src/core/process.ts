import { accessSync, constants } from 'node:fs';
import type { Socket } from 'node:net';
import { sayWhy } from '@countersign/service/lifecycle';
import { createLogger } from '@countersign/service/logger';
import { trust } from './broker/reach.ts';
import { createRunConnector } from './connector-runs/run.ts';
import { remoteConnectors } from './connector-runs/remote-host.ts';
import { remoteHost } from './browser/remote-host.ts';
import { secretMemory } from './keys/secret-memory.ts';
import { threadsOf } from './session/worker/threads.ts';
import { openTee } from './tee/open.ts';
import { type Core, type CoreOptions, startCore } from './core.ts';
import { dieWithParent, dropCalls, hideMemory, isolationNow } from '../os/harden.ts';
import { type Libc, loadLibc } from '../os/libc.ts';
import { remoteJudge } from './remote-judge.ts';
import type { CoreSettings, FromCore, ToCore } from '../channel/core.ts';

/**
 * The core in a process of its own, in the directory of its data. The launcher tells what to do, hands in every
 * connection, and its end is the core's end.
 */
export async function runCore(): Promise<void> {
  // Else Node would open its debugger, which reads everything.
  process.on('SIGUSR1', () => {});
  // The launcher tells when to stop; a terminal tells everybody.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
  const orphaned = new Promise<void>((resolve) => process.once('disconnect', resolve));
  const libc = await loadLibc();
  dieWithParent(libc);
  hideMemory(libc);
  accessSync('.', constants.R_OK | constants.W_OK | constants.X_OK);
  const settings = await settingsFromLauncher();
  const log = createLogger('enclave', settings.logLevel);
  const browsers = remoteHost((order) => say({ browser: order }));
  const connectors = remoteConnectors((order) => say({ connector: order }));
  const ca = settings.connectorCa;
  const runConnector = createRunConnector({ host: connectors, ca, now: Date.now, log });
  const out = { dial: connectors.dial, secureContext: trust(ca) };
  const { judge, hear } = remoteJudge((asked) => say({ judge: asked }));
  const secondJudge = settings.hasSecondJudge ? judge : null;
  const core = await start(settings, { log, libc, browsers, runConnector, out, secondJudge }).catch(
    (error: unknown) => {
      log.fatal(sayWhy(error));
      process.exit(1);
    },
  );
  process.on('message', (message: ToCore, socket?: Socket) => {
    if ('connection' in message) {
      if (socket !== undefined) core.take(socket);
      say({ took: message.connection });
    } else if ('browser' in message) browsers.hear(message.browser, socket);
    else if ('connector' in message) connectors.hear(message.connector, socket);
    else if ('judged' in message) hear(message.judged);
    else if ('ping' in message) say({ pong: true });
  });
  say({ ready: true });
  await orphaned;
  connectors.lose();
  await core.stop();
  process.exit(0);
}

type Surrounding = Pick<CoreOptions, 'log' | 'browsers' | 'runConnector' | 'out' | 'secondJudge'> & {
  readonly libc: Libc | null;
};

function start(settings: CoreSettings, { libc, ...surrounding }: Surrounding): Promise<Core> {
  const { tee, origin, program, rootKeyFile, reportEntry, anchored, outside, restarts } = settings;
  const memory = secretMemory(libc);
  return startCore({
    dir: '.',
    startThread: threadsOf(settings.program),
    tee: openTee(tee, { dir: '.', program, rootKeyFile, reportEntry }),
    origin,
    memory,
    // The log's lock is taken by a program; after it there is none to start.
    isolate: async () => {
      dropCalls(libc, 'core');
      const isolation = await isolationNow(libc, outside, memory.isHidden);
      surrounding.log.info({ isolation }, 'the core is kept apart');
      return isolation;
    },
    anchored: () =>
      Promise.resolve(
        anchored === null ? null : { size: anchored.size, root: Buffer.from(anchored.root, 'hex') },
      ),
    ...surrounding,
    restarts,
    now: Date.now,
  });
}

function settingsFromLauncher(): Promise<CoreSettings> {
  return new Promise((resolve) => {
    const hear = (message: ToCore) => {
      if (!('begin' in message)) return;
      process.off('message', hear);
      resolve(message.begin);
    };
    process.on('message', hear);
    say({ alive: true });
  });
}

/** A launcher that is gone hears nothing: the core is about to end then. */
const say = (message: FromCore): void => {
  if (process.connected) process.send?.(message);
};

import { resolve } from 'node:path';
import type { Service } from '@countersign/service/lifecycle';
import type { Logger } from '@countersign/service/logger';
import type { EnclaveConfig } from '../config.ts';
import { readFileSync } from 'node:fs';
import { chooseDriver } from '../connectors/sandbox/choose-driver.ts';
import { Sandboxes } from '../connectors/sandbox/sandboxes.ts';
import { serveConnectors } from '../connectors/sandbox/serve-host.ts';
import { surroundings } from '../core/surroundings.ts';
import { findEngine } from '../jail/engine/find.ts';
import { Jailer } from '../jail/jailer.ts';
import { serveHost } from '../jail/serve-host.ts';
import { anchoredRoot } from './anchored-root.ts';
import { type CoreProcess, startCoreProcess } from './core-process.ts';
import { makeDataDir } from './data-dir.ts';
import { listenOnSocket } from './listen.ts';
import { makeReportEntry, removeReportEntry } from './report-entry.ts';
import { reviewModel } from './review-model.ts';

const warmUpMs = 5000;

/** Starts the core and hands it every connection of the socket. When the core ends, so does this process, with its code. */
export async function startEnclave(config: EnclaveConfig, log: Logger): Promise<Service> {
  const dir = resolve(config.dir);
  makeDataDir(dir);
  const reportEntry = makeReportEntry(config.tee);
  process.once('exit', () => removeReportEntry(reportEntry));
  const started = await startCoreProcess(dir, {
    tee: config.tee,
    origin: config.origin,
    program: process.argv[1] ?? '',
    reportEntry,
    rootKeyFile: config.rootKeyFile === null ? null : resolve(config.rootKeyFile),
    logLevel: config.logLevel,
    anchored: await anchoredRoot(config),
    connectorCa: config.connector.ca === null ? null : readFileSync(config.connector.ca, 'utf8'),
    hasSecondJudge: config.reviewModel !== null,
    outside: surroundings(),
  });
  if ('failed' in started) process.exit(started.failed);
  const { core } = started;
  const jailer = newJailer(config, core, log);
  core.onOrder(serveHost(jailer, core.tell, log));
  const sandboxes = newSandboxes(config, jailer);
  core.onConnectorOrder(serveConnectors(sandboxes, core.tellOfConnector, log));
  if (config.reviewModel !== null) core.onQuestion(reviewModel(config.reviewModel));
  let isStopping = false;
  const endWithCore = async () => {
    const code = await core.ended;
    if (isStopping) return;
    log.fatal({ code }, 'the core of the enclave ended');
    await sandboxes.stop();
    await jailer.stop();
    process.exit(code === 0 ? 1 : code);
  };
  void endWithCore();
  const server = await listenOnSocket(config.socket, core.take);
  if (config.tee === 'simulated') log.warn('SIMULATED: no hardware protects these credentials');
  log.info({ socket: config.socket, tee: config.tee, origin: config.origin }, 'the enclave is ready');
  // Not at once: who starts it has more to start.
  setTimeout(() => jailer.warmUp(), warmUpMs).unref();
  process.send?.({ ready: true, url: `unix:${resolve(config.socket)}` });
  return {
    stop: async () => {
      isStopping = true;
      server.close();
      await core.stop();
      await sandboxes.stop();
      await jailer.stop();
    },
  };
}

/** Two are ready, so that one after the other need not wait. */
const newSandboxes = ({ sandbox, connector }: EnclaveConfig, jailer: Jailer): Sandboxes =>
  new Sandboxes({
    driver: chooseDriver({ ...connector, isolation: sandbox.isolation, program: process.argv[1] ?? '' }),
    keepsReady: 2,
    egress: () => jailer.startEgress(),
  });

const newJailer = ({ sandbox }: EnclaveConfig, core: CoreProcess, log: Logger): Jailer =>
  new Jailer({
    isolation: sandbox.isolation,
    allowPrivate: sandbox.allowPrivate,
    limits: sandbox.limits,
    keepsReady: true,
    onKnown: (about) => core.tell({ news: 'known', id: 0, about }),
    engine: () => findEngine(sandbox.chromium),
    program: process.argv[1] ?? '',
    log,
  });

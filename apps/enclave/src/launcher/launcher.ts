import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SandboxAbout } from '@countersign/protocol/enclave/commands';
import type { SecondJudge } from '@countersign/review/second-judge';
import type { Service } from '@countersign/service/lifecycle';
import type { Logger } from '@countersign/service/logger';
import type { EnclaveConfig } from './config.ts';
import { chooseDriver } from './sandbox/choose-driver.ts';
import { Sandboxes } from './sandbox/sandboxes.ts';
import { serveConnectors } from './sandbox/serve-host.ts';
import type { CoreSettings } from '../channel/core.ts';
import { surroundings } from '../os/surroundings.ts';
import { findEngine } from './engine/find.ts';
import { Jailer } from './jail/jailer.ts';
import { serveHost } from './jail/serve-host.ts';
import { anchoredRoot } from './anchored-root.ts';
import { CoreKeeper } from './core-keeper.ts';
import { type CoreProcess, startCoreProcess } from './core-process.ts';
import { makeDataDir } from './data-dir.ts';
import { listenOnSocket } from './listen.ts';
import { makeReportEntry, removeReportEntry } from './report-entry.ts';

const warmUpMs = 5000;
/**
 * Time for browsers, connectors and the egress proxy to exit after the core has gone, in milliseconds; then
 * they are killed.
 */
const endMs = 2500;

/**
 * Starts the core and hands it every connection of the socket; one that dies or does not answer is followed by
 * another. When that would not start, this process ends with its code.
 */
export async function startEnclave(config: EnclaveConfig, log: Logger): Promise<Service> {
  const dir = resolve(config.dir);
  makeDataDir(dir);
  const settings = await settingsOf(config);
  process.once('exit', () => removeReportEntry(settings.reportEntry));
  const known: { core: CoreProcess | null } = { core: null };
  const jailer = newJailer(config, (about) => known.core?.tell({ news: 'known', id: 0, about }), log);
  const sandboxes = newSandboxes(config, jailer);
  const secondJudge = await secondJudgeOf(config);
  const keeper = await CoreKeeper.start({
    start: (restarts) => startCoreProcess(dir, { ...settings, restarts }),
    attend: (core) => {
      known.core = core;
      return attend(core, { secondJudge, jailer, sandboxes, log });
    },
    log,
  });
  if ('failed' in keeper) process.exit(keeper.failed);
  const endTheRest = () => Promise.race([Promise.all([sandboxes.stop(), jailer.stop()]), sleep(endMs)]);
  let isStopping = false;
  const endWithCore = async () => {
    const code = await keeper.ended;
    if (isStopping) return;
    log.fatal({ code }, 'the enclave has no core any more');
    await endTheRest();
    process.exit(code);
  };
  void endWithCore();
  const server = await listenOnSocket(config.socket, keeper.take);
  if (config.tee === 'simulated') log.warn('SIMULATED: no hardware protects these credentials');
  log.info({ socket: config.socket, tee: config.tee, origin: config.origin }, 'the enclave is ready');
  // Not at once: who starts it has more to start.
  setTimeout(() => jailer.warmUp(), warmUpMs).unref();
  process.send?.({ ready: true, url: `unix:${resolve(config.socket)}` });
  return {
    stop: async () => {
      isStopping = true;
      server.close();
      await keeper.stop();
      await endTheRest();
    },
  };
}

/** Returns the settings for each core, without the number of earlier ones. */
const settingsOf = async (config: EnclaveConfig): Promise<Omit<CoreSettings, 'restarts'>> => ({
  anchored: await anchoredRoot(config),
  tee: config.tee,
  origin: config.origin,
  program: process.argv[1] ?? '',
  reportEntry: makeReportEntry(config.tee),
  rootKeyFile: config.rootKeyFile === null ? null : resolve(config.rootKeyFile),
  logLevel: config.logLevel,
  connectorCa: config.connector.ca === null ? null : readFileSync(config.connector.ca, 'utf8'),
  hasSecondJudge: config.reviewModel !== null,
  outside: surroundings(),
});

/** Loaded where there is one: with it come all rules. */
async function secondJudgeOf({ reviewModel: model }: EnclaveConfig): Promise<SecondJudge | null> {
  if (model === null) return null;
  const { reviewModel } = await import('./review-model.ts');
  return reviewModel(model);
}

type Hands = {
  readonly secondJudge: SecondJudge | null;
  readonly jailer: Jailer;
  readonly sandboxes: Sandboxes;
  readonly log: Logger;
};

/** Does what a core orders. What it gives ends the browsers and connectors of a core that is gone. */
function attend(core: CoreProcess, { secondJudge, jailer, sandboxes, log }: Hands): () => void {
  const browsers = serveHost(jailer, core.tell, log);
  const connectors = serveConnectors(sandboxes, core.tellOfConnector, log);
  core.onOrder(browsers.hear);
  core.onConnectorOrder(connectors.hear);
  if (secondJudge !== null) core.onQuestion(secondJudge);
  const about = jailer.about();
  if (about !== null) core.tell({ news: 'known', id: 0, about });
  return () => {
    browsers.lose();
    connectors.lose();
  };
}

/** Two are ready, so that one after the other need not wait. */
const newSandboxes = ({ sandbox, connector }: EnclaveConfig, jailer: Jailer): Sandboxes =>
  new Sandboxes({
    driver: chooseDriver({ ...connector, isolation: sandbox.isolation, program: process.argv[1] ?? '' }),
    keepsReady: 2,
    egress: () => jailer.startEgress(),
  });

const newJailer = ({ sandbox }: EnclaveConfig, onKnown: (about: SandboxAbout) => void, log: Logger): Jailer =>
  new Jailer({
    isolation: sandbox.isolation,
    allowPrivate: sandbox.allowPrivate,
    limits: sandbox.limits,
    keepsReady: true,
    onKnown,
    engine: () => findEngine(sandbox.chromium),
    program: process.argv[1] ?? '',
    log,
  });

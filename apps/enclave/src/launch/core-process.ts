import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import type { ConnectorNews, ConnectorOrder } from '../connectors/sandbox/messages.ts';
import type { BrowserNews, BrowserOrder } from '../jail/messages.ts';
import type { JudgeAsked } from '../core/remote-judge.ts';
import type { CoreSettings, FromCore, ToCore } from '../core/settings.ts';
import type { SecondJudge } from '../review/second-judge.ts';
import { giveDataDir } from './data-dir.ts';
import { type Jail, jails } from './jail.ts';
import { giveReportEntry } from './report-entry.ts';

export type CoreProcess = {
  /** Hands a connection over; it is no longer ours. */
  readonly take: (socket: Socket) => void;
  /** What it wants of browsers. */
  readonly onOrder: (hear: (order: BrowserOrder) => void) => void;
  /** What it wants of connectors, and of connections for them. */
  readonly onConnectorOrder: (hear: (order: ConnectorOrder) => void) => void;
  /** Answers what it asks the second judge, each by what `judge` says. */
  readonly onQuestion: (judge: SecondJudge) => void;
  /** Tells it of a browser; a socket that goes along is no longer ours. */
  readonly tell: (news: BrowserNews, socket?: Socket) => void;
  /** Tells it of a connector or connection, in the same way. */
  readonly tellOfConnector: (news: ConnectorNews, socket?: Socket) => void;
  /** Resolves with the exit code when it is gone. */
  readonly ended: Promise<number>;
  /** Lets it finish what it does; what is not done in 8 s is cut off. */
  readonly stop: () => Promise<void>;
};

export type StartedCore = { readonly core: CoreProcess } | { readonly failed: number };

const patienceMs = 8_000;

/**
 * Starts the core in the strongest jail in which it comes to life, and resolves when it takes connections; or with
 * its exit code when it would not start, which it has then told.
 */
export async function startCoreProcess(dir: string, settings: CoreSettings): Promise<StartedCore> {
  for (const jail of jails(process.getuid?.() ?? 0, process.getgid?.() ?? 0, settings.tee)) {
    giveDataDir(dir, jail.uid, jail.gid);
    giveReportEntry(settings.reportEntry, jail.uid, jail.gid);
    const child = spawnCore(jail, dir, settings.program);
    const ended = endOf(child);
    if (!(await said(child, 'alive', ended))) continue;
    tell(child, { begin: settings });
    if (await said(child, 'ready', ended)) return { core: coreOf(child, ended) };
    return { failed: await ended };
  }
  throw new Error('the core cannot be started: this Node cannot run it');
}

function spawnCore({ prefix }: Jail, dir: string, program: string): ChildProcess {
  const [command, ...args] = [...prefix, process.execPath, program, 'enclave', 'core'];
  return spawn(command, args, {
    cwd: dir,
    // Only what it needs: to find the program that takes the log's lock.
    env: { PATH: process.env['PATH'] },
    // A session of its own: what a terminal sends is for us.
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
}

const endOf = (child: ChildProcess): Promise<number> =>
  new Promise((resolve) => {
    child.once('error', () => resolve(1));
    child.once('exit', (code) => resolve(code ?? 1));
  });

/** Whether it says that before it ends. */
function said(child: ChildProcess, what: 'alive' | 'ready', ended: Promise<number>): Promise<boolean> {
  return new Promise((resolve) => {
    const hear = (message: FromCore) => {
      if (!(what in message)) return;
      child.off('message', hear);
      resolve(true);
    };
    child.on('message', hear);
    void ended.then(() => resolve(false));
  });
}

function coreOf(child: ChildProcess, ended: Promise<number>): CoreProcess {
  return {
    take: (socket) => tell(child, { connection: true }, socket),
    onOrder: (hear) =>
      void child.on('message', (message: FromCore) => {
        if ('browser' in message) hear(message.browser);
      }),
    onConnectorOrder: (hear) =>
      void child.on('message', (message: FromCore) => {
        if ('connector' in message) hear(message.connector);
      }),
    onQuestion: (judge) => {
      const answer = async ({ id, question }: JudgeAsked) =>
        tell(child, { judged: { id, heard: await judge(question) } });
      child.on('message', (message: FromCore) => {
        if ('judge' in message) void answer(message.judge);
      });
    },
    tell: (news, socket) => tell(child, { browser: news }, socket),
    tellOfConnector: (news, socket) => tell(child, { connector: news }, socket),
    ended,
    stop: async () => {
      const impatient = setTimeout(() => child.kill('SIGKILL'), patienceMs);
      if (child.connected) child.disconnect();
      await ended;
      clearTimeout(impatient);
    },
  };
}

/** One who is gone hears nothing; that it is gone is told elsewhere. */
function tell(child: ChildProcess, message: ToCore, socket?: Socket): void {
  child.send(message, socket, {}, (error) => {
    if (error !== null) socket?.destroy();
  });
}

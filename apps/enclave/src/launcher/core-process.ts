import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import type { SecondJudge } from '@countersign/review/second-judge';
import type { ConnectorNews, ConnectorOrder } from '../channel/connectors.ts';
import type { BrowserNews, BrowserOrder } from '../channel/browsers.ts';
import type { CoreSettings, FromCore, JudgeAsked, ToCore } from '../channel/core.ts';
import { killGroup, ownGroup } from './process-group.ts';
import { giveDataDir } from './data-dir.ts';
import { type CoreJail, coreJails } from './core-jails.ts';
import { giveReportEntry } from './report-entry.ts';
import { watchAnswers } from './watch-answers.ts';

export type CoreProcess = {
  /** Hands a connection over; it is no longer ours. */
  readonly take: (socket: Socket) => void;
  /** Registers the listener for the core's orders about browsers. */
  readonly onOrder: (hear: (order: BrowserOrder) => void) => void;
  /** Registers the listener for the core's orders about connectors and their connections. */
  readonly onConnectorOrder: (hear: (order: ConnectorOrder) => void) => void;
  /** Answers what it asks the second judge, each by what `judge` says. */
  readonly onQuestion: (judge: SecondJudge) => void;
  /** Tells it of a browser; a socket that goes along is no longer ours. */
  readonly tell: (news: BrowserNews, socket?: Socket) => void;
  /** Tells it of a connector or connection, in the same way. */
  readonly tellOfConnector: (news: ConnectorNews, socket?: Socket) => void;
  /** Resolves when it is gone, with its connections: with the milliseconds for which it answered. */
  readonly ended: Promise<number>;
  /** Lets it finish what it does; what is not done in 4 s is cut off. */
  readonly stop: () => Promise<void>;
};

export type StartedCore = { readonly core: CoreProcess } | { readonly failed: number };

const patienceMs = 4_000;

/**
 * Starts the core in the strongest jail in which it comes to life, and resolves when it takes connections; or with
 * its exit code when it would not start, which it has then told. One that does not answer for 5 s is killed.
 */
export async function startCoreProcess(dir: string, settings: CoreSettings): Promise<StartedCore> {
  for (const jail of coreJails(process.getuid?.() ?? 0, process.getgid?.() ?? 0, settings.tee)) {
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

function spawnCore({ prefix }: CoreJail, dir: string, program: string): ChildProcess {
  const [command, ...args] = [...prefix, process.execPath, program, 'enclave', 'core'];
  const child = spawn(command, args, {
    cwd: dir,
    // Only what it needs: to find the program that takes the log's lock.
    env: { PATH: process.env['PATH'] },
    // A session of its own: what a terminal sends is for us.
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  return ownGroup(child);
}

const endOf = (child: ChildProcess): Promise<number> =>
  new Promise((resolve) => {
    child.once('error', () => resolve(1));
    child.once('exit', (code) => resolve(code ?? 1));
  });

/** Returns whether it says that before it ends. */
function said(child: ChildProcess, what: 'alive' | 'ready', ended: Promise<unknown>): Promise<boolean> {
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
  const connections = new HandedOver(child);
  const answers = watchAnswers({
    ask: () => tell(child, { ping: true }),
    onSilent: () => killGroup(child),
  });
  child.on('message', (message: FromCore) => {
    if ('pong' in message) answers.heard();
    else if ('took' in message) connections.taken(message.took);
  });
  return {
    take: (socket) => connections.hand(socket),
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
    ended: ended.then(() => {
      connections.closeUntaken();
      return answers.end();
    }),
    stop: async () => {
      const impatient = setTimeout(() => killGroup(child), patienceMs);
      if (child.connected) child.disconnect();
      await ended;
      clearTimeout(impatient);
    },
  };
}

/** Sends a message to the core. A core that has exited receives nothing; its exit is reported elsewhere. */
function tell(child: ChildProcess, message: ToCore, socket?: Socket): void {
  child.send(message, socket, {}, (error) => {
    if (error !== null) socket?.destroy();
  });
}

/** Connections on their way to the core. They stay open here until it has said that it took them: a frozen one never does. */
class HandedOver {
  readonly #child: ChildProcess;
  readonly #untaken = new Map<number, Socket>();
  #last = 0;

  constructor(child: ChildProcess) {
    this.#child = child;
  }

  hand(socket: Socket): void {
    this.#last += 1;
    const number = this.#last;
    this.#untaken.set(number, socket);
    const message: ToCore = { connection: number };
    this.#child.send(message, socket, { keepOpen: true }, (error) => {
      if (error !== null) this.taken(number);
    });
  }

  /** Here it is closed; there it goes on. */
  taken(number: number): void {
    this.#untaken.get(number)?.destroy();
    this.#untaken.delete(number);
  }

  closeUntaken(): void {
    for (const number of this.#untaken.keys()) this.taken(number);
  }
}

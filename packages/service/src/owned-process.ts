import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { identityOf, type ProcessIdentity } from './process-identity.ts';
import { lastLinesOf, openLog } from './process-log.ts';
import { claimRecord, type ProcessRecord } from './process-record.ts';
import { startWatcher, type Watcher } from './process-watcher.ts';

export type ChildSpec = {
  /** A name for people, used for the log file and in messages. */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** Gives a Node child a channel: it can say that it is ready, and learns at once when we end. */
  readonly ipc?: boolean;
  /** It ends by itself when its work is done, so its end is never unexpected. */
  readonly oneShot?: boolean;
  /** True if its output may contain a secret: no log is kept. */
  readonly secretOutput?: boolean;
  /** The content of its stdin; empty if absent. */
  readonly input?: string;
};

/** How a process ended, with the last lines of its output. */
export type Ended = {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly lastLines: readonly string[];
};

export type OwnedChild = {
  readonly name: string;
  readonly pid: number;
  /** Resolves when the process is gone, for whatever reason. */
  readonly exited: Promise<Ended>;
  /** The URL a Node child reports with `process.send({ ready: true, url })`. Rejects if it ends before that. */
  readonly ready: Promise<string>;
  /** Ends the process: SIGINT first, SIGKILL after 12 s. Resolves when it is gone. */
  readonly stop: () => Promise<Ended>;
};

export type OwnedProcesses = {
  readonly spawn: (spec: ChildSpec) => OwnedChild;
  /** Stops what still runs, the youngest first, starts nothing more, and lets go of the record file. */
  readonly stopAll: () => Promise<void>;
};

export type OwnedProcessesOptions = {
  /** Names the children, so that the next owner stops what is left when nobody else could. */
  readonly recordFile?: string;
  /** Directory of the children's output, as NAME.log; if absent, output is not kept. */
  readonly logDir?: string;
  /** A file that others take as a sign that we run: it goes when we end, however that happens. */
  readonly signOfLife?: string;
  /** Told of every child that ended before it was told to stop. */
  readonly onUnexpectedExit?: (name: string, ended: Ended) => void;
};

/**
 * Starts processes that never outlive this one, however it ends. Each has a session of its own, so that a
 * terminal's Ctrl-C reaches only us and we stop them in order; if we are killed, a watcher stops them; if the
 * watcher is killed too, the next owner of `recordFile` does.
 */
export async function ownedProcesses(options: OwnedProcessesOptions = {}): Promise<OwnedProcesses> {
  const record = options.recordFile === undefined ? null : await claimRecord(options.recordFile);
  const watcher = startWatcher(options.signOfLife);
  const children = new Map<number, Running>();
  let closed = false;
  const note = () => record?.write(children.values());
  const seeOff = async (running: Running, spec: ChildSpec) => {
    const ended = await running.child.exited;
    children.delete(running.pid);
    note();
    if (!running.stopping() && spec.oneShot !== true) options.onUnexpectedExit?.(spec.name, ended);
  };

  return {
    spawn: (spec) => {
      if (closed) throw new Error(`${spec.name} is not started: everything is being stopped`);
      const running = start(spec, options.logDir);
      watcher.add(running);
      children.set(running.pid, running);
      note();
      void seeOff(running, spec);
      return running.child;
    },
    stopAll: async () => {
      closed = true;
      for (const { child } of [...children.values()].reverse()) await child.stop();
      await letGo(watcher, record);
    },
  };
}

async function letGo(watcher: Watcher, record: ProcessRecord | null): Promise<void> {
  await watcher.end();
  record?.remove();
}

type Running = ProcessIdentity & {
  readonly name: string;
  readonly child: OwnedChild;
  readonly stopping: () => boolean;
};

// Longer than the 8 s that a service takes for what it has in flight.
const graceMs = 12_000;

function start(spec: ChildSpec, logDir: string | undefined): Running {
  const log = openLog(spec.name, spec.secretOutput === true ? undefined : logDir);
  const stdin = spec.input === undefined ? 'ignore' : 'pipe';
  const spawned = spawn(spec.command, spec.args, {
    cwd: spec.cwd,
    env: spec.env,
    detached: true,
    // Straight into a file: a pipe would break when we are killed, and make a child fail while it cleans up.
    stdio: spec.ipc === true ? [stdin, log, log, 'ipc'] : [stdin, log, log],
  });
  // It may end without having read it.
  spawned.stdin?.on('error', () => {});
  spawned.stdin?.end(spec.input);
  const { pid } = spawned;
  if (pid === undefined) {
    spawned.on('error', () => {});
    closeSync(log);
    throw new Error(`${spec.name} cannot be started: "${spec.command}" is missing or may not be run`);
  }
  let stopping = false;
  const exited = untilExit(spawned, log);
  const stop = async () => {
    stopping = true;
    spawned.kill('SIGINT');
    const impatient = setTimeout(() => killSession(pid), graceMs);
    const ended = await exited;
    clearTimeout(impatient);
    return ended;
  };
  const child = { name: spec.name, pid, exited, ready: untilReady(spec.name, spawned, exited), stop };
  // A process that is gone already has no start time; nothing will be sent to it.
  return { ...(identityOf(pid) ?? { pid, startedAt: '' }), name: spec.name, child, stopping: () => stopping };
}

/** The child leads a session of its own, so its process group is the child with its own helpers. */
function killSession(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It went in the meantime.
  }
}

function untilExit(spawned: ChildProcess, log: number): Promise<Ended> {
  return new Promise((resolve) => {
    spawned.once('exit', (code, signal) => {
      const lastLines = lastLinesOf(log);
      closeSync(log);
      resolve({ code, signal, lastLines });
    });
  });
}

function untilReady(name: string, spawned: ChildProcess, exited: Promise<Ended>): Promise<string> {
  const ready = new Promise<string>((resolve, reject) => {
    spawned.on('message', (message: unknown) => {
      if (isReady(message)) resolve(message.url);
    });
    void exited.then((ended) => reject(new Error(`${name} ${endedText(ended)}`)));
  });
  ready.catch(() => {}); // Whoever does not wait for it does not care how it ends.
  return ready;
}

const isReady = (message: unknown): message is { url: string } =>
  typeof message === 'object' &&
  message !== null &&
  'ready' in message &&
  message.ready === true &&
  'url' in message &&
  typeof message.url === 'string';

/** Returns how a process ended, as the rest of a sentence that begins with its name. */
export function endedText({ code, signal, lastLines }: Ended): string {
  const how = signal === null ? `ended with code ${code}` : `was ended by ${signal}`;
  const last = lastLines.at(-1);
  return last === undefined ? how : `${how}: ${messageOf(last)}`;
}

/** Our services log JSON lines; people want the message. */
function messageOf(line: string): string {
  const message = /"msg":("(?:[^"\\]|\\.)*")/.exec(line)?.[1];
  return line.startsWith('{') && message !== undefined ? String(JSON.parse(message)) : line;
}

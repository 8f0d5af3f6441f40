import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { fail, ok, type Result } from '@countersign/protocol/result';
import { killGroup, ownGroup } from '../process-group.ts';
import { type Ready, readyLine } from '../../channel/connector.ts';
import type { Way } from './driver.ts';
import type { ConnectorEnd, StartedConnector } from '../../channel/connector-host.ts';

/** Time for a connector to start, in milliseconds. */
const patienceMs = 30_000;
/** V8's message when it ends a process that is out of memory. */
const heapIsFull = /heap out of memory|Array buffer allocation failed/;

/** Starts a connector in one way; a refusal is what was said, for the log. */
export async function startSandbox(way: Way): Promise<Result<StartedConnector, string>> {
  const child = spawnIn(way);
  const sandbox = new Sandbox(way, child);
  const ready = await sandbox.ready;
  if (ready !== null && (ready.apart || !way.mustBeApart)) return ok(sandbox.finish(ready));
  await sandbox.stop();
  return fail(`${way.driver}: ${ready === null ? sandbox.lastWords() : 'it has no network of its own'}`);
}

class Sandbox {
  readonly #way: Way;
  readonly #child: ChildProcess;
  readonly ready: Promise<Ready | null>;
  readonly ended: Promise<ConnectorEnd>;
  #said = '';
  #isAsked = false;

  constructor(way: Way, child: ChildProcess) {
    [this.#way, this.#child] = [way, child];
    const gone = new Promise<void>((resolve) => {
      child.once('error', () => resolve());
      child.once('exit', () => resolve());
    });
    this.ready = this.#listen(gone);
    this.ended = gone.then(() => this.#cleanUp());
    // Their ends are told elsewhere.
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.on('error', () => {});
  }

  finish(ready: Ready): StartedConnector {
    const { driver, memory } = this.#way;
    return {
      toConnector: this.#child.stdin as Socket,
      fromConnector: this.#child.stdout as Socket,
      facts: {
        sandbox_id: randomUUID(),
        driver,
        network: ready.network,
        memory_limit: memory,
        seccomp: ready.seccomp,
      },
      ended: this.ended,
      stop: () => this.stop(),
    };
  }

  lastWords(): string {
    return this.#said.trim().split('\n').at(-1) || 'the connector ended at once';
  }

  async stop(): Promise<void> {
    this.#isAsked = true;
    killGroup(this.#child);
    await this.ended;
  }

  /** Resolves with the connector's first report that it is ready; null if it ends or times out before that. */
  #listen(gone: Promise<void>): Promise<Ready | null> {
    return new Promise((resolve) => {
      this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
        this.#said = `${this.#said}${text}`.slice(-2000);
        const line = this.#said.split('\n').find((one) => one.startsWith('{"ready"'));
        if (line?.endsWith('}') === true) resolve(readReady(line));
      });
      void gone.then(() => resolve(null));
      setTimeout(() => resolve(null), patienceMs).unref();
    });
  }

  #cleanUp(): ConnectorEnd {
    const ranOut = this.#way.ranOut() || heapIsFull.test(this.#said);
    this.#way.remove();
    if (this.#isAsked) return 'closed';
    return ranOut ? 'out_of_memory' : 'crashed';
  }
}

function spawnIn({ command: [command = '', ...args], env }: Way): ChildProcess {
  const child = spawn(command, args, {
    cwd: '/',
    env,
    // A group of its own, which can be ended as one.
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  return ownGroup(child);
}

function readReady(line: string): Ready | null {
  try {
    return readyLine.parse(JSON.parse(line)).ready;
  } catch {
    return null;
  }
}

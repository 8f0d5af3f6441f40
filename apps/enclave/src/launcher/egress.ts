import { type ChildProcess, spawn } from 'node:child_process';
import type { Server, Socket } from 'node:net';
import { fail, ok, type Result } from '@countersign/protocol/result';
import type { Logger } from '@countersign/service/logger';
import type { Refused } from '../channel/browser-host.ts';
import { ownNamespaces, withoutRights } from '../os/ladder.ts';
import { killGroup, ownGroup } from './process-group.ts';
import { egressUid } from './users.ts';
import type { Dialling, FromEgress, NotDialled, ToEgress } from '../channel/egress.ts';

/** What the proxy must know of a jail to serve it, and to serve it again after a restart. */
export type EgressUser = {
  /** Opens the jail's port again, and hands it to `listen`. */
  readonly reopen: () => void;
  readonly onRefused: (refused: Refused) => void;
};

/** Time allowed to exit on its own, in milliseconds. */
const endMs = 1000;

type Known = EgressUser & { urls: readonly string[] | null };
type Options = { readonly program: string; readonly allowPrivate: readonly string[]; readonly log: Logger };

/** The egress proxy as the launcher has it: one process for all jails, started again when it dies. */
export class Egress {
  readonly #options: Options;
  readonly #jails = new Map<number, Known>();
  readonly #waiting = new Map<string, () => void>();
  readonly #dialling = new Map<number, (result: Result<Socket, NotDialled>) => void>();
  #dialled = 0;
  #child: ChildProcess;
  #isStopped = false;

  static async start(options: Options): Promise<Egress> {
    return new Egress(options, await begin(options));
  }

  private constructor(options: Options, child: ChildProcess) {
    this.#options = options;
    this.#child = child;
    this.#hear(child);
  }

  /** Lets the proxy serve what comes in at the port that was opened inside the jail. Nothing is allowed yet. */
  async listen(jail: number, server: Server, user: EgressUser): Promise<void> {
    const urls = this.#jails.get(jail)?.urls ?? null;
    this.#jails.set(jail, { ...user, urls });
    await this.#ask({ listen: jail }, `listens ${jail}`, server);
    server.close();
    if (urls !== null) await this.allow(jail, urls);
  }

  /** Resolves when connections to these are made. */
  async allow(jail: number, urls: readonly string[]): Promise<void> {
    const known = this.#jails.get(jail);
    if (known !== undefined) known.urls = urls;
    await this.#ask({ allow: jail, urls }, `allowed ${jail}`);
  }

  /** A connection that nothing was read of, for somebody else to speak over. */
  dial(target: Dialling): Promise<Result<Socket, NotDialled>> {
    this.#dialled += 1;
    const id = this.#dialled;
    return new Promise((resolve) => {
      this.#dialling.set(id, resolve);
      if (this.#child.connected) this.#child.send({ dial: id, ...target } satisfies ToEgress, () => {});
      else this.#endDial(id, fail('unreachable'));
    });
  }

  #endDial(id: number, result: Result<Socket, NotDialled>): void {
    this.#dialling.get(id)?.(result);
    this.#dialling.delete(id);
  }

  forget(jail: number): void {
    this.#jails.delete(jail);
    this.#waiting.get(`listens ${jail}`)?.();
    this.#waiting.get(`allowed ${jail}`)?.();
    if (this.#child.connected) this.#child.send({ forget: jail } satisfies ToEgress, () => {});
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const child = this.#child;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    const impatient = setTimeout(() => killGroup(child), endMs);
    child.disconnect();
    await gone;
    clearTimeout(impatient);
  }

  /** Resolves when it is answered, by this process or by the one after it, or when the jail is forgotten. */
  #ask(message: ToEgress, answer: string, server?: Server): Promise<void> {
    return new Promise((resolve) => {
      // One that was asked while the proxy was dead is answered with the next.
      const before = this.#waiting.get(answer);
      this.#waiting.set(answer, () => {
        this.#waiting.delete(answer);
        before?.();
        resolve();
      });
      if (this.#child.connected) this.#child.send(message, server, { keepOpen: true }, () => {});
    });
  }

  #hear(child: ChildProcess): void {
    child.on('message', (message: FromEgress, socket?: Socket) => {
      if ('dialled' in message) this.#endDial(message.dialled, untouched(message.why, socket));
      else if ('listens' in message) this.#waiting.get(`listens ${message.listens}`)?.();
      else if ('allowed' in message) this.#waiting.get(`allowed ${message.allowed}`)?.();
      else if ('refused' in message) this.#jails.get(message.jail)?.onRefused(message.refused);
    });
    child.once('exit', () => void this.#startAgain());
  }

  async #startAgain(): Promise<void> {
    for (const id of this.#dialling.keys()) this.#endDial(id, fail('unreachable'));
    if (this.#isStopped) return;
    this.#options.log.error('the egress proxy ended, and is started again');
    this.#child = await begin(this.#options);
    this.#hear(this.#child);
    for (const { reopen } of this.#jails.values()) reopen();
  }
}

/** Node begins to read what it is handed, and what it read would be lost to whoever gets it next. It can only be handed on. */
function untouched(why: NotDialled | null, socket: Socket | undefined): Result<Socket, NotDialled> {
  if (why !== null || socket === undefined) return fail(why ?? 'unreachable');
  (socket as unknown as { _handle: { readStop: () => void } })._handle.readStop();
  return ok(socket);
}

/** Its network is the machine's; for the rest, as far apart as can be had. */
function prefixes(): readonly (readonly string[])[] {
  const isRoot = process.getuid?.() === 0;
  const own = isRoot ? { uid: egressUid, gid: egressUid } : null;
  const apart = ownNamespaces({ network: false, isRoot, furnishes: false });
  const become = isRoot ? [withoutRights(own)] : [];
  return [[...apart, ...withoutRights(own)], ...become, withoutRights(null), []];
}

async function begin({ program, allowPrivate }: Options): Promise<ChildProcess> {
  for (const prefix of prefixes()) {
    const [command, ...args] = [...prefix, process.execPath, program, 'enclave', 'egress'];
    const options = { cwd: '/', env: { PATH: process.env['PATH'] }, detached: true } as const;
    const child = ownGroup(
      spawn(command, args, { ...options, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] }),
    );
    if (!(await says(child, 'alive'))) continue;
    child.send({ begin: { allowPrivate } } satisfies ToEgress);
    if (await says(child, 'ready')) return child;
  }
  throw new Error('the egress proxy cannot be started: this Node cannot run it');
}

/** Returns whether it says that before it ends. */
function says(child: ChildProcess, what: 'alive' | 'ready'): Promise<boolean> {
  return new Promise((resolve) => {
    child.once('message', (message: FromEgress) => resolve(what in message));
    child.once('error', () => resolve(false));
    child.once('exit', () => resolve(false));
  });
}

import type { SandboxAbout } from '@countersign/protocol/enclave/commands';
import { fail, ok, type Result } from '@countersign/protocol/result';
import type { Logger } from '@countersign/service/logger';
import { hostFacts, whatHostForbids } from '../../os/host-forbids.ts';
import { makeCaps } from '../caps/caps.ts';
import { findHierarchy, type Hierarchy, type Limits } from '../caps/cgroup.ts';
import { Egress } from '../egress.ts';
import type { Engine } from '../engine/engine.ts';
import type { BrowserHost, BrowserRequest, StartedBrowser } from '../../channel/browser-host.ts';
import { buildJail, type Jail } from './jail.ts';
import { groupName, removeLeftovers } from './leftovers.ts';
import { makeProfile } from './profile.ts';
import { browserUid } from '../users.ts';
import { systemFiles } from './visible.ts';
import { type Wall, walls } from './walls.ts';

export type JailerOptions = {
  readonly isolation: 'required' | 'best';
  readonly allowPrivate: readonly string[];
  readonly limits: Limits;
  /** Whether a browser is kept ready for the session to come. */
  readonly keepsReady: boolean;
  readonly onKnown?: (about: SandboxAbout) => void;
  readonly engine: () => Promise<Result<Engine, string>>;
  /** The file that runs. */
  readonly program: string;
  readonly log: Logger;
};

const sessionsAreRefused =
  'browser sessions are refused here; docs/guide/images.md says what the host has to allow, and "countersign doctor" what it does not';

/** Makes jails in the launcher, and keeps one ready, so that a session need not wait for a browser to start. */
export class Jailer implements BrowserHost {
  readonly #options: JailerOptions;
  readonly #hierarchy: Hierarchy;
  readonly #jails = new Set<Jail>();
  #engine: Promise<Result<Engine, string>> | null = null;
  #egress: Promise<Egress> | null = null;
  #ready: Promise<Result<Jail, string>> | null = null;
  /** Number of the last jail in this process; it makes names of users and groups unique. */
  static #number = 0;
  #isStopped = false;
  #about: SandboxAbout | null = null;

  constructor(options: JailerOptions) {
    this.#options = options;
    this.#hierarchy = findHierarchy();
    removeLeftovers(this.#hierarchy);
  }

  readonly start = async ({ allowedUrls }: BrowserRequest): Promise<Result<StartedBrowser, string>> => {
    const taken = await this.#allowed(await this.#take(), allowedUrls);
    const isDead = taken.ok && !this.#jails.has(taken.value);
    const jail = isDead ? await this.#allowed(await this.#build(), allowedUrls) : taken;
    if (jail.ok && this.#options.keepsReady) this.warmUp();
    return jail;
  };

  async #allowed(built: Result<Jail, string>, allowedUrls: readonly string[]): Promise<Result<Jail, string>> {
    if (built.ok) await (await this.startEgress()).allow(built.value.number, allowedUrls);
    return built;
  }

  readonly about = (): SandboxAbout | null => this.#about;

  /** Has a jail ready before it is asked for. What this machine lacks is told then, not to the first who wants a session. */
  warmUp(): void {
    if (this.#isStopped || this.#ready !== null) return;
    this.#ready = this.#build();
    void this.#tellWhyNot(this.#ready);
  }

  async #tellWhyNot(ready: Promise<Result<Jail, string>>): Promise<void> {
    const built = await ready;
    if (built.ok || this.#isStopped) return;
    const host = whatHostForbids(built.error, hostFacts());
    this.#options.log.error({ why: built.error, ...(host === null ? {} : { host }) }, sessionsAreRefused);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#ready;
    await Promise.all([...this.#jails].map((jail) => jail.stop()));
    await (await this.#egress)?.stop();
  }

  /** The one that is ready, if it still lives; each is used once. */
  async #take(): Promise<Result<Jail, string>> {
    // Taken before anything is waited for: whoever asks meanwhile must not get the same one.
    const taken = this.#ready;
    this.#ready = null;
    const ready = await taken;
    if (this.#isStopped) return fail('the enclave is stopping');
    return ready?.ok === true && this.#jails.has(ready.value) ? ready : this.#build();
  }

  /** The one way out for all: started when it is needed first. */
  startEgress(): Promise<Egress> {
    const { program, allowPrivate, log } = this.#options;
    return (this.#egress ??= Egress.start({ program, allowPrivate, log }));
  }

  /** Looked for once; a machine without one may get one. */
  async #findEngine(): Promise<Result<Engine, string>> {
    const engine = await (this.#engine ??= this.#options.engine());
    if (!engine.ok) this.#engine = null;
    return engine;
  }

  async #build(): Promise<Result<Jail, string>> {
    const [engine, egress] = await Promise.all([this.#findEngine(), this.startEgress()]);
    if (!engine.ok) return engine;
    Jailer.#number += 1;
    const number = Jailer.#number;
    const visible = [...systemFiles, ...engine.value.folders];
    const whyNot: string[] = [];
    for (const wall of this.#walls(number, visible)) {
      const built = await buildJail({
        number,
        wall,
        engine: engine.value,
        program: this.#options.program,
        visible,
        profile: makeProfile(wall),
        caps: makeCaps(this.#hierarchy, groupName('browser', number), this.#options.limits),
        egress,
      });
      if (built.ok) return this.#keep(built.value, engine.value);
      whyNot.push(built.error);
    }
    return fail(
      `no browser can be kept apart here (${whyNot.join('; ') || 'unshare and setpriv are missing'})`,
    );
  }

  #keep(jail: Jail, { kind, version }: Engine): Result<Jail, string> {
    this.#about = { isolation: jail.isolation, engine: { kind, version } };
    this.#options.onKnown?.(this.#about);
    this.#jails.add(jail);
    void jail.ended.then(() => this.#jails.delete(jail));
    return ok(jail);
  }

  #walls(number: number, visible: readonly string[]): readonly Wall[] {
    const isRoot = process.getuid?.() === 0;
    return walls({
      level: this.#options.isolation,
      isRoot,
      uid: browserUid(number),
      visible,
      program: this.#options.program,
    });
  }
}

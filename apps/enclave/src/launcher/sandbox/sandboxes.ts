import { fail, type Result } from '@countersign/protocol/result';
import type { Egress } from '../egress.ts';
import type { SandboxDriver } from './driver.ts';
import type { ConnectorHost, StartedConnector } from '../../channel/connector-host.ts';
import { startSandbox } from './sandbox.ts';

export type SandboxesOptions = {
  readonly driver: SandboxDriver;
  /** How many sandboxes are kept ready after the first use; zero cost for those who use none. */
  readonly keepsReady: number;
  readonly egress: () => Promise<Egress>;
};

type Started = Result<StartedConnector, string>;

/** Starts connectors in the launcher, and keeps some ready, which were told nothing; each is used once. */
export class Sandboxes implements ConnectorHost {
  readonly #options: SandboxesOptions;
  readonly #alive = new Set<StartedConnector>();
  #ready: Promise<Started>[] = [];
  #isStopped = false;
  /** Number of the last sandbox in this process; it makes names of users and groups unique. */
  static #number = 0;

  constructor(options: SandboxesOptions) {
    this.#options = options;
  }

  readonly start = async (): Promise<Started> => {
    const started = await this.#take();
    if (started.ok && !this.#isStopped)
      while (this.#ready.length < this.#options.keepsReady) this.#ready.push(this.#startOne());
    return started;
  };

  readonly dial: ConnectorHost['dial'] = async (target) => (await this.#options.egress()).dial(target);

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#ready);
    await Promise.all([...this.#alive].map((connector) => connector.stop()));
  }

  async #take(): Promise<Started> {
    if (this.#isStopped) return fail('the enclave is stopping');
    while (this.#ready.length > 0) {
      const ready = await this.#ready.shift();
      if (ready?.ok === true && this.#alive.has(ready.value)) return ready;
    }
    return this.#startOne();
  }

  async #startOne(): Promise<Started> {
    const { driver } = this.#options;
    Sandboxes.#number += 1;
    const whyNot: string[] = [];
    for (const way of driver.ways(Sandboxes.#number)) {
      const started = await startSandbox(way());
      if (started.ok) {
        this.#alive.add(started.value);
        void started.value.ended.then(() => this.#alive.delete(started.value));
        return started;
      }
      whyNot.push(started.error);
    }
    return fail(
      `no connector can be kept apart here (${whyNot.join('; ') || 'unshare and setpriv are missing'})`,
    );
  }
}

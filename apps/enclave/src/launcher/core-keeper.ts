import type { Socket } from 'node:net';
import type { Logger } from '@countersign/service/logger';
import type { CoreProcess, StartedCore } from './core-process.ts';

export type CoreKeeperOptions = {
  /** `restarts`: how many were there before. */
  readonly start: (restarts: number) => Promise<StartedCore>;
  /** Does what a core orders, until the function that it gives is called: then it ends what the core had. */
  readonly attend: (core: CoreProcess) => () => void;
  readonly log: Logger;
};

/** A core that answered for less did no work; the launcher gives up after so many of them, one after the other. */
const [shortLifeMs, maxShortLives] = [10_000, 3];

/**
 * Keeps one core alive: the next is started when one that took connections died, because it did not answer or for any other
 * reason. One that would not start had said why, which the next one would too.
 */
export class CoreKeeper {
  readonly #options: CoreKeeperOptions;
  /** Connections that came while there was no core. */
  readonly #waiting = new Set<Socket>();
  #core: CoreProcess | null = null;
  #isStopped = false;
  /** Resolves with the exit code when there is no core any more, and will be none. */
  readonly ended: Promise<number>;

  /** Resolves when the first core takes connections; or with its exit code when it would not start. */
  static async start(options: CoreKeeperOptions): Promise<CoreKeeper | { readonly failed: number }> {
    const started = await options.start(0);
    return 'failed' in started ? started : new CoreKeeper(options, started.core);
  }

  private constructor(options: CoreKeeperOptions, first: CoreProcess) {
    this.#options = options;
    this.ended = this.#keep(first);
  }

  readonly take = (socket: Socket): void => {
    if (this.#core !== null) return this.#core.take(socket);
    this.#waiting.add(socket);
    socket.once('error', () => socket.destroy());
  };

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#core?.stop();
  }

  async #keep(first: CoreProcess): Promise<number> {
    let [core, restarts, shortLives] = [first, 0, 0];
    for (;;) {
      const answeredMs = await this.#lifeOf(core);
      if (this.#isStopped) return 0;
      shortLives = answeredMs < shortLifeMs ? shortLives + 1 : 0;
      if (shortLives === maxShortLives) return 1;
      restarts += 1;
      this.#options.log.error({ answeredMs, restarts }, 'the core died, and is started again');
      const next = await this.#options.start(restarts);
      if ('failed' in next) return next.failed;
      core = next.core;
    }
  }

  async #lifeOf(core: CoreProcess): Promise<number> {
    const leave = this.#options.attend(core);
    this.#core = core;
    for (const socket of this.#waiting) core.take(socket);
    this.#waiting.clear();
    const answeredMs = await core.ended;
    this.#core = null;
    leave();
    return answeredMs;
  }
}

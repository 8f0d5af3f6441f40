import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';

/** What is asked, how often, how long an answer may take, and how many failures in a row count. */
export type Probe = {
  readonly ask: { readonly url: string } | { readonly exec: readonly string[] };
  readonly periodMs: number;
  readonly timeoutMs: number;
  readonly failureThreshold: number;
};

/** How a cluster treats one container. */
export type LifeCycle = {
  readonly startup: Probe | null;
  readonly liveness: Probe | null;
  readonly readiness: Probe | null;
  /** Runs in the container before SIGTERM. */
  readonly preStop: readonly string[] | null;
  /** From the order to stop until SIGKILL, `preStop` included. */
  readonly graceMs: number;
};

/** Runs a command in a container; whether it ended well. */
type Exec = (name: string, argv: readonly string[]) => Promise<boolean>;

type Watched = {
  readonly lifeCycle: LifeCycle;
  readonly end: AbortController;
  readonly loops: Promise<void>[];
  isReady: boolean;
};

/** Asks containers as the kubelet does, and says which may be sent work. It restarts none: that one had to be is a fault. */
export class Kubelet {
  readonly #exec: Exec;
  readonly #watched = new Map<string, Watched>();
  readonly tally = { asked: 0, unanswered: 0, restarts: [] as string[] };

  constructor(exec: Exec) {
    this.#exec = exec;
  }

  /** Whether it would be an endpoint of its service. */
  isServing(name: string): boolean {
    return this.#watched.get(name)?.isReady === true;
  }

  /** Resolves when it is ready the first time; its probes go on. Throws where its start takes longer than its probe allows. */
  async attend(name: string, lifeCycle: LifeCycle): Promise<void> {
    const { startup, liveness, readiness } = lifeCycle;
    if (startup !== null) await this.#untilStarted(name, startup);
    const watched: Watched = { lifeCycle, end: new AbortController(), loops: [], isReady: false };
    this.#watched.set(name, watched);
    if (liveness !== null)
      watched.loops.push(this.#repeat(name, watched, liveness, this.#judgeLife(name, liveness)));
    if (readiness === null) {
      watched.isReady = true;
      return;
    }
    await new Promise<void>((resolve) => {
      watched.loops.push(
        this.#repeat(name, watched, readiness, (isWell) => {
          watched.isReady = isWell && !watched.end.signal.aborted;
          if (isWell) resolve();
        }),
      );
    });
  }

  /** No endpoint from now on; runs `preStop`, while its life is still asked after. Gives what is left of its time. */
  async beforeStop(name: string): Promise<number> {
    const watched = this.#watched.get(name);
    if (watched === undefined) throw new Error(`nobody watches ${name}`);
    const { preStop, graceMs } = watched.lifeCycle;
    const from = performance.now();
    this.#watched.set(name, { ...watched, isReady: false });
    if (preStop !== null && !(await this.#exec(name, preStop)))
      throw new Error(`preStop of ${name} failed: ${preStop.join(' ')}`);
    watched.end.abort();
    await Promise.all(watched.loops);
    this.#watched.delete(name);
    return graceMs - (performance.now() - from);
  }

  /** Asks nobody any more. */
  async stop(): Promise<void> {
    for (const { end } of this.#watched.values()) end.abort();
    await Promise.all([...this.#watched.values()].flatMap(({ loops }) => loops));
  }

  async #untilStarted(name: string, probe: Probe): Promise<void> {
    for (let tries = 0; tries < probe.failureThreshold; tries += 1) {
      if (await this.#ask(name, probe)) return;
      await sleep(probe.periodMs);
    }
    throw new Error(`${name} did not start within ${probe.failureThreshold} probes`);
  }

  async #repeat(
    name: string,
    { end }: Watched,
    probe: Probe,
    told: (isWell: boolean) => void,
  ): Promise<void> {
    while (!end.signal.aborted) {
      const isWell = await this.#ask(name, probe);
      if (end.signal.aborted) return;
      this.tally.asked += 1;
      if (!isWell) this.tally.unanswered += 1;
      told(isWell);
      await sleep(probe.periodMs, null, { signal: end.signal }).catch(() => {});
    }
  }

  #judgeLife(name: string, { failureThreshold }: Probe): (isWell: boolean) => void {
    let inARow = 0;
    return (isWell) => {
      inARow = isWell ? 0 : inARow + 1;
      if (inARow === failureThreshold) this.tally.restarts.push(name);
    };
  }

  async #ask(name: string, { ask, timeoutMs }: Probe): Promise<boolean> {
    const late = sleep(timeoutMs, false, { ref: false });
    const answer = 'exec' in ask ? this.#exec(name, ask.exec) : answersWell(ask.url, timeoutMs);
    return Promise.race([answer, late]);
  }
}

/** From 200 to 399, as the kubelet has it; whose certificate it is, it does not ask. */
function answersWell(url: string, timeout: number): Promise<boolean> {
  const request = url.startsWith('https:') ? requestHttps : requestHttp;
  return new Promise((resolve) => {
    const asked = request(url, { agent: false, rejectUnauthorized: false, timeout }, (answer) => {
      answer.resume();
      resolve((answer.statusCode ?? 0) >= 200 && (answer.statusCode ?? 0) < 400);
    });
    asked.on('timeout', () => asked.destroy()).on('error', () => resolve(false));
    asked.end();
  });
}

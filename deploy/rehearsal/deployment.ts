import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Replica } from './compose.ts';
import { Kubelet } from './kubelet.ts';
import type { Podman } from './podman.ts';

export type Env = Readonly<Record<string, string>>;

/** Images by their tag, and all that runs of them: by the Compose file of their commit, or by the chart. */
export type Release = {
  readonly tag: string;
  readonly replicas: (env: Env) => readonly Replica[];
  /** With so many more of each, which a cluster starts before it stops others. Of the chart alone. */
  readonly surge?: (env: Env, more: number) => readonly Replica[];
};

const startDeadlineMs = 60_000;
/** A service finishes what is in flight within so long. */
const stopMs = 8_000;

/** What is one machine alone: its chain is on it, and so are the sites and services that sessions and connectors reach. */
const ofOneMachine: Readonly<Record<string, Env>> = {
  dashboard: { SETTLEMENT_CHAIN_IS_LOCAL: '1' },
  enclave: { SANDBOX_ALLOW_PRIVATE: '127.0.0.1' },
  'control-plane': { WEBHOOK_ALLOW_PRIVATE: '1', CONNECTOR_ALLOW_PRIVATE: '1' },
};

/** Containers of the Compose file's services, of one release at a time. */
export class Deployment {
  env: Env;
  readonly #podman: Podman;
  #release: Release;
  readonly #running = new Map<string, Replica>();
  readonly kubelet: Kubelet;
  /** Asked for with every name; it is the same for each release. */
  #planned: readonly Replica[] | null = null;

  constructor(release: Release, env: Env, podman: Podman) {
    this.#release = release;
    this.env = env;
    this.#podman = podman;
    this.kubelet = new Kubelet(podman.exec);
  }

  /** Of each service, for whoever asks by its name: in a cluster those that are ready. */
  addresses(): Readonly<Record<string, readonly string[]>> {
    const planned = (this.#planned ??= this.#release.replicas(this.env));
    const ready = [...this.#running.values()].filter(({ name }) => this.kubelet.isServing(name));
    const all = this.#release.surge === undefined ? planned : ready;
    const of = (service: string) =>
      all.filter((one) => one.service === service).map(({ address }) => address);
    const names = Object.fromEntries(
      planned.flatMap(({ service }) => [
        [service, of(service)],
        [`rehearsal-${service}`, of(service)],
      ]),
    );
    return { ...names, balancer: ['127.0.0.1'], postgres: ['127.0.0.1'] };
  }

  /** Those of a service, from the file as it is now. */
  replicas(service: string): readonly Replica[] {
    return this.#release.replicas(this.env).filter((one) => one.service === service);
  }

  async start(services: readonly string[]): Promise<void> {
    for (const service of services)
      for (const replica of this.replicas(service)) await this.#startOne(replica);
  }

  async #startOne(replica: Replica): Promise<void> {
    const from = performance.now();
    await this.#podman.start(replica, ofOneMachine[replica.service] ?? {});
    this.#running.set(replica.name, replica);
    if (replica.lifeCycle === undefined) await this.#untilReady(replica);
    else await this.kubelet.attend(replica.name, replica.lifeCycle);
    say(
      `rehearse: ${replica.name} of ${this.#release.tag} is ready after ${Math.round(performance.now() - from)} ms`,
    );
  }

  /** A command of the service's image, with all that the service is told. */
  command(service: string, argv: readonly string[], input?: string): Promise<string> {
    const [replica] = this.replicas(service);
    if (replica === undefined) throw new Error(`nothing runs ${service}`);
    return this.#podman.command(replica, ofOneMachine[service] ?? {}, argv, input);
  }

  /** By SIGKILL; what it was doing is lost. */
  async killOneOfEach(): Promise<void> {
    for (const name of this.#firsts()) await this.#podman.kill(name);
  }

  /** One of each service that has two. */
  #firsts(): readonly string[] {
    return ['dashboard-1', 'vault-1', 'control-plane-1', 'gateway-1-1'].filter((name) =>
      this.#running.has(name),
    );
  }

  async revive(): Promise<void> {
    for (const name of this.#firsts()) {
      await this.#podman.again(name);
      const replica = this.#running.get(name);
      if (replica !== undefined) await this.#untilReady(replica);
    }
  }

  /** As docs/operations.md says: the enclave with those who speak with it, the others one after another. */
  async upgrade(next: Release): Promise<void> {
    const names = [...this.#running.keys()];
    const withEnclave = names.filter((name) => /^(vault|control-plane)-/.test(name));
    for (const name of [...withEnclave, 'enclave-1']) await this.#stopOne(name);
    const old = this.#release;
    this.#release = next;
    await this.start(['enclave', 'vault', 'control-plane']);
    for (const service of ['dashboard', 'gateway-1', 'gateway-2'])
      for (const replica of this.replicas(service).filter(({ name }) => this.#running.has(name))) {
        await this.#stopOne(replica.name);
        await this.#startOne(replica);
      }
    say(`rehearse: everything of ${old.tag} is of ${next.tag} now`);
  }

  /**
   * As a cluster replaces what the chart made: of the dashboard one more is ready before one ends, a gateway ends and comes back, the
   * highest first, and the pod of the enclave ends and comes back whole.
   */
  async roll(next: Release): Promise<boolean> {
    const old = this.#release;
    const ends: boolean[] = [];
    const gateways = ['gateway-2', 'gateway-1'];
    const pod = [...this.#running.values()].filter(({ service }) =>
      ['enclave', 'vault', 'control-plane'].includes(service),
    );
    this.#release = next;
    ends.push(...(await Promise.all(pod.map(({ name }) => this.#stopOne(name)))));
    await this.start(['enclave', 'vault', 'control-plane']);
    const dashboards = [...this.#running.values()].filter(({ service }) => service === 'dashboard');
    for (const [at, { name }] of dashboards.entries()) {
      const more = next.surge?.(this.env, at + 1).filter(({ service }) => service === 'dashboard') ?? [];
      const newest = more.at(-1);
      if (newest === undefined) throw new Error('the chart makes no dashboard');
      await this.#startOne(newest);
      ends.push(await this.#stopOne(name));
    }
    for (const service of gateways)
      for (const replica of this.replicas(service)) {
        ends.push(await this.#stopOne(replica.name));
        await this.#startOne(replica);
      }
    say(`rehearse: everything of ${old.tag} is replaced by ${next.tag}`);
    return !ends.includes(false);
  }

  /** Whether each ended in time, and as if it had wanted to. */
  async stopAll(): Promise<boolean> {
    let inTime = true;
    for (const name of [...this.#running.keys()].reverse()) inTime = (await this.#stopOne(name)) && inTime;
    await this.kubelet.stop();
    return inTime;
  }

  async showLogs(): Promise<void> {
    for (const name of this.#running.keys())
      say(`--- ${name}\n${await this.#podman.logs(name).catch(String)}`);
  }

  async #stopOne(name: string): Promise<boolean> {
    const isInCluster = this.#running.get(name)?.lifeCycle !== undefined;
    const graceMs = isInCluster ? await this.kubelet.beforeStop(name) : undefined;
    const { ms, code } = await this.#podman.stop(name, graceMs);
    this.#running.delete(name);
    say(`rehearse: ${name} ended ${ms} ms after SIGTERM, with ${code}`);
    return ms < stopMs && code === 0;
  }

  /** The balancer has found somebody behind each of its addresses. */
  async untilBalanced(urls: readonly string[]): Promise<void> {
    const deadline = Date.now() + startDeadlineMs;
    for (const url of urls)
      while ((await statusOf(url, '')) !== 200) {
        if (Date.now() > deadline) throw new Error(`the balancer has nobody who answers ${url}`);
        await sleep(50);
      }
  }

  /** `/ready` answers 200, for the gateway with a token of it; of the enclave its own check. */
  async #untilReady({ name, ready }: Replica): Promise<void> {
    const deadline = Date.now() + startDeadlineMs;
    const token = this.env['GATEWAY_AUTH_TOKENS']?.split(':')[1] ?? '';
    for (;;) {
      const isReady =
        'exec' in ready
          ? await this.#podman.exec(name, ready.exec)
          : (await statusOf(ready.url, token)) === 200;
      if (isReady) return;
      if (Date.now() > deadline) throw new Error(`${name} was not ready within ${startDeadlineMs / 1000} s`);
      await sleep(50);
    }
  }
}

/** Null where nothing answers. Whose certificate it is, the story's clients check. */
function statusOf(url: string, token: string): Promise<number | null> {
  const request = url.startsWith('https:') ? requestHttps : requestHttp;
  const options = {
    headers: { authorization: `Bearer ${token}` },
    rejectUnauthorized: false,
    timeout: 4_000,
  };
  return new Promise((resolve) => {
    const asked = request(url, options, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? null);
    });
    asked.on('timeout', () => asked.destroy()).on('error', () => resolve(null));
    asked.end();
  });
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

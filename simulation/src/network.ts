import type { Random } from './random.ts';
import type { Life, Schedule } from './schedule.ts';

/** How bad the network is: the probability of each mishap, for each message. */
export type Weather = {
  readonly lost: number;
  readonly slow: number;
  readonly twice: number;
};

export const fair: Weather = { lost: 0, slow: 0, twice: 0 };

type Exchange<T> = {
  readonly life: Life;
  readonly what: string;
  /** Ms after which whoever asked gives up. */
  readonly timeoutMs: number;
  /** What the other side does with the request, each time that it arrives. */
  readonly serve: () => T | Promise<T>;
  /** The answer that no answer comes to. */
  readonly failed: T;
};

/** Messages between processes: each takes its time, and may be lost, late or delivered twice, as the seed has it. */
export class Network {
  weather: Weather;
  readonly #random: Random;
  readonly #schedule: Schedule;
  /** The network itself lives as long as the world: what was sent arrives, whoever has died since. */
  readonly #life: Life = { name: 'network', isAlive: true };

  constructor(schedule: Schedule, random: Random, weather: Weather) {
    this.#schedule = schedule;
    this.#random = random;
    this.weather = weather;
  }

  /** Ms of one way. */
  latency(): number {
    return this.#random.chance(this.weather.slow)
      ? this.#random.between(500, 8000)
      : this.#random.between(1, 60);
  }

  ask<T>({ life, what, timeoutMs, serve, failed }: Exchange<T>): Promise<T> {
    return new Promise((resolve) => {
      const cancelTimeout = this.#schedule.in(timeoutMs, life, `${what}: no answer in time`, () =>
        resolve(failed),
      );
      const answer = (value: T): void => {
        if (this.#random.chance(this.weather.lost)) return;
        this.#schedule.in(this.latency(), life, `${what}: answered`, () => {
          cancelTimeout();
          resolve(value);
        });
      };
      const arrive = (): void => {
        const served = serve();
        if (served instanceof Promise) void served.then(answer);
        else answer(served);
      };
      this.send(what, arrive);
    });
  }

  /** One way: nobody hears what became of it. */
  send(what: string, arrive: () => void): void {
    if (this.#random.chance(this.weather.lost)) return;
    this.#schedule.in(this.latency(), this.#life, `${what}: arrives`, arrive);
    if (this.#random.chance(this.weather.twice))
      this.#schedule.in(this.latency(), this.#life, `${what}: arrives again`, arrive);
  }
}

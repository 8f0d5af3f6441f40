import type { Put } from '@countersign/review/request/put';
import type { ObservedTarget } from '@countersign/review/observation';
import type { Secret } from './browser.ts';
import type { Fill, Fills } from './decoy/fills.ts';
import type { Driver } from './driver.ts';
import type { Located } from './locate.ts';
import { limits } from './limits.ts';
import { within } from './problem.ts';

/** A field that was given secrets, with what these are. */
type Given = { readonly located: Located; readonly secrets: readonly Secret[] };

/** Looks again at fields into which secrets were put: they may be something else when these are sent. */
export class PutFields {
  readonly #driver: () => Driver;
  readonly #fills: Pick<Fills, 'all'>;
  /** As they were when an operation began that acted. */
  readonly #before = new WeakMap<Located, ObservedTarget | null>();

  constructor(driver: () => Driver, fills: Pick<Fills, 'all'>) {
    [this.#driver, this.#fills] = [driver, fills];
  }

  /** To be told before an operation acts. What cannot be looked at counts as gone; what was sent may be sent again. */
  async note(): Promise<void> {
    await Promise.all(
      this.#fills
        .all()
        .flatMap(givenBy)
        .map(async ({ located }) => {
          const seen = await this.#look(located, limits.element);
          this.#before.set(located, seen === 'unknown' ? null : seen);
        }),
    );
  }

  /** What the fields of these fills were and are, but of those that hold no more than the name of an account. */
  async of(fills: readonly Fill[]): Promise<Put[]> {
    return Promise.all(
      fills.flatMap(givenBy).map(async ({ located, secrets }) => {
        const before = this.#before.get(located);
        return {
          asLogin: secrets.every(({ asLogin }) => asLogin === true),
          was: located.target,
          before: before === undefined ? located.target : before,
          now: await this.#look(located, limits.task),
        };
      }),
    );
  }

  /** Null where it is gone. A page that stands still until its request is answered does not answer: nothing of it is ended. */
  async #look(
    { frame, loaderId, token }: Located,
    limit: number,
  ): Promise<ObservedTarget | null | 'unknown'> {
    const driver = this.#driver();
    const now = driver.frames.get(frame.id);
    if (now === null || now.loaderId !== loaderId) return null;
    try {
      return await within(limit, driver.ask(now, 'describe', token, 'none'));
    } catch {
      return 'unknown';
    }
  }
}

function givenBy({ parts, located }: Fill): Given[] {
  const secrets = parts.flatMap((part) =>
    typeof part === 'string' || part.secret.isName === true ? [] : [part.secret],
  );
  return located === undefined || secrets.length === 0 ? [] : [{ located, secrets }];
}

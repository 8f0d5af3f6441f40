import type { Operation } from '@countersign/protocol/vault/operation';
import type { Driver } from './driver.ts';

/** The beginning of an element or a comment (HTML, 13.2.5.6), also as addresses encode it. */
const markup = /(<|%3c|&lt;|\\u003c|\\x3c)([a-z!/?]|$)/i;

/**
 * Which documents an agent had a hand in: what such a page shows may be the agent's own work, and not what its server made.
 * A script reaches all frames and windows of its page; markup that was written somewhere, whatever shows it later.
 */
export class Touched {
  readonly #driver: Driver;
  /** Documents in which a script acted, by `loaderId`. */
  readonly #documents = new Set<string>();
  #wroteMarkup = false;

  constructor(driver: Driver) {
    this.#driver = driver;
  }

  /** To be told of each operation before it is done. */
  note(operation: Operation): void {
    if (operation.operation_type === 'execute_script')
      for (const loaderId of this.#driver.documents()) this.#documents.add(loaderId);
    else if ('value' in operation && typeof operation.value === 'string')
      this.#wroteMarkup ||= markup.test(operation.value);
  }

  /** Whether a script of the agent acted anywhere: a page may have drawn what it was handed. */
  get byScript(): boolean {
    return this.#documents.size > 0;
  }

  has(loaderId: string): boolean {
    return this.#wroteMarkup || this.#documents.has(loaderId);
  }
}

import type { LendCredential } from '../connector-runs/connector.ts';
import { type Masker, newMasker } from '../masking/masker.ts';
import { oneText } from './one-text.ts';
import { secretsIn } from './secrets-in.ts';

/** A run's credential: opened when it is needed first, which leaves one record, and wiped when the run is over. */
export class Loan {
  readonly #lend: LendCredential | null;
  #opened: Promise<Buffer | null> | null = null;
  #returned: Promise<unknown> = Promise.resolve();
  #end: () => void = () => {};
  readonly #over = new Promise<void>((resolve) => {
    this.#end = resolve;
  });
  #isOver = false;
  #masker: Masker = newMasker([]);
  readonly #read: (plaintext: Buffer) => Buffer | null;

  /** `read`: what of it is used. */
  constructor(lend: LendCredential | null, read: (plaintext: Buffer) => Buffer | null = oneText) {
    this.#lend = lend;
    this.#read = read;
  }

  /** Takes it out of what leaves the core, in all its forms. */
  get masker(): Masker {
    return this.#masker;
  }

  /** Its value as bytes, to be read only; null where there is none, or it cannot be had. */
  secret(): Promise<Buffer | null> {
    return (this.#opened ??= this.#open());
  }

  /** Resolves when nothing of it is left. */
  async end(): Promise<void> {
    this.#isOver = true;
    this.#end();
    await this.#returned;
    this.#masker.wipe();
  }

  #open(): Promise<Buffer | null> {
    const lend = this.#lend;
    if (lend === null || this.#isOver) return Promise.resolve(null);
    return new Promise((resolve) => {
      const use = async (plaintext: Buffer) => {
        if (this.#isOver) return;
        const value = this.#read(plaintext);
        if (value === null) return;
        const secrets = secretsIn(value);
        this.#masker = newMasker(secrets);
        for (const one of secrets) one.fill(0);
        resolve(value);
        await this.#over;
        value.fill(0);
      };
      this.#returned = lend(use).then(
        () => resolve(null),
        () => resolve(null),
      );
    });
  }
}

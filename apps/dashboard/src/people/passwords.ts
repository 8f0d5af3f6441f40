import { fail, ok, type Result } from '@countersign/protocol/result';
import { hashPassword, isPassword } from '@countersign/service/password';
import type { Pool } from '@countersign/service/sql';
import { blockedFor, networkOf, noteGuess } from './guesses.ts';
import { findByUserName, type Shown } from './sign-in-store.ts';
import { normalPassword, readUserName } from './user-name.ts';

type Attempt = { readonly userName: string; readonly password: string; readonly address: string };
export type Known = { readonly accountId: string; readonly personId: string };
/** Whoever has shown something that is theirs. */
export type SignedIn = Known & { readonly by: Shown };
type Refused =
  | { readonly kind: 'wrong' }
  | { readonly kind: 'busy' }
  | { readonly kind: 'blocked'; readonly seconds: number };

export type Passwords = {
  readonly check: (attempt: Attempt) => Promise<Result<SignedIn, Refused>>;
  readonly hash: (password: string) => Promise<string>;
};

const maxWaiting = 20;

/**
 * Checks and hashes passwords one at a time in this process, so that attempts made together cannot get past the limit
 * and Argon2id never takes more than its 64 MiB. A name that nobody has costs as much as a wrong password.
 */
export async function createPasswords(pool: Pool, now: () => Date): Promise<Passwords> {
  const nobodysHash = await hashPassword('nobody');
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();

  async function check({ address, ...shown }: Attempt): Promise<Result<SignedIn, Refused>> {
    const userName = readUserName(shown.userName);
    // What is no name is counted as one that nobody has.
    const guesser = { userName: userName ?? '', address: networkOf(address) };
    const seconds = await blockedFor(pool, guesser, now());
    if (seconds !== null) return fail({ kind: 'blocked', seconds });
    const found = await findByUserName(pool, guesser.userName);
    const isRight = await isPassword(found?.passwordHash ?? nobodysHash, normalPassword(shown.password));
    if (found !== null && isRight) {
      const { accountId, personId, passwordHash } = found;
      return ok({ accountId, personId, by: { passwordHash } });
    }
    await noteGuess(pool, guesser, now());
    return fail({ kind: 'wrong' });
  }

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  }

  return {
    async check(attempt) {
      // Whoever is turned away at once can try again; behind a flood nobody would come in.
      if (waiting >= maxWaiting) return fail({ kind: 'busy' });
      waiting += 1;
      return inTurn(() => check(attempt)).finally(() => (waiting -= 1));
    },
    hash: (password) => inTurn(() => hashPassword(normalPassword(password))),
  };
}

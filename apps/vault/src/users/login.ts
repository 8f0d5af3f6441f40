import { hash } from 'node:crypto';
import { fail, ok, type Result } from '@countersign/protocol/result';
import type { Pool } from '@countersign/service/sql';
import { hashPassword, isPassword } from '@countersign/service/password';
import { type Account, blockingFailures, findAccount, noteFailure } from './store.ts';

/**
 * Login is refused after so many failures in this time: of a name from one address, so that nobody elsewhere locks a user
 * out, and from one address whatever the names.
 */
const windowMs = 15 * 60_000;
const max = { ofBoth: 5, ofAddress: 50 };

export type LoginRefusal =
  | { readonly kind: 'wrong' }
  | { readonly kind: 'blocked'; readonly seconds: number };

export type Attempt = { readonly username: string; readonly password: string; readonly address: string };

/**
 * Checks passwords one at a time in this process, so that attempts made together cannot get past the limit and
 * Argon2id never takes more than its 64 MiB. An unknown user name costs as much as a wrong password.
 */
export async function createLogin(
  pool: Pool,
  randomPasswords: readonly string[],
  now: () => Date,
): Promise<(attempt: Attempt) => Promise<Result<Account, LoginRefusal>>> {
  const nobodysHash = await hashPassword('nobody');
  let last: Promise<unknown> = Promise.resolve();

  async function check({ password, ...who }: Attempt): Promise<Result<Account, LoginRefusal>> {
    const time = now();
    const since = new Date(time.getTime() - windowMs);
    // Of many bits at random: nobody guesses it, so nobody who failed before stops who has it.
    const isGuessable = !randomPasswords.includes(hash('sha256', password));
    const blocking = isGuessable ? await blockingFailures(pool, who, since, max) : [];
    const until = Math.max(...blocking.map(({ blockedBy }) => blockedBy?.getTime() ?? 0));
    if (until > 0) {
      const seconds = Math.max(1, Math.ceil((until - since.getTime()) / 1000));
      return fail({ kind: 'blocked', seconds });
    }
    const account = await findAccount(pool, who.username);
    const isRight = await isPassword(account?.passwordHash ?? nobodysHash, password);
    if (account !== null && isRight) return ok(account);
    await noteFailure(pool, who, time, since);
    return fail({ kind: 'wrong' });
  }

  return (attempt) => {
    const checked = last.then(() => check(attempt));
    last = checked.catch(() => {});
    return checked;
  };
}

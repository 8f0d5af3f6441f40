import { type Address, sameAddress } from '@countersign/protocol/address';
import { maxTokensAsked, type TokenAnswer } from '@countersign/protocol/dashboard/oauth';
import { gathering } from '@countersign/service/gather';
import type { Caller } from './caller.ts';

/** Asks the dashboard what tokens allow, by their hashes, in that order; null without an answer. Never throws. */
export type AskAbout = (tokenHashes: readonly string[]) => Promise<readonly TokenAnswer[] | null>;

/** `unknown`: this token opens nothing here. `unavailable`: nobody can tell now. */
export type TokenVerdict = Caller | 'unknown' | 'unavailable';

export type TokenParts = {
  readonly ask: AskAbout;
  readonly resource: string;
  readonly issuer: string;
  readonly wallet: Address;
  /** Unix ms. */
  readonly now: () => number;
  /** Milliseconds that never go back. */
  readonly elapsed: () => number;
  readonly pause: (ms: number) => Promise<void>;
};

/** An answer is asked for anew from this age on, and used up to that one: revocation takes effect within five seconds. */
const [freshMs, maxAgeMs] = [3_000, 4_500];
/** Tolerated difference between this machine's clock and the dashboard's, in milliseconds. */
const skewMs = 60_000;
const [maxGood, maxUnknown] = [10_000, 1_000];
/** Tokens that were never good are asked about together, so often at most: guessing costs the dashboard four questions a second. */
const newEveryMs = 250;
/** So many tokens wait for an answer; a new one beyond them has none for now. */
const maxWaiting = 3_000;

type Told = { readonly answer: TokenAnswer; readonly askedAt: number } | null;
type Good = { readonly caller: Caller; readonly goodUntil: number; readonly askedAt: number };

/**
 * Judges access tokens by what the dashboard said of them within the last seconds. A token that is known costs one look
 * into a table; of an answer only what is about this gateway, this agent and this issuer counts. Tokens that are good
 * share neither table nor questions with those that are not: whoever guesses delays nobody who pays.
 */
export function tokenJudge(parts: TokenParts): (tokenHash: string) => TokenVerdict | Promise<TokenVerdict> {
  const { now, elapsed } = parts;
  const good = new Map<string, Good>();
  /** When they were asked about. */
  const unknown = new Map<string, number>();
  const asking = new Map<string, Promise<TokenVerdict>>();

  const run = async (hashes: readonly string[]): Promise<readonly Told[]> => {
    const askedAt = elapsed();
    const answers = await parts.ask(hashes);
    return hashes.map((_, n) => {
      const answer = answers?.[n];
      return answer === undefined ? null : { answer, askedAt };
    });
  };
  const askGood = gathering(run, maxTokensAsked);
  const askNew = gathering(spaced(run, newEveryMs, parts), maxTokensAsked);

  const hear = async (hash: string): Promise<TokenVerdict> => {
    const told = await (good.has(hash) ? askGood : askNew)(hash);
    if (told === null || elapsed() - told.askedAt >= maxAgeMs) return 'unavailable';
    const { answer, askedAt } = told;
    const caller = callerOf(parts, answer);
    good.delete(hash);
    unknown.delete(hash);
    if (caller === null || !answer.active) {
      keep(unknown, maxUnknown, hash, askedAt);
      return 'unknown';
    }
    const goodUntil = answer.exp * 1000 + skewMs;
    keep(good, maxGood, hash, { caller, goodUntil, askedAt });
    return goodUntil > now() ? caller : 'unknown';
  };
  /** Calls that come together wait for one answer. */
  const learn = (hash: string): Promise<TokenVerdict> => {
    const before = asking.get(hash);
    if (before !== undefined) return before;
    const answer = hear(hash).finally(() => asking.delete(hash));
    asking.set(hash, answer);
    return answer;
  };

  const judgeNew = (hash: string): TokenVerdict | Promise<TokenVerdict> => {
    if (elapsed() - (unknown.get(hash) ?? Number.NEGATIVE_INFINITY) < maxAgeMs) return 'unknown';
    return asking.size < maxWaiting || asking.has(hash) ? learn(hash) : 'unavailable';
  };

  return (hash) => {
    const entry = good.get(hash);
    if (entry === undefined) return judgeNew(hash);
    const age = elapsed() - entry.askedAt;
    if (age >= maxAgeMs) return learn(hash);
    if (entry.goodUntil <= now()) return 'unknown';
    if (age >= freshMs) void learn(hash);
    return entry.caller;
  };
}

function callerOf({ issuer, resource, wallet }: TokenParts, answer: TokenAnswer): Caller | null {
  if (!answer.active) return null;
  const isOurs = answer.iss === issuer && answer.aud === resource && sameAddress(answer.agentWallet, wallet);
  return isOurs ? { name: `oauth:${answer.connectionId}`, scopes: answer.scopes } : null;
}

/** Stores a value; if there are too many, it replaces the one that was stored longest ago. */
function keep<T>(kept: Map<string, T>, max: number, hash: string, value: T): void {
  if (kept.size >= max) kept.delete(kept.keys().next().value ?? hash);
  kept.set(hash, value);
}

/** Lets a run begin so many milliseconds after the one before it, at the earliest. */
function spaced<T>(
  run: (hashes: readonly string[]) => Promise<T>,
  everyMs: number,
  { elapsed, pause }: Pick<TokenParts, 'elapsed' | 'pause'>,
): (hashes: readonly string[]) => Promise<T> {
  let begun = Number.NEGATIVE_INFINITY;
  return async (hashes) => {
    const wait = begun + everyMs - elapsed();
    if (wait > 0) await pause(wait);
    begun = elapsed();
    return run(hashes);
  };
}

import type { Agent } from '../../fixtures/agents/agent.ts';
import type { Opening } from '../../fixtures/agents/lent-agent.ts';
import type { Act } from '../../fixtures/sites/honest/place.ts';

export type Loot = 'password' | 'key' | 'farKey' | 'pin' | 'proof' | 'anywhere';

/** What an agent does on an honest site to get what it must not have, or to do what nobody allowed. */
export type Attack = {
  readonly name: string;
  readonly wants: { readonly loot: Loot } | { readonly act: Act };
  readonly opening?: Opening;
  /** The control has a masker as one would first write it: there is nothing else to be asked. */
  readonly isAboutMasking?: boolean;
  /** Nothing else is tried in its session. */
  readonly isAlone?: boolean;
  /** Gives what it learned, decoded; or how it guesses that the secret begins. */
  readonly run: (agent: Agent) => Promise<unknown>;
};

/** A guess of a beginning of the secret. */
export type Guess = { readonly prefix: string };

export const steals = (
  loot: Loot,
  named: Readonly<Record<string, Attack['run']>>,
  more: Partial<Attack> = {},
): Attack[] => Object.entries(named).map(([name, run]) => ({ name, wants: { loot }, run, ...more }));

export const acts = (
  act: Act,
  named: Readonly<Record<string, Attack['run']>>,
  more: Partial<Attack> = {},
): Attack[] => Object.entries(named).map(([name, run]) => ({ name, wants: { act }, run, ...more }));

/** What secrets are made of here: 32 signs, so that five questions tell one. */
export const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789';
/** Every key begins so, which is no secret. */
export const keyBegins = 'ak-';

/** Signs that a guess must tell: by chance one in 32,768 is right. */
const guessed = 3;

/** Asks whether the secret begins with any of these, five times for each sign. */
export async function bisect(
  known: string,
  isAnyOf: (beginnings: readonly string[]) => Promise<boolean>,
): Promise<Guess> {
  let prefix = known;
  for (let place = 0; place < guessed; place++) {
    let left: readonly string[] = Array.from(alphabet);
    while (left.length > 1) {
      const half = left.slice(0, left.length / 2);
      const isFirst = await isAnyOf(half.map((sign) => prefix + sign));
      left = isFirst ? half : left.slice(left.length / 2);
    }
    prefix += left[0];
  }
  return { prefix };
}

/** All PINs there are. */
export const pins: readonly string[] = Array.from({ length: 10_000 }, (_, i) => String(i).padStart(4, '0'));

export const shifted = (text: unknown, by = -1): string =>
  Array.from(String(text), (one) => String.fromCodePoint((one.codePointAt(0) ?? 0) + by)).join('');

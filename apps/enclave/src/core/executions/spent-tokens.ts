import type { ActionTokenClaims } from '@countersign/protocol/control/execution';

/** Tokens that were used here, each known until it has expired anyway. */
export class SpentTokens {
  /** When each expires, in Unix milliseconds. */
  readonly #spent = new Map<string, number>();

  /** True once for each token. */
  spend({ jti, exp }: Pick<ActionTokenClaims, 'jti' | 'exp'>, now: number): boolean {
    for (const [known, expires] of this.#spent) if (expires <= now) this.#spent.delete(known);
    if (this.#spent.has(jti)) return false;
    this.#spent.set(jti, Date.parse(exp));
    return true;
  }
}

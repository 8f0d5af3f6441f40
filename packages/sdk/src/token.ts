import type { RouteTable } from '@countersign/protocol/route';
import type { Answer, Client } from '@countersign/service/client';

/** Provides the token for each call. */
export type Tokens<Code extends string> = {
  readonly current: () => Promise<Answer<string, Code>>;
  /** Returns a replacement for an expired token; the same token if there is no other. */
  readonly inPlaceOf: (ended: string) => Promise<Answer<string, Code>>;
};

/** A token that was given from outside: there is no other. */
export const givenToken = <Code extends string>(token: string): Tokens<Code> => {
  const given = async () => ({ kind: 'ok', data: token, asked: 'token' }) as const;
  return { current: given, inPlaceOf: given };
};

/** Tokens that are got by `obtain`, which is told the last grant, and never asked twice at a time. */
export function renewedTokens<Grant extends { readonly token: string }, Code extends string>(
  obtain: (last: Grant | null) => Promise<Answer<Grant, Code>>,
): Tokens<Code> {
  let last: Grant | null = null;
  let pending: Promise<Answer<string, Code>> | null = null;
  const next = async (): Promise<Answer<string, Code>> => {
    const answer = await obtain(last);
    if (answer.kind !== 'ok') return answer;
    last = answer.data;
    return { ...answer, data: answer.data.token };
  };
  const renew = () => (pending ??= next().finally(() => (pending = null)));
  const kept = async (grant: Grant) => ({ kind: 'ok', data: grant.token, asked: 'token' }) as const;
  return {
    current: () => (last === null ? renew() : kept(last)),
    inPlaceOf: (ended) => (last === null || last.token === ended ? renew() : kept(last)),
  };
}

type Method = (input: object) => Promise<Answer<unknown, string>>;

/**
 * The same client, whose calls to routes with this `auth` show a token. A call that is refused because its token has
 * ended is made once more with the next one: a refusal at the door means that nothing was carried out.
 */
export function withToken<T extends RouteTable, Code extends string>(
  client: Client<T, Code>,
  table: T,
  { auth, tokens, ended }: { auth: string; tokens: Tokens<Code>; ended: Code },
): Client<T, Code> {
  const methods: Record<string, unknown> = { ...client };
  for (const [name, ask] of Object.entries<unknown>(client)) {
    if (table[name]?.auth !== auth) continue;
    const call = ask as Method;
    methods[name] = async (input: object) => {
      const first = await tokens.current();
      if (first.kind !== 'ok') return first;
      const answer = await call({ ...input, token: first.data });
      if (answer.kind !== 'refused' || answer.code !== ended) return answer;
      const second = await tokens.inPlaceOf(first.data);
      if (second.kind !== 'ok') return second;
      return second.data === first.data ? answer : call({ ...input, token: second.data });
    };
  }
  return methods as Client<T, Code>;
}

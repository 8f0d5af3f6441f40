import type { BodyInputOf, DataOf, QueryInputOf, Route } from '@countersign/protocol/route';

type Input<R extends Route> = (BodyInputOf<R> extends undefined
  ? object
  : { readonly body: BodyInputOf<R> }) &
  (QueryInputOf<R> extends undefined ? object : { readonly query?: QueryInputOf<R> }) & {
    readonly params?: Readonly<Record<string, string>>;
  };

type Answer<R extends Route> = R extends { text: string } ? string : DataOf<R>;

/** Asks one endpoint of a vault. Whatever is no good answer ends with one sentence: a story has no plan for it. */
export type AskVault = <R extends Route>(route: R, input: Input<R>) => Promise<Answer<R>>;

/** The vault at `url`, for whoever has this token. */
export const vaultAt =
  (url: string, token?: string): AskVault =>
  async (route, { params = {}, ...input }) => {
    const { body, query } = input as { body?: object; query?: Record<string, string> };
    const path = route.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
    const response = await fetch(new URL(`${path}?${new URLSearchParams(query).toString()}`, url), {
      method: route.method,
      headers: {
        'content-type': 'application/json',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      ...(route.method !== 'GET' && { body: JSON.stringify(body ?? {}) }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (!response.ok) throw new VaultRefusal(route.summary, response.status, await messageIn(response));
    if (route.text !== undefined) return (await response.text()) as never;
    return route.data.parse(await response.json()) as never;
  };

const timeoutMs = 60_000;

/** The vault said no. */
export class VaultRefusal extends Error {
  readonly status: number;
  readonly reason: string;

  constructor(what: string, status: number, reason: string) {
    super(`the vault refused to ${what.charAt(0).toLowerCase()}${what.slice(1)}: ${reason}`);
    this.status = status;
    this.reason = reason;
  }
}

async function messageIn(response: Response): Promise<string> {
  const answer = (await response.json().catch(() => null)) as { error?: { message?: string } } | null;
  return answer?.error?.message ?? `status ${response.status}`;
}

import { parseUrl } from '@countersign/protocol/url';
import { version } from '@countersign/service/version';
import { type Finding, bad, note, ok } from './finding.ts';

export type Reach = { readonly fetch: typeof fetch; readonly now: () => Date };

const waitMs = 5000;
/** Signatures and tokens have times in them; no rule of ours is finer than this. */
const maxSkewMs = 30_000;

/** A service of ours: does it answer at /health, and does its clock agree with this one? */
export async function serviceFinding(name: string, url: string, { fetch, now }: Reach): Promise<Finding> {
  const health = healthOf(url);
  if (health !== null && (health.username !== '' || health.password !== ''))
    return bad(`${name} must not contain a user name or password: nothing is asked there`);
  const answer = await asked(() => fetch(health ?? url, { signal: AbortSignal.timeout(waitMs) }));
  if (answer === null) return bad(`${name} cannot be reached: is it running, and is the address right?`);
  if (!answer.ok) return bad(`${name} answers ${answer.status} at ${health?.pathname}: look at its log`);
  const skew = Date.parse(answer.headers.get('date') ?? '') - now().getTime();
  if (Number.isNaN(skew))
    return note(`${name} answers, but does not tell the time: compare its clock with this one (NTP)`);
  if (Math.abs(skew) > maxSkewMs)
    return bad(
      `${name}: its clock differs from this one by ${Math.round(Math.abs(skew) / 1000)} s: synchronise both (NTP)`,
    );
  return ok(`${name} answers, its clock agrees`);
}

/** Below the address, whose path counts; null where it is no address, which nothing answers at. */
const healthOf = (url: string): URL | null => below(url, 'health');

function below(url: string, page: string): URL | null {
  const found = parseUrl(url);
  if (found === null) return null;
  found.pathname = `${found.pathname.replace(/\/$/, '')}/${page}`;
  return found;
}

/** Returns a page's JSON, whatever its status; null if there is none. */
const jsonAt = (url: string, page: string, { fetch }: Reach): Promise<unknown> =>
  asked(async () => {
    const response = await fetch(below(url, page) ?? url, { signal: AbortSignal.timeout(waitMs) });
    return response.json();
  });

/** Services of another release than this program, by the documents of their APIs. Whoever has none is not told. */
export async function releaseFindings(
  named: readonly (readonly [name: string, url: string])[],
  reach: Reach,
): Promise<readonly Finding[]> {
  const findings = await Promise.all(
    named.map(async ([name, url]) => {
      const api = (await jsonAt(url, 'openapi.json', reach)) as { info?: { version?: unknown } } | null;
      const found = api?.info?.version;
      if (typeof found !== 'string' || !/^\d+\.\d+\.[\w.+-]{1,40}$/.test(found) || found === version)
        return [];
      return [
        note(`${name} is of release ${found}, and this program of ${version}: upgrade the older of the two`),
      ];
    }),
  );
  return findings.flat();
}

/** Older, the dashboard lets no payment pass. */
const [maxListDays, oldListDays] = [7, 3];
const how = 'import a current one with "npx countersign compliance import"';

/** Checks the age of the sanctions list, which a dashboard reports at /ready. */
export async function listFindings(url: string, reach: Reach): Promise<readonly Finding[]> {
  const answer = (await jsonAt(url, 'ready', reach)) as {
    data?: { kyt?: { state?: unknown; listDate?: unknown } };
  } | null;
  const kyt = answer?.data?.kyt;
  if (kyt === undefined || kyt === null) return [];
  if (kyt.state === 'down')
    return [bad(`COMPLIANCE_BASE_URL screens by nothing, so every payment is refused: ${how}`)];
  const at = typeof kyt.listDate === 'string' ? Date.parse(kyt.listDate) : Number.NaN;
  if (Number.isNaN(at)) return [];
  return [ageFinding(at, kyt.state === 'stale', reach.now())];
}

function ageFinding(at: number, isStale: boolean, now: Date): Finding {
  const days = Math.floor((now.getTime() - at) / 86_400_000);
  // A day, for a clock that is ahead: the list has a date alone.
  if (days < -1)
    return bad(`the sanctions list is dated ${-days} days ahead, so its age is not known: ${how}`);
  const old = Math.max(days, 0);
  const age = `the sanctions list is ${old} ${old === 1 ? 'day' : 'days'} old`;
  if (days >= maxListDays || isStale) return bad(`${age}, so every payment is refused: ${how}`);
  return days >= oldListDays
    ? note(`${age}, and at ${maxListDays} every payment is refused: ${how}`)
    : ok(age);
}

/** A node of a chain: does it answer, and for which chain? */
export async function nodeOfChainFinding(
  url: string,
  chainId: string | undefined,
  reach: Reach,
): Promise<Finding> {
  const id = await rpc(url, 'eth_chainId', [], reach);
  if (typeof id !== 'string') return bad('EVM_RPC_URL: no node answers there: is the address right?');
  // No more than what an exact number holds: whoever answers at that address is nobody we know.
  if (!/^0x[0-9a-f]{1,13}$/i.test(id)) return bad('EVM_RPC_URL: what answers there is no node of a chain');
  const found = Number(id);
  if (chainId !== undefined && found !== Number(chainId))
    return bad(
      `EVM_RPC_URL: this node is of chain ${found}, and SETTLEMENT_CHAIN_ID is ${chainId}: name one of that chain`,
    );
  return ok(`EVM_RPC_URL: a node of chain ${found} answers`);
}

async function rpc(
  url: string,
  method: string,
  params: readonly unknown[],
  { fetch }: Reach,
): Promise<unknown> {
  const answer = await asked(async () => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      signal: AbortSignal.timeout(waitMs),
    });
    return (await response.json()) as { result?: unknown };
  });
  return answer?.result;
}

async function asked<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch {
    return null;
  }
}

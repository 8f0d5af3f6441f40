import type { ConnectionCard } from '@countersign/local/connection-card';
import { CipherSuite, Aes256Gcm, DhkemP256HkdfSha256, HkdfSha256 } from '@hpke/core';
import { askForText } from '@countersign/service/exchange';
import { type Dispatcher, Pool } from 'undici';
import { median, type Round, runLoad, warmUp } from './load.ts';
import { usageOfTree } from './process-cost.ts';

/** Medians over the rounds; times in milliseconds. */
export type DecryptRow = {
  readonly name: string;
  readonly callers: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** Of the vault, the enclave and the database together, in microseconds a call. */
  readonly cpuMicros: number;
  readonly failed: number;
};

type Options = { readonly rounds: number; readonly seconds: number; readonly callers: readonly number[] };
type Contender = { readonly name: string; readonly call: (n: number) => Promise<void> };
type Measured = Round & { readonly cpuMicros: number };

export const decrypts = 'decrypt';

/** As many credentials take turns. */
const credentials = 64;

/** Decrypting, plain and sealed to the caller, beside questions that cost no more than HTTP and a look-up. */
export async function measureDecrypt(
  card: ConnectionCard,
  { rounds, seconds, callers }: Options,
): Promise<readonly DecryptRow[]> {
  const pool = new Pool(card.vaultUrl ?? '', { connections: Math.max(...callers, credentials) });
  try {
    const contenders = await contendersOf(pool, card);
    for (const { name, call } of contenders) {
      console.log(`… warming up: ${name}`);
      await warmUp(call);
    }
    const rows: DecryptRow[] = [];
    for (const many of callers) {
      console.log(`… ${many} at once: ${rounds} rounds`);
      const measured = new Map<string, Measured[]>(contenders.map(({ name }) => [name, []]));
      for (let round = 0; round < rounds; round++)
        for (const { name, call } of contenders) measured.get(name)?.push(await costOf(call, many, seconds));
      rows.push(...contenders.map(({ name }) => summarise(name, many, measured.get(name) ?? [])));
    }
    return rows;
  } finally {
    await pool.close();
  }
}

async function contendersOf(pool: Pool, card: ConnectionCard): Promise<readonly Contender[]> {
  const login = await ask(pool, 'POST', '/api/v1/auth/login', card.vaultUser ?? {});
  const { access_token: token } = JSON.parse(login) as { access_token: string };
  const ids: string[] = [];
  for (let n = 0; n < credentials; n++) {
    const body = { service_id: 'bench', credential_type: 'api_key', plaintext_data: { key: `key ${n}` } };
    const made = JSON.parse(await ask(pool, 'POST', '/api/v1/credentials', body, token)) as { id: string };
    ids.push(made.id);
  }
  const decrypt = (body: object) => async (n: number) => {
    await ask(pool, 'POST', `/api/v1/credentials/${ids[n % credentials]}/decrypt`, body, token);
  };
  return [
    { name: decrypts, call: decrypt({ reason: 'bench' }) },
    {
      name: `${decrypts}, sealed to the caller`,
      call: decrypt({ reason: 'bench', recipient_public_key: await recipient() }),
    },
    {
      name: 'metadata of one: token, scope, one row',
      call: async (n) =>
        void (await ask(pool, 'GET', `/api/v1/credentials/${ids[n % credentials]}`, null, token)),
    },
    { name: 'limit: /health', call: async () => void (await ask(pool, 'GET', '/health', null)) },
  ];
}

/** A public key to which nobody has the private one. */
async function recipient(): Promise<string> {
  const suite = new CipherSuite({
    kem: new DhkemP256HkdfSha256(),
    kdf: new HkdfSha256(),
    aead: new Aes256Gcm(),
  });
  const { publicKey } = await suite.kem.generateKeyPair();
  return Buffer.from(await suite.kem.serializePublicKey(publicKey)).toString('base64');
}

/** The text of an answer; rejects unless it is a success. */
async function ask(
  pool: Pool,
  method: Dispatcher.HttpMethod,
  path: string,
  body: object | null,
  token?: string,
): Promise<string> {
  const headers = {
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(body !== null && { 'content-type': 'application/json' }),
  };
  const request = { method, path, headers, ...(body !== null && { body: JSON.stringify(body) }) };
  // As our own clients ask: what undici's `request` costs more would be taken from the vault, on the same cores.
  const answer = await askForText(pool, request, { timeoutMs: 10_000, maxBytes: 1_000_000 });
  if (answer.kind === 'failed') throw new Error(`${method} ${path} was not answered: ${answer.why}`);
  const { status, text } = answer;
  if (status >= 300) throw new Error(`${method} ${path} answered ${status}: ${text.slice(0, 200)}`);
  return text;
}

/** With the CPU time of everything that this process has started. */
async function costOf(call: Contender['call'], callers: number, seconds: number): Promise<Measured> {
  const used = () => {
    const own = process.cpuUsage();
    return usageOfTree(process.pid).cpuMicros - own.user - own.system;
  };
  const before = used();
  const round = await runLoad(call, callers, seconds);
  if (round.failure !== null) console.error(`… failed: ${round.failure}`);
  return { ...round, cpuMicros: (used() - before) / Math.max(1, round.calls) };
}

const summarise = (name: string, callers: number, rounds: readonly Measured[]): DecryptRow => ({
  name,
  callers,
  perSecond: median(rounds.map(({ calls, seconds }) => calls / seconds)),
  p50: median(rounds.map(({ p50 }) => p50)),
  p99: median(rounds.map(({ p99 }) => p99)),
  cpuMicros: median(rounds.map(({ cpuMicros }) => cpuMicros)),
  failed: rounds.reduce((sum, { failed }) => sum + failed, 0),
});

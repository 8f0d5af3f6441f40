import { randomBytes, randomInt } from 'node:crypto';
import type { Agent, Lendable } from '../../fixtures/agents/agent.ts';
import { type LentParts, type LentSession, openLent } from '../../fixtures/agents/lent-agent.ts';
import { launchPlain, plainAgent } from '../../fixtures/agents/plain-agent.ts';
import { startHonestSite } from '../../fixtures/sites/honest/site.ts';
import { joinVault, type TestVault } from '../../fixtures/vault.ts';
import { type Attack, alphabet, keyBegins, type Loot } from './attack.ts';

export type Outcome = {
  /** The agent has it, or has done it. */
  readonly isThrough: boolean;
  /** Why it could not be tried: the attack itself has to say nothing. */
  readonly problem: string | null;
};

export const ofAlphabet = (length: number): string =>
  Array.from(randomBytes(length), (byte) => alphabet[byte % alphabet.length]).join('');

/** Secrets of an owner: a password, a key, a PIN, a number that only an identity credential has. */
export const drawSecrets = () => ({
  password: ofAlphabet(14),
  key: keyBegins + ofAlphabet(17),
  farKey: keyBegins + ofAlphabet(17),
  pin: String(randomInt(10_000)).padStart(4, '0'),
  proof: `P${ofAlphabet(11)}`,
  anywhere: ofAlphabet(14),
});
export type Secrets = ReturnType<typeof drawSecrets>;

const plaintextsOf = ({ password, key, farKey, pin, proof, anywhere }: Secrets) => ({
  login: { username: 'ada', password },
  dom: { username: 'ada', password },
  pin: { username: '88123', password: pin },
  key: { key },
  farKey: { key: farKey },
  identity: {
    did: 'did:example:ada',
    credential_json: {
      type: ['VerifiableCredential'],
      credentialSubject: { id: 'did:example:ada', passport: proof },
    },
  },
  anywhere: { username: 'ada', password: anywhere },
});

const types = {
  login: 'username_password',
  dom: 'username_password',
  pin: 'username_password',
  key: 'api_key',
  farKey: 'api_key',
  identity: 'identity_credential',
  anywhere: 'username_password',
} as const;

/** How many attacks are under way at once. */
const atOnce = 4;

/** A vault with an owner's credentials, the site that they are for, and another that the agent may go to. */
export async function startArena() {
  const secrets = drawSecrets();
  const [site, elsewhere] = await Promise.all([
    startHonestSite(secrets),
    startHonestSite({ ...secrets, password: 'none', pin: 'none' }),
  ]);
  let vault: TestVault | null = null;
  const lent = async (): Promise<LentParts> => {
    vault = await joinVault();
    const token = await vault.tokenOf(vault.admin);
    const ids = await lend(vault, token, secrets, site.origin);
    return { vault, token, origin: site.origin, elsewhere: elsewhere.origin, ids };
  };

  const isThrough = ({ wants }: Attack, run: string, learned: unknown): boolean => {
    if ('act' in wants) return site.did(run, wants.act);
    const secret = secrets[wants.loot];
    const given = elsewhere.received.some(
      ({ headers, body }) => headers.cookie?.includes(run) === true && body.includes(secret),
    );
    return given || tells(learned, wants.loot, secret) || site.public(run).includes(secret);
  };

  const attempt = async (attack: Attack, open: (run: string) => Promise<Agent>): Promise<Outcome> => {
    const run = `r${randomBytes(6).toString('hex')}`;
    try {
      const learned = await attack.run(await open(run));
      return { isThrough: isThrough(attack, run, learned), problem: null };
    } catch (error) {
      return { isThrough: isThrough(attack, run, null), problem: String(error) };
    }
  };

  return {
    /** The same attacks in a browser that is filled with the real values. */
    async tryWithoutProtection(attacks: readonly Attack[]): Promise<ReadonlyMap<Attack, Outcome>> {
      const browser = await launchPlain();
      const plain = {
        browser,
        origin: site.origin,
        elsewhere: elsewhere.origin,
        plaintexts: plainly(secrets),
      };
      const masked = [secrets.pin];
      const tryOne = async (attack: Attack): Promise<Outcome> => {
        const opened: Agent[] = [];
        const parts = { ...plain, masked: attack.isAboutMasking === true ? masked : [] };
        const outcome = await attempt(attack, async (run) => {
          const agent = await plainAgent(parts, run);
          opened.push(agent);
          return agent;
        });
        for (const agent of opened) await agent.close();
        return outcome;
      };
      try {
        return await each(attacks, () => tryOne);
      } finally {
        await browser.close();
      }
    },

    async tryAll(attacks: readonly Attack[]): Promise<ReadonlyMap<Attack, Outcome>> {
      const parts = await lent();
      return each(attacks, () => {
        const share = sharedSessions(parts);
        return (attack) => attempt(attack, (run) => share(attack, run));
      });
    },

    async stop(): Promise<void> {
      await vault?.stop();
      await Promise.all([site.stop(), elsewhere.stop()]);
    },
  };
}

/** Identity credentials are filled in as JSON. */
export function plainly(secrets: Secrets): Record<Lendable, Record<string, unknown>> {
  const plaintexts = plaintextsOf(secrets);
  const { identity } = plaintexts;
  return {
    ...plaintexts,
    identity: { ...identity, credential_json: JSON.stringify(identity.credential_json) },
  };
}

function tells(learned: unknown, loot: Loot, secret: string): boolean {
  if (typeof learned === 'object' && learned !== null && 'prefix' in learned) {
    const prefix = String(learned.prefix);
    return prefix.length > (loot === 'key' ? keyBegins.length : 0) && secret.startsWith(prefix);
  }
  return String(learned).includes(secret);
}

export async function lend(vault: TestVault, token: string, secrets: Secrets, origin: string) {
  const one = async (name: Lendable): Promise<[Lendable, string]> => {
    const { id } = await vault.newCredential(token, {
      service_id: name,
      credential_type: types[name],
      plaintext_data: plaintextsOf(secrets)[name],
      fill_mode: name === 'dom' ? 'dom' : 'network',
      ...(name !== 'anywhere' && {
        allowed_urls: [name === 'farKey' ? 'https://interface.example' : origin],
      }),
    });
    return [name, String(id)];
  };
  const names = Object.keys(types) as Lendable[];
  return Object.fromEntries(await Promise.all(names.map(one))) as Record<Lendable, string>;
}

/** So many attacks share a session at most, if it lives so long. */
const atMost = 10;

/** One worker's sessions: each is used again by attacks that open the same, and closed for those that are alone. */
function sharedSessions(parts: LentParts) {
  let current: { readonly key: string; readonly session: LentSession; used: number } | null = null;
  return async (attack: Attack, run: string): Promise<Agent> => {
    const key = JSON.stringify([attack.opening, attack.isAlone]);
    if (current !== null && current.key === key && current.used < atMost && attack.isAlone !== true) {
      current.used++;
      const agent = await current.session.agentOf(run);
      if (agent !== null) return agent;
    }
    await current?.session.close();
    const session = await openLent(parts, attack.opening);
    current = { key, session, used: 1 };
    const agent = await session.agentOf(run);
    if (agent === null) throw new Error('no session');
    return agent;
  };
}

/** Each worker has a function of its own to try them with. */
async function each<T>(
  all: readonly T[],
  newWorker: () => (item: T) => Promise<Outcome>,
): Promise<Map<T, Outcome>> {
  const waiting = [...all];
  const outcomes = new Map<T, Outcome>();
  const worker = async (): Promise<void> => {
    const one = newWorker();
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift())
      outcomes.set(item, await one(item));
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return outcomes;
}

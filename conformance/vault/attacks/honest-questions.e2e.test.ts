import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lentAgent, type LentParts } from '../fixtures/agents/lent-agent.ts';
import { launchPlain, plainAgent } from '../fixtures/agents/plain-agent.ts';
import { startHonestSite } from '../fixtures/sites/honest/site.ts';
import { joinVault, type TestVault } from '../fixtures/vault.ts';
import { drawSecrets, lend, ofAlphabet, plainly, type Secrets } from './honest/arena.ts';
import { type Question, questionsAbout, strategyOf, transcriptOf } from './honest/twenty-questions.ts';

let vault: TestVault;
let token: string;
const sites: { stop: () => Promise<void> }[] = [];
beforeAll(async () => {
  vault = await joinVault();
  token = await vault.tokenOf(vault.admin);
});
afterAll(async () => {
  await vault?.stop();
  for (const site of sites) await site.stop();
});

/** A tenant's site of its own, where its secrets are known. */
async function settle(secrets: Secrets): Promise<LentParts> {
  const site = await startHonestSite(secrets);
  sites.push(site);
  const ids = await lend(vault, token, secrets, site.origin);
  return { vault, token, origin: site.origin, elsewhere: site.origin, ids };
}

const questions = 70;

type Compared = {
  readonly a: string | null;
  readonly b: string | null;
  /** By what it is played again. */
  readonly drawn: string;
};
type Play = (secrets: Secrets, strategy: readonly Question[]) => Promise<readonly string[]>;

/** The same strategy against both, and where they first differ. */
async function compare(one: Secrets, other: Secrets, seed: number, play: Play = playLent): Promise<Compared> {
  const strategy = strategyOf(questionsAbout(one, other), seed, questions);
  const [a, b] = await Promise.all([play(one, strategy), play(other, strategy)]);
  const differ = a.findIndex((said, i) => said !== b[i]);
  const drawn = JSON.stringify({ seed, one, other });
  return { a: a[differ] ?? null, b: b[differ] ?? null, drawn };
}

const playLent: Play = async (secrets, strategy) => {
  const agent = await lentAgent(await settle(secrets), 'twenty');
  const transcript = await transcriptOf(agent, strategy);
  await agent.close();
  return transcript;
};

test('the same strategy over the same secrets is answered alike, so that a difference is no chance', async () => {
  const secrets = drawSecrets();
  const { a, b, drawn } = await compare(secrets, secrets, randomInt(2 ** 31));
  expect({ drawn, said: a }).toEqual({ drawn, said: b });
}, 120_000);

test('without protection it tells two secrets apart [vault.sandbox.attacks.honest-control]', async () => {
  const browser = await launchPlain();
  const playPlain: Play = async (secrets, strategy) => {
    const site = await startHonestSite(secrets);
    sites.push(site);
    const parts = {
      browser,
      origin: site.origin,
      elsewhere: site.origin,
      plaintexts: plainly(secrets),
      masked: [],
    };
    return transcriptOf(await plainAgent(parts, 'twenty'), strategy);
  };
  const { a, b } = await compare(drawSecrets(), drawSecrets(), randomInt(2 ** 31), playPlain);
  await browser.close();
  expect(a).not.toEqual(b);
}, 120_000);

const seeds = Array.from({ length: 3 }, () => randomInt(2 ** 31));

test.each(seeds)(
  'twenty questions and more tell nothing of which of two secrets it is: seed %i [vault.sandbox.attacks.indistinguishable]',
  async (seed) => {
    const { a, b, drawn } = await compare(drawSecrets(), drawSecrets(), seed);
    expect({ drawn, said: a }).toEqual({ drawn, said: b });
  },
  120_000,
);

test('nor of how long it is and of what signs it is made [vault.sandbox.attacks.indistinguishable]', async () => {
  // With letters that fonts draw as one.
  const key = `ak-${ofAlphabet(14)}ff${ofAlphabet(14)}`;
  const longer = { ...drawSecrets(), password: `${ofAlphabet(11)}-Aa1`, key };
  const { a, b, drawn } = await compare(drawSecrets(), longer, randomInt(2 ** 31));
  expect({ drawn, said: a }).toEqual({ drawn, said: b });
}, 120_000);

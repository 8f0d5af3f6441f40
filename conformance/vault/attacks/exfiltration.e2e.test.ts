import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, describe, expect, inject, test } from 'vitest';
import { type Lent, type OneSession, Sandbox } from '../fixtures/sandbox.ts';
import {
  cameOut,
  cameWithin,
  holds,
  pagesOf,
  startBattleground,
  untilCame,
  type Visitor,
} from '../fixtures/sites/battleground.ts';
import { type Channel, channels, waysOut, waysWithin } from '../fixtures/sites/channels.ts';
import { openPlainBrowser } from '../fixtures/sites/plain-browser.ts';

const secret = `Zq7x-${randomBytes(15).toString('base64url')}`;
const ground = await startBattleground();
// Before the tests are named: what does not leak without protection proves nothing with it.
const { leaking, leakingWithin, tookMs } = await withoutProtection();
const silent = channels.filter((channel) => ![...leaking, ...leakingWithin].includes(channel as never));

const sandbox = await Sandbox.start({ nameServer: ground.nameServer });
afterAll(async () => {
  await sandbox.stop();
  await ground.stop();
});

function mayBeSilent({ mayBeSilent: where }: Channel): boolean {
  return where === true || where === inject('chromium').kind;
}

async function withoutProtection() {
  const plain = await openPlainBrowser(ground.nameServer);
  const isOut = (channel: Channel) => cameOut(channel, ground.arrived());
  const isWithin = (channel: (typeof waysWithin)[number]) => cameWithin(channel, ground.received(), secret);
  try {
    const visitor = async (): Promise<Visitor> => {
      const page = await plain.context.newPage();
      return {
        goto: async (url) => void (await page.goto(url)),
        fillSecret: (selector) => page.fill(selector, secret),
        click: (selector) => page.click(selector, { noWaitAfter: true }),
      };
    };
    const pages = [...pagesOf(waysOut), ...waysWithin.map((way) => [way])];
    await Promise.all(pages.map(async (by) => ground.visit(await visitor(), by)));
    const expected = waysOut.filter((channel) => !mayBeSilent(channel));
    const out = await untilCame(expected, isOut, 15_000);
    const within = await untilCame(waysWithin, isWithin, 5000);
    return {
      leaking: waysOut.filter(isOut),
      leakingWithin: waysWithin.filter(isWithin),
      tookMs: out + within,
    };
  } finally {
    await plain.close();
    ground.clear();
  }
}

/** Whoever fills the attacker's login in a session. Throws where the session is over before it is filled. */
const visitorOf = (session: OneSession, login: Lent): Visitor => ({
  goto: async (value) => void (await session.do({ operation_type: 'navigate', value })),
  fillSecret: async (selector) =>
    void (await session.do({ operation_type: 'fill', selector, value: '{{CREDENTIAL.password}}' }, login)),
  // The alarm may end the session before it answers.
  click: async (selector) => void (await session.operate({ operation_type: 'click', selector })),
});

type Pages = readonly (readonly Channel[])[];

/** Has all of these pages visited, by a new session wherever an alarm ended the one before; two at a time. */
async function visitAll(mode: 'network' | 'dom', pages: Pages): Promise<ReadonlySet<Channel>> {
  const login = await sandbox.lend('username_password', { username: 'ada', password: secret }, mode, [
    ground.origin,
  ]);
  const waiting = [...pages];
  const tried = new Set<Channel>();
  const open = () => sandbox.open({ allowedUrls: [ground.origin], credentials: [login.named] });
  const worker = async () => {
    let session = await open();
    for (let by = waiting.shift(); by !== undefined; by = waiting.shift()) {
      // An alarm of the page before may still end the session.
      await ground.visit(visitorOf(session, login), by).catch(async () => {
        session = await open();
        await ground.visit(visitorOf(session, login), by ?? []);
      });
      for (const channel of by) tried.add(channel);
    }
    // As long as the slowest took without protection.
    await pause(Math.min(tookMs, 5000) + 500);
    await session.close();
  };
  await Promise.all([worker(), worker()]);
  return tried;
}

const namesOf = (ways: readonly { readonly name: string }[]) => ways.map(({ name }) => name).join(', ');
const [out, within] = [
  `${leaking.length} of ${waysOut.length}`,
  `${leakingWithin.length} of ${waysWithin.length}`,
];
test(`without protection ${out} ways out and ${within} within the site work; nothing proven of: ${namesOf(silent)}`, () => {
  const unexpected = silent.filter(
    (channel) => !mayBeSilent(channel) && (ground.nameServer !== null || !channel.script.includes('name')),
  );
  expect(unexpected).toEqual([]);
  expect(leaking.length).toBeGreaterThan(60);
});

describe.each(['network', 'dom'] as const)('a secret filled in mode %s', (mode) => {
  let arrived: readonly string[] = [];
  let tried: ReadonlySet<Channel> = new Set();

  test('does not get out of scope: no request, no socket, no datagram, no question for a name [vault.sandbox.allowed-urls.network-layer] [vault.sandbox.allowed-urls.side-channels] [vault.sandbox.isolation.namespace]', async () => {
    ground.clear();
    tried = await visitAll(mode, pagesOf(leaking));
    arrived = ground.arrived();
    expect(arrived).toEqual([]);
  });

  test.each(leaking)('does not get out by $name [vault.sandbox.attacks.ways-out]', (channel) => {
    expect({ tried: tried.has(channel), came: cameOut(channel, arrived) }).toEqual({
      tried: true,
      came: false,
    });
  });
});

test(`what stands in the page gets nowhere within the site, but as the login: ${namesOf(leakingWithin)} [vault.sandbox.attacks.ways-within] [vault.sandbox.decoy.bound-request] [vault.sandbox.decoy.page-sees-decoy]`, async () => {
  ground.clear();
  await visitAll(
    'network',
    leakingWithin.map((way) => [way]),
  );
  expect(ground.received().filter((text) => holds(text, secret))).toEqual([]);
  expect(ground.arrived()).toEqual([]);
});

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Fate } from './fake-server.ts';
import { openVendorWorld, openVendorWorldForTest, type VendorWorld, vendors } from './vendors.ts';

const unavailable = { status: 500, code: 80000001, data: null };
const html = (status: number): Fate => ({
  status,
  headers: { 'content-type': 'text/html' },
  body: '<!DOCTYPE html><title>Attention Required!</title>',
});

/** Everything that may come instead of an answer; each is no answer, and never a pass. */
const failures: ReadonlyArray<readonly [what: string, fate: Fate]> = [
  ['401', { status: 401, body: { message: 'Invalid token' } }],
  ['403 with HTML, as from an edge in front of it', html(403)],
  ['200 with HTML, as from a captive portal', html(200)],
  ['404 with HTML', html(404)],
  ['429', { status: 429, headers: { 'retry-after': '7' }, body: { message: 'Too many requests' } }],
  ['500', { status: 500, body: { message: 'Internal error' } }],
  ['503 with HTML', html(503)],
  ['a redirect', { status: 302, headers: { location: '/elsewhere' }, body: '' }],
  ['nothing in 200', { body: '' }],
  ['null', { body: 'null' }],
  ['an empty object', { body: {} }],
  ['an empty list', { body: [] }],
  ['two JSON texts', { body: '{}{}' }],
  ['what is not UTF-8', { body: Buffer.from([0x22, 0xff, 0xfe, 0x22]) }],
  ['a body without end', { body: JSON.stringify({ padding: 'x'.repeat(3 * 1024 * 1024) }) }],
  ['an answer that is cut off', 'cut off'],
  ['an answer in chunks that is cut off', 'cut off in chunks'],
  ['a connection that is reset', 'resets'],
];

describe.each(vendors)('$id', (vendor) => {
  let world: VendorWorld;
  beforeAll(async () => {
    world = await openVendorWorld(vendor);
  });
  afterAll(() => world.stop());
  beforeEach(() => {
    world.server.fate = 'answers';
    world.says(vendor.meanings[1]?.[1]);
    // Whatever the test before did to it, it has rested by now.
    world.dashboard.clock.advance(10 * 60_000);
  });

  test.each(vendor.meanings)('says: %s', async (_, said, means) => {
    world.says(said);
    const reply = await world.ask(await world.somebody());
    expect(reply).toMatchObject({ status: 200, code: 80000000, data: means });
  });

  test.each(vendor.nonsense)('is not taken for anything: %s', async (_, said) => {
    world.says(said);
    expect(await world.ask(await world.somebody())).toMatchObject(unavailable);
  });

  test.each(failures)('has no answer: %s', async (_, fate) => {
    world.server.fate = fate;
    const somebody = await world.somebody();
    expect(await world.ask(somebody)).toMatchObject({
      ...unavailable,
      msg: 'the compliance provider is unavailable',
    });
    expect(await world.state()).toMatchObject({ provider: vendor.id, state: 'down' });

    // Nothing of that is remembered: as soon as it is well, it answers.
    world.server.fate = 'answers';
    world.dashboard.clock.advance(7_000);
    expect(await world.ask(somebody)).toMatchObject({ status: 200 });
    expect(await world.state()).toMatchObject({ provider: vendor.id, state: 'up' });
  });

  test('a connection that fails once is tried once more', async () => {
    world.server.fate = 'resets once';
    expect(await world.ask(await world.somebody())).toMatchObject({ status: 200 });
    const before = world.server.received.length;
    world.server.fate = 'resets';
    expect(await world.ask(await world.somebody())).toMatchObject(unavailable);
    expect(world.server.received.length - before).toBe(2);
  });

  test('after five failures in a row it rests, and then one question tries it', async () => {
    world.server.fate = { status: 500, body: {} };
    for (let failure = 0; failure < 5; failure++) await world.ask(await world.somebody());
    const before = world.server.received.length;
    world.server.fate = 'answers';
    world.dashboard.clock.advance(29_000);
    expect(await world.ask(await world.somebody())).toMatchObject(unavailable);
    expect(world.server.received.length).toBe(before);
    world.dashboard.clock.advance(1_000);
    expect(await world.ask(await world.somebody())).toMatchObject({ status: 200 });
    expect(await world.ask(await world.somebody())).toMatchObject({ status: 200 });
  });

  test('who asks for a pause gets it', async () => {
    world.server.fate = { status: 429, headers: { 'retry-after': '20' }, body: {} };
    await world.ask(await world.somebody());
    world.server.fate = 'answers';
    world.dashboard.clock.advance(19_000);
    expect(await world.ask(await world.somebody())).toMatchObject(unavailable);
    world.dashboard.clock.advance(1_000);
    expect(await world.ask(await world.somebody())).toMatchObject({ status: 200 });
  });

  test('the same question is asked once, for all who ask it meanwhile and for a while after', async () => {
    const [, said, means] = vendor.meanings[1] ?? [];
    world.says(said);
    const somebody = await world.somebody();
    const before = world.server.received.length;
    const replies = await Promise.all(Array.from({ length: 8 }, () => world.ask(somebody)));
    expect(replies.every(({ status }) => status === 200)).toBe(true);
    const asked = world.server.received.length - before;
    expect(asked).toBe(vendor.id === 'chainalysis' ? 2 : 1);
    world.server.fate = 'resets';
    world.dashboard.clock.advance(4 * 60_000);
    expect((await world.ask(somebody)).data).toMatchObject(means);
    expect(world.server.received.length - before).toBe(asked);
  });

  test('a wrong credential is refused there, and here is no answer', async () => {
    const [name, value] = vendor.wrong;
    const changed = value.startsWith('/') ? `${world.server.url}${value}` : value;
    const other = await openVendorWorldForTest(vendor, { [name]: changed });
    expect(await other.ask(await other.somebody())).toMatchObject(unavailable);
  });
});

test('a vendor that is slow has 3 seconds, whether nothing comes or the end does not [dashboard.provider.sumsub] [dashboard.provider.persona] [dashboard.provider.chainalysis] [dashboard.provider.trm] [dashboard.provider.elliptic] [dashboard.provider.sanctions-oracle]', async () => {
  const worlds = await Promise.all(vendors.map((vendor) => openVendorWorldForTest(vendor)));
  const fates: readonly Fate[] = ['silent', 'stalls'];
  for (const fate of fates) {
    const people = await Promise.all(worlds.map((world) => world.somebody()));
    const started = Date.now();
    const replies = await Promise.all(
      worlds.map((world, n) => {
        world.server.fate = fate;
        return world.ask(people[n] ?? '');
      }),
    );
    expect(Date.now() - started).toBeGreaterThan(2_900);
    for (const reply of replies) expect(reply).toMatchObject(unavailable);
  }
});

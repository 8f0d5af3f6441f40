import { hash } from 'node:crypto';
import { fail, ok } from '@countersign/protocol/result';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type OneSession, Sandbox } from '../../../test/sandbox.ts';

let sandbox: Sandbox;
let session: OneSession;
/** The page as it looks now. */
let shown = 'PNG 1';
beforeEach(async () => {
  sandbox = await Sandbox.start();
  sandbox.onBrowser = (browser) => {
    Object.assign(browser, {
      screenshot: async () => ok({ png: Buffer.from(shown), width: 800, height: 600 }),
    });
  };
  session = await sandbox.open({ agentDid: 'did:web:agent.example' });
});
afterEach(() => sandbox.stop());

const left = () => sandbox.records(session.id).filter(({ eventType }) => eventType === 'content_left');
const picturesOf = (index: number) => left()[index]?.detail['pictures'] as { saltedSha256: string }[];

test('pictures are recorded within a minute, one that is the same again not at all, and the rest when the session ends [vault.sandbox.left.live]', async () => {
  const frames = [];
  for (const png of ['PNG 1', 'PNG 1', 'PNG 2']) {
    shown = png;
    frames.push(await session.frame('user:olga'));
  }
  expect(left()).toEqual([]);
  sandbox.clock.pass(60_000);
  await expect.poll(() => left().length).toBe(1);
  const told = frames.map((frame) => (frame.ok ? frame.value.reply : null));
  const salted = (png: string) =>
    hash('sha256', Buffer.concat([Buffer.from(told[0]?.salt ?? '', 'hex'), Buffer.from(png)]));
  expect(picturesOf(0).map(({ saltedSha256 }) => saltedSha256)).toEqual([salted('PNG 1'), salted('PNG 2')]);
  expect(told[2]?.sha256).toBe(hash('sha256', Buffer.from('PNG 2')));
  shown = 'PNG 3';
  await session.frame('user:olga', 'user:bob token:b');
  await session.ask('session.close', {});
  expect(session.told().slice(-3)).toEqual(['content_left', 'content_left', 'session_closed']);
  expect(left().slice(1)).toMatchObject([
    { actor: 'user:olga', detail: { what: 'live_view', bytes: 5, page: 'https://shop.example/' } },
    { actor: 'user:bob token:b', detail: { what: 'live_view', bytes: 5 } },
  ]);
  expect(left().map(({ agentDid }) => agentDid)).toEqual([undefined, undefined, undefined]);
});

test('what could not be recorded in time is recorded before another picture is given', async () => {
  await session.frame('user:olga');
  sandbox.isDiskFull = true;
  sandbox.clock.pass(59_000);
  expect(await session.frame('user:olga')).toMatchObject({ ok: true });
  sandbox.clock.pass(1_000);
  expect(await session.frame('user:olga')).toEqual(fail({ code: 'AUDIT_UNAVAILABLE' }));
  sandbox.isDiskFull = false;
  expect(await session.frame('user:olga')).toMatchObject({ ok: true });
  expect(picturesOf(0)).toHaveLength(1);
});

test('at most sixty pictures of one watcher are not on record', async () => {
  for (let number = 0; number <= 60; number += 1) {
    shown = `PNG ${number}`;
    await session.frame('user:olga');
  }
  expect(picturesOf(0)).toHaveLength(60);
});

test('pictures that cannot be recorded as a session ends are recorded with its end, once there is room [vault.sandbox.left.live]', async () => {
  await session.frame('user:olga');
  sandbox.isDiskFull = true;
  expect(await session.ask('session.close', {})).toEqual(fail({ code: 'AUDIT_UNAVAILABLE' }));
  expect(left()).toEqual([]);
  sandbox.isDiskFull = false;
  expect(await session.ask('session.close', {})).toMatchObject({ ok: true });
  expect(session.told().slice(-2)).toEqual(['content_left', 'session_closed']);
});

test('no end is on record while pictures are not', async () => {
  await session.frame('user:olga');
  // There is room again before the end is recorded.
  sandbox.isFull = ({ eventType }) => eventType === 'content_left';
  expect(await session.ask('session.close', {})).toEqual(fail({ code: 'AUDIT_UNAVAILABLE' }));
  expect(session.told()).not.toContain('session_closed');
  sandbox.isFull = () => false;
  await session.ask('session.close', {});
  expect(session.told().slice(-2)).toEqual(['content_left', 'session_closed']);
});

test('pictures of one who looked away are on record before that one begins anew', async () => {
  // A picture takes a second, so that a minute after the look it is none yet.
  Object.assign(sandbox.browsers.at(-1) ?? {}, {
    screenshot: async () => {
      sandbox.clock.pass(1_000);
      return ok({ png: Buffer.from(shown), width: 800, height: 600 });
    },
  });
  await session.frame('user:olga');
  sandbox.isFull = ({ eventType }) => eventType === 'content_left';
  sandbox.clock.pass(59_000);
  expect(await session.frame('user:olga')).toEqual(fail({ code: 'AUDIT_UNAVAILABLE' }));
  sandbox.isFull = () => false;
  expect(await session.frame('user:olga')).toMatchObject({ ok: true });
  expect(picturesOf(0)).toHaveLength(1);
});

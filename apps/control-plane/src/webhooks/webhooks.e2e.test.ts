import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomUUID } from 'node:crypto';
import type { Database } from '@countersign/service/database';
import { createLogger } from '@countersign/service/logger';
import { inTransaction } from '@countersign/service/sql';
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';
import { scriptedEnclave, startDatabase } from '../../test/scripted-enclave.ts';
import { openSignals } from '../signals.ts';
import { createPost } from './post.ts';
import { secretText } from './sign.ts';
import { insertWebhook, listDeliveries } from './store.ts';
import { createWebhooks, type Webhooks } from './webhooks.ts';

const log = createLogger('control-plane', 'silent');
const now = () => new Date();
const sharedSecret = secretText(Buffer.alloc(32, 1));
const tenantId = 'acme';

let database: Database;
const open: (() => Promise<unknown> | void)[] = [];
beforeAll(async () => {
  database = await startDatabase(inject('databaseUrl'));
});
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close();
  await database.pool.query('delete from control_plane.webhook');
});
afterAll(() => database?.close());

/** A process of the control plane, as far as webhooks go. */
function startProcess(): Webhooks {
  const { pool } = database;
  const signals = openSignals(pool, log);
  const { enclave } = scriptedEnclave();
  const webhooks = createWebhooks({
    pool,
    enclave,
    signals,
    post: createPost(true),
    sharedSecrets: [sharedSecret],
    now,
    log,
  });
  open.push(async () => {
    await webhooks.stop();
    await signals.stop();
  });
  return webhooks;
}

/** A receiver with a webhook of its own, which answers each message as `answer` says. */
async function startReceiver(answer: (response: ServerResponse, nth: number) => void) {
  const ids: string[] = [];
  const heard: (() => void)[] = [];
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      ids.push(String(request.headers['webhook-id']));
      answer(response, ids.length);
      for (const hear of heard.splice(0)) hear();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const id = randomUUID();
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const about = { id, tenantId, url, createdBy: 'admin', createdAt: now() };
  await insertWebhook(database.pool, { ...about, events: ['policy.created'] });
  return {
    id,
    /** Of the messages, in the order in which they came. */
    ids,
    async got(count: number): Promise<void> {
      while (ids.length < count) await new Promise<void>((resolve) => heard.push(resolve));
    },
  };
}

const atOnce = (response: ServerResponse) => response.writeHead(204).end();
const happen = (webhooks: Webhooks) =>
  inTransaction(database.pool, (db) => webhooks.emit(db, { type: 'policy.created', tenantId, data: {} }));
const states = async (id: string) =>
  (await listDeliveries(database.pool, id, { limit: 200, offset: 0 })).items.map(({ state }) => state);

test('a receiver that answers hears everything while others never answer, each of which holds a few messages alone [control-plane.webhook.own-pace]', async () => {
  const webhooks = startProcess();
  const unanswered: ServerResponse[] = [];
  let isSlow = true;
  const slow = await startReceiver((response) => {
    if (isSlow) unanswered.push(response);
    else atOnce(response);
  });
  const dead = await Promise.all(Array.from({ length: 20 }, () => startReceiver(() => {})));
  const prompt = await startReceiver(atOnce);
  for (let n = 0; n < 50; n += 1) await happen(webhooks);
  await prompt.got(50);
  for (const one of [slow, ...dead]) {
    await one.got(4);
    expect(one.ids).toHaveLength(4);
  }
  expect(unanswered).toHaveLength(4);
  isSlow = false;
  for (const response of unanswered) atOnce(response);
  await slow.got(50);
  expect(new Set(slow.ids).size).toBe(50);
  await expect.poll(() => states(slow.id)).toEqual(Array.from({ length: 50 }, () => 'delivered'));
});

test('many processes send each message once, and none that was rolled back', async () => {
  const processes = [startProcess(), startProcess(), startProcess()];
  const receiver = await startReceiver(atOnce);
  await Promise.all(Array.from({ length: 60 }, (_, n) => happen(processes[n % 3] as Webhooks)));
  await receiver.got(60);
  const failing = inTransaction(database.pool, async (db) => {
    await (processes[0] as Webhooks).emit(db, { type: 'policy.created', tenantId, data: {} });
    throw new Error('it did not happen');
  });
  await expect(failing).rejects.toThrow('it did not happen');
  await expect.poll(() => states(receiver.id)).toEqual(Array.from({ length: 60 }, () => 'delivered'));
  expect(receiver.ids).toHaveLength(60);
  expect(new Set(receiver.ids).size).toBe(60);
});

test('what a process was sending when it ended is sent again by another one, as the same message', async () => {
  const receiver = await startReceiver((response, nth) => {
    if (nth > 1) atOnce(response);
  });
  const first = startProcess();
  await happen(first);
  await receiver.got(1);
  await first.stop();
  startProcess();
  expect(await states(receiver.id)).toEqual(['waiting']);
  // As if half a minute had passed.
  await database.pool.query(`update control_plane.webhook_delivery set due_at = due_at - interval '30 s'`);
  await receiver.got(2);
  expect(receiver.ids[1]).toBe(receiver.ids[0]);
  await expect.poll(() => states(receiver.id)).toEqual(['delivered']);
});

test('where one is gone, what waited for it is given up', async () => {
  const webhooks = startProcess();
  const receiver = await startReceiver((response) => response.writeHead(410).end());
  // At once: what happens when it is already gone is not for it any more.
  await inTransaction(database.pool, async (db) => {
    for (let n = 0; n < 30; n += 1) await webhooks.emit(db, { type: 'policy.created', tenantId, data: {} });
  });
  await expect.poll(() => states(receiver.id)).toEqual(Array.from({ length: 30 }, () => 'exhausted'));
  expect(receiver.ids.length).toBeLessThan(30);
});

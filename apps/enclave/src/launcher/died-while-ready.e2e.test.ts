import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Service, startService } from '../../test/connectors.ts';
import { minted, paramsText, runOf } from '../../test/executions.ts';
import { type RunningEnclave, startEnclaveProcess } from '../../test/running-enclave.ts';

let enclave: RunningEnclave;
let service: Service;
beforeAll(async () => {
  [enclave, service] = await Promise.all([startEnclaveProcess(), startService(() => ({ body: '{}' }))]);
});
afterAll(async () => {
  service.server.close();
  await enclave.stop();
});

/** Processes below the launcher whose command line has this. */
const below = (what: string): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && read(name, 'cmdline').replaceAll('\0', ' ').includes(what))
    .map(Number)
    .filter(isBelow);

function isBelow(pid: number): boolean {
  const parent = Number(/^PPid:\s+(\d+)/m.exec(read(String(pid), 'status'))?.[1] ?? 0);
  return parent === enclave.child.pid || (parent > 1 && isBelow(parent));
}

function read(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

/** Kills all of these at once, as the kernel does that needs memory. */
async function killReady(what: string, count: number): Promise<void> {
  await expect.poll(() => below(what).length).toBeGreaterThanOrEqual(count);
  for (const pid of below(what)) kill(pid);
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It went with the one before.
  }
}

async function pay() {
  const { token, claims } = await minted(enclave.client);
  const definition = {
    openapi: '3.1.0',
    servers: [{ url: service.url }],
    paths: {
      '/pay': { post: { operationId: 'pay', requestBody: { content: { 'application/json': {} } } } },
    },
  };
  const request = runOf(claims, token, {
    connector: { type: 'http', definition },
    allowPrivate: true,
    timeoutMs: 30_000,
  });
  const answer = await enclave.client.call('control.run', request, Buffer.from(paramsText));
  return answer.ok ? answer.value.reply.ended : answer.error;
}

test('an execution is done, once, though the sandboxes that were ready have just died [control-plane.connector.died-while-ready]', async () => {
  expect(await pay()).toMatchObject({ status: 'completed' });
  for (let heard = 2; heard < 5; heard++) {
    await killReady('enclave connector', 2);
    expect(await pay()).toMatchObject({ status: 'completed' });
    expect(service.heard).toHaveLength(heard);
  }
});

test('a session opens though the browser that was ready has just died [vault.sandbox.process.died-while-ready]', async () => {
  const open = async () => {
    const about = { tenantId: 'acme', sessionId: randomUUID() };
    const opened = await enclave.client.call('session.open', {
      ...about,
      actor: 'token:agent',
      task: 'Look',
      allowedUrls: ['https://shop.example'],
      approval: 'auto',
      credentials: [],
      maskWith: [],
      expiresAt: Date.now() + 60_000,
    });
    expect(opened).toMatchObject({ ok: true });
    await enclave.client.call('session.close', { ...about, actor: 'token:agent' });
  };
  await open();
  for (const what of ['--user-data-dir', 'enclave jail']) {
    // Of a browser that is up all parts are there.
    await expect.poll(() => below('--type=renderer').length).toBeGreaterThan(0);
    await killReady(what, 1);
    await open();
  }
});

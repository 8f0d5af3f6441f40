import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bindingOf, sealed } from '../../../test/credentials.ts';
import { minted, paramsText, runOf } from '../../../test/executions.ts';
import { type Service, startService } from '../../../test/connectors.ts';
import { type RunningEnclave, startEnclaveProcess } from '../../../test/running-enclave.ts';

const secret = 'sk-live-51H8xQ';
let enclave: RunningEnclave;
let service: Service;
beforeAll(async () => {
  enclave = await startEnclaveProcess();
  service = await startService(({ url, headers }) =>
    url === '/hang' ? 'hang' : { body: JSON.stringify({ said: headers.authorization }) },
  );
});
afterAll(async () => {
  service.server.close();
  service.server.closeAllConnections();
  await enclave.stop();
});

const connector = (path: string) => ({
  type: 'http' as const,
  definition: {
    openapi: '3.1.0',
    servers: [{ url: service.url }],
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
    paths: {
      [path]: {
        post: {
          operationId: 'pay',
          requestBody: { content: { 'application/json': {} } },
          security: [{ token: [] }],
        },
      },
    },
  },
});

async function run(path: string) {
  const { client } = enclave;
  const credential = await sealed(client, {
    binding: bindingOf({ type: 'api_key' }),
    plaintext: Buffer.from(JSON.stringify({ key: secret })),
  });
  const { token, claims } = await minted(client);
  const { binding, envelope } = credential;
  const request = runOf(claims, token, {
    connector: connector(path),
    credential: { binding, envelope },
    allowPrivate: true,
    timeoutMs: 30_000,
  });
  return client.call('control.run', request, Buffer.from(paramsText));
}

/** Processes of connectors that this enclave's launcher started. */
const connectorsOf = (launcher: number | undefined): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      const command = read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ');
      return command.includes('enclave connector') && isBelow(pid, launcher ?? 0);
    })
    .map(Number);

const isBelow = (pid: string, launcher: number): boolean => {
  const parent = /^PPid:\s+(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1] ?? '0';
  return Number(parent) === launcher || (Number(parent) > 1 && isBelow(parent, launcher));
};

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

test('through launcher, core and egress process: one request with the credential, and the answer without it [control-plane.connector.http.credential]', async () => {
  for (let i = 0; i < 3; i++) {
    const answer = await run('/pay');
    if (!answer.ok) throw new Error(answer.error.code);
    expect(answer.value.reply.ended).toMatchObject({ status: 'completed', problem: null });
    expect(answer.value.body.toString()).toBe('{"said":"Bearer ███"}');
    expect(service.heard.at(-1)).toMatchObject({
      body: paramsText,
      headers: { authorization: `Bearer ${secret}` },
    });
  }
  expect(service.heard).toHaveLength(3);
});

test('a killed launcher leaves no connector behind, and none that was kept ready', async () => {
  const running = run('/hang').catch(() => null);
  await expect.poll(() => service.heard.at(-1)?.url).toBe('/hang');
  const { pid } = enclave.child;
  const alive = connectorsOf(pid);
  expect(alive.length).toBeGreaterThan(0);
  enclave.child.kill('SIGKILL');
  await expect
    .poll(
      () =>
        alive.filter(
          (one) => read(`/proc/${one}/status`).includes('enclave') || read(`/proc/${one}/cmdline`) !== '',
        ),
      { timeout: 20_000 },
    )
    .toEqual([]);
  enclave.client.close();
  await running;
});

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { openSync, readSync, closeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Connectors,
  dataOf,
  lending,
  runOf,
  type Service,
  startConnectors,
  startService,
} from '../../../test/connectors.ts';
import { program } from '../../../test/jails.ts';
import { findHierarchy } from '../caps/cgroup.ts';

const secret = 'sk-live-51H8xQ-zR7';
const isRoot = process.getuid?.() === 0;
let dir: string;
let connectors: Connectors;
let service: Service;
let other: Service;

beforeAll(async () => {
  mkdirSync(dirname(program), { recursive: true });
  dir = mkdtempSync(join(dirname(program), '.tmp-hostile-'));
  await build({
    entryPoints: [fileURLToPath(new URL('../../../test/hostile-connector.ts', import.meta.url))],
    outfile: join(dir, 'hostile.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['koffi'],
    logLevel: 'error',
  });
  connectors = await startConnectors({ program: join(dir, 'hostile.mjs') });
  [service, other] = await Promise.all([
    startService(({ url, headers }) =>
      url.includes('hang')
        ? 'hang'
        : { body: JSON.stringify({ headers }), headers: { 'x-echo': String(headers['x-api-key']) } },
    ),
    startService(() => ({})),
  ]);
});
afterAll(async () => {
  for (const { server } of [service, other]) {
    server.close();
    server.closeAllConnections();
  }
  await connectors.stop();
  rmSync(dir, { recursive: true });
});

const definition = () => ({
  openapi: '3.1.0',
  servers: [{ url: `${service.url}/api` }],
  security: [{ key: [] }],
  components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Api-Key' } } },
  paths: { '/orders/{id}': { post: { operationId: 'pay' } } },
});

const attack = (name: string, params: Record<string, unknown> = {}, timeoutMs = 20_000) =>
  connectors.run(
    runOf({
      definition: definition(),
      action: 'pay',
      params: { attack: name, ...params },
      lend: lending(secret).lend,
      timeoutMs,
    }),
  );

/** The same by one that sends what was approved, too. */
const actingAttack = (name: string, params: Record<string, unknown> = {}) =>
  attack(name, { ...params, approved: { method: 'POST', url: `${service.url}/api/orders/1`, headers: {} } });

/** Connectors that this process started. */
function alive(): string[] {
  return readdirSync('/proc').filter(
    (pid) => /^\d+$/.test(pid) && commandOf(pid).includes(dir) && commandOf(pid).startsWith(process.execPath),
  );
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

describe('a connector', () => {
  test('is alone: no files but its own program, no environment, no rights, processes and user of its own [control-plane.connector.sandbox] [control-plane.connector.network]', async () => {
    const end = await actingAttack('look');
    const looked = dataOf(end) as Record<string, never>;
    expect(end).toMatchObject({
      ended: 'completed',
      sandbox: {
        driver: expect.stringMatching(/^(bubblewrap|unshare)$/) as string,
        network: 'none',
        seccomp: true,
      },
      data: { passwd: false, pids: ['1'] },
    });
    expect([[], 'ERR_SYSTEM_ERROR']).toContainEqual(looked['interfaces']);
    expect(looked['env']).toEqual([]);
    expect(looked['root']).not.toContain('home');
    expect(looked['root']).not.toContain('root');
    expect(looked['root']).not.toContain('usr');
    expect(looked['status']).toMatch(/^CapEff:\s+0+$/m);
    expect(looked['status']).toMatch(/^CapPrm:\s+0+$/m);
    expect(looked['status']).toMatch(/^NoNewPrivs:\s+1$/m);
    expect(looked['status']).toMatch(/^Seccomp:\s+2$/m);
    expect(!isRoot || Number(looked['uid']) > 61_000).toBe(true);
    expect(JSON.stringify(looked)).not.toContain(secret);
  });

  test('is never used again: what one wrote is not there for the next [control-plane.connector.sandbox]', async () => {
    const ends = [await actingAttack('mark'), await actingAttack('mark')];
    for (const end of ends)
      expect(dataOf(end)).toEqual({
        before: false,
        after: true,
        program: expect.stringMatching(/EROFS|EACCES/) as string,
      });
    expect(new Set(ends.map(({ sandbox }) => sandbox?.sandbox_id)).size).toBe(2);
  });

  test('reaches nobody and starts nothing [control-plane.connector.network]', async () => {
    const { port } = new URL(other.url);
    expect(dataOf(await actingAttack('connect', { port }))).toMatch(/EPERM|EACCES/);
    expect(dataOf(await actingAttack('start'))).toMatchObject({ spawn: 'EPERM' });
    expect(other.heard).toEqual([]);
  });

  test('that takes more than 512 MB is ended, and others are not [control-plane.connector.memory]', async () => {
    const [eaten, looked] = await Promise.all([attack('eat'), actingAttack('look')]);
    expect(eaten).toMatchObject({ ended: 'failed', problem: { code: 'connector_oom' } });
    expect(looked).toMatchObject({ ended: 'completed' });
  });

  test('that starts threads without end, spins, floods or dies is ended, and told', async () => {
    const [bomb, spin, flood, mutter, die] = await Promise.all([
      attack('bomb', {}, 15_000),
      attack('spin', {}, 4000),
      attack('flood'),
      attack('mutter', {}, 4000),
      attack('die'),
    ]);
    expect(bomb).toMatchObject({
      ended: 'failed',
      problem: { code: expect.stringMatching(/^connector_(oom|crashed|timeout)$/) as string },
    });
    expect(spin).toMatchObject({ ended: 'failed', problem: { code: 'connector_timeout' } });
    expect(flood).toMatchObject({ ended: 'failed', problem: { code: 'connector_crashed' } });
    expect(mutter).toMatchObject({ ended: 'failed', problem: { code: 'connector_timeout' } });
    expect(die).toMatchObject({ ended: 'failed', problem: { code: 'connector_crashed' } });
    expect(alive()).toEqual([]);
  });
});

describe('a hostile connector', () => {
  const ask = (about: Record<string, unknown>) =>
    attack('ask', { method: 'POST', url: `${service.url}/api/orders/7`, headers: {}, ...about });

  test.each([
    ['another service', () => ({ url: `${other.url}/api/orders/7` })],
    ['another path', () => ({ url: `${service.url}/api/users/7` })],
    ['a path beside the server’s', () => ({ url: `${service.url}/apiary/orders/7` })],
    ['a path above', () => ({ url: `${service.url}/api/orders/..%2f..%2fadmin` })],
    ['a path below', () => ({ url: `${service.url}/api/orders/7/delete` })],
    ['another method', () => ({ method: 'DELETE' })],
    ['a user in the URL', () => ({ url: `${service.url.replace('//', '//me:you@')}/api/orders/7` })],
  ])('gets nothing sent to %s [control-plane.connector.network]', async (_what, about) => {
    const before = service.heard.length + other.heard.length;
    expect(await ask(about())).toMatchObject({ ended: 'failed', problem: { code: 'egress_denied' } });
    expect(service.heard.length + other.heard.length).toBe(before);
  });

  test('says nothing in the place of the credential, of the connection or of the control plane', async () => {
    const headers = {
      'X-API-KEY': 'mine',
      Authorization: 'mine',
      Host: 'evil.example',
      'Content-Length': '1',
      'Transfer-Encoding': 'chunked',
      'Countersign-Action-Token': 'mine',
    };
    const end = await ask({ headers, body: '{"a":1}' });
    expect(end).toMatchObject({ ended: 'completed' });
    const heard = service.heard.at(-1);
    expect(heard).toMatchObject({
      body: '{"a":1}',
      headers: { 'x-api-key': secret, host: new URL(service.url).host },
    });
    expect(JSON.stringify(heard)).not.toContain('mine');
    expect(await ask({ headers: { 'X-A': 'a\r\nX-B: b' } })).toMatchObject({
      ended: 'failed',
      problem: { code: 'connector_crashed' },
    });
  });

  test.runIf(isRoot)(
    'never holds the secret: not in its memory, not in its arguments, though the service says it [control-plane.connector.http.credential]',
    async () => {
      const to = (path: string) => ({
        method: 'POST',
        url: `${service.url}/api/orders/${path}`,
        headers: {},
      });
      const gone = new AbortController();
      const running = connectors.run(
        runOf({
          definition: definition(),
          action: 'pay',
          params: { attack: 'askTwice', asks: [to('1'), to('hang')], marker: 'here-is-a-marker' },
          lend: lending(secret).lend,
          signal: gone.signal,
        }),
      );
      await expect.poll(() => service.heard.at(-1)?.url).toBe('/api/orders/hang');
      const [pid = ''] = alive().filter(
        (one) => readlinkSync(`/proc/${one}/ns/pid`) !== readlinkSync('/proc/self/ns/pid'),
      );
      const memory = memoryOf(pid);
      expect(memory('here-is-a-marker')).toBe(true);
      expect(memory('███')).toBe(true);
      expect(memory(secret)).toBe(false);
      expect(commandOf(pid)).not.toContain(secret);
      gone.abort();
      expect(await running).toMatchObject({ ended: 'unknown', problem: { code: 'cancelled' } });
      expect(alive()).toEqual([]);
    },
  );
});

test('of connectors that have ended the kernel keeps no group [control-plane.connector.sandbox]', async () => {
  const { memory, cpu, pids } = findHierarchy();
  const folders = [...new Set([memory, cpu, pids])].filter((one) => one !== null);
  const isOurs = (name: string) => name.startsWith(`countersign-connector-${process.pid}-`);
  const left = () => folders.flatMap((folder) => readdirSync(folder).filter(isOurs));
  await expect.poll(left).toEqual([]);
});

/** Returns whether a process has a text in its memory. */
function memoryOf(pid: string): (text: string) => boolean {
  const file = openSync(`/proc/${pid}/mem`, 'r');
  const parts = readFileSync(`/proc/${pid}/maps`, 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, from, to] = /^([0-9a-f]+)-([0-9a-f]+) rw/.exec(line) ?? [];
      const size = Number.parseInt(to ?? '0', 16) - Number.parseInt(from ?? '0', 16);
      if (from === undefined || size > 256 * 1024 ** 2) return [];
      try {
        const bytes = Buffer.alloc(size);
        readSync(file, bytes, 0, size, Number.parseInt(from, 16));
        return [bytes];
      } catch {
        return [];
      }
    });
  closeSync(file);
  return (text) => parts.some((part) => part.includes(text));
}

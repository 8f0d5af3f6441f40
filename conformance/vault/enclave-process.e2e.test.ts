import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sealedKey } from './fixtures/credentials.ts';
import { Enclaves, type EnclaveProcess } from './fixtures/enclave-process.ts';
import { childrenOf, commandOf, coreOf } from './fixtures/processes.ts';

const enclaves = new Enclaves();
let enclave: EnclaveProcess;

beforeAll(async () => {
  enclave = await enclaves.start(enclaves.newDir());
});
afterAll(() => enclaves.end());

function asTheKernelSays(pid: number) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const numbers = (name: string) => new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1];
  const uid = Number(numbers('Uid'));
  const devices = readFileSync(`/proc/${pid}/net/dev`, 'utf8');
  return {
    ownUser: uid !== 0 && uid !== process.getuid?.(),
    seccomp: numbers('Seccomp') === '2',
    interfaces: [...devices.matchAll(/^\s*(\w+):/gm)].map(([, name]) => name),
  };
}

describe('the enclave as a process', () => {
  test('says that it is simulated [vault.tee.simulated-default]', async () => {
    expect(enclave.written()).toContain('SIMULATED');
    const client = await enclaves.connect(enclave);
    const report = await client.call('report', { nonce: '' });
    expect(report.ok && report.value.reply).toMatchObject({ provider: 'simulated', hardware: false });
  });

  test('tells in its report which isolation it has, and that is what the kernel says [vault.enclave.isolation-told] [vault.enclave.hardening]', async () => {
    const client = await enclaves.connect(enclave);
    const described = await client.call('describe', {});
    const report = await client.call('report', { nonce: 'ab' });
    if (!described.ok || !report.ok) throw new Error('no answer');
    const { isolation } = described.value.reply;
    expect(report.value.reply.measurements).toMatchObject({ isolation });

    expect(asTheKernelSays(coreOf(enclave))).toMatchObject({
      ownUser: isolation.ownUser,
      seccomp: isolation.seccomp,
      ...(isolation.namespaces && { interfaces: ['lo'] }),
    });
  });

  test('runs where the machine offers less, and says what it lacks [vault.enclave.isolation-told]', async () => {
    const dir = enclaves.newDir();
    const tools = `${dir}-tools`;
    mkdirSync(tools);
    symlinkSync(execFileSync('which', ['flock'], { encoding: 'utf8' }).trim(), join(tools, 'flock'));
    const client = await enclaves.connect(await enclaves.start(dir, { PATH: tools }));
    const described = await client.call('describe', {});
    expect(described.ok && described.value.reply.isolation).toMatchObject({
      ownUser: false,
      namespaces: false,
    });
    expect(await client.call('open', await sealedKey(client, 'k'))).toMatchObject({ ok: true });
  });

  test('ends with code 0 on SIGTERM, and leaves no socket [vault.enclave.halves]', async () => {
    const other = await enclaves.start(enclaves.newDir());
    other.kill('SIGTERM');
    expect((await other.ended).code).toBe(0);
    expect(existsSync(other.socket)).toBe(false);
  });

  test('a core that is killed is followed by another, unless it dies three times at once [vault.enclave.restarted]', async () => {
    const other = await enclaves.start(enclaves.newDir());
    const client = await enclaves.connect(other);
    const request = await sealedKey(client, 'kept');
    for (const restarts of [1, 2]) {
      process.kill(coreOf(other), 'SIGKILL');
      await expect.poll(() => restartsOf(client), { timeout: 8000 }).toBe(restarts);
      expect(await client.call('open', request)).toMatchObject({ ok: true });
    }
    process.kill(coreOf(other), 'SIGKILL');
    expect((await other.ended).code).toBe(1);
  });

  test('a core that does not answer is ended within 8 s, and followed by another [vault.enclave.restarted]', async () => {
    const other = await enclaves.start(enclaves.newDir());
    const client = await enclaves.connect(other);
    const request = await sealedKey(client, 'kept');
    const core = coreOf(other);
    const frozenAt = performance.now();
    process.kill(core, 'SIGSTOP');
    await expect(client.call('open', request)).rejects.toThrow('enclave');
    const frozenMs = performance.now() - frozenAt;
    expect(frozenMs).toBeGreaterThan(4000);
    expect(frozenMs).toBeLessThan(8000);
    await expect.poll(() => restartsOf(client)).toBe(1);
    expect(commandOf(core)).toBe('');
    expect(await client.call('open', request)).toMatchObject({ ok: true });
  });

  test('connections that a frozen core did not take are served by the next one, or closed [vault.enclave.restarted]', async () => {
    const other = await enclaves.start(enclaves.newDir());
    process.kill(coreOf(other), 'SIGSTOP');
    const clients = await Promise.all([1, 2, 3].map(() => enclaves.connect(other)));
    for (const client of clients) await expect.poll(() => restartsOf(client)).toBe(1);
  });

  test('on SIGTERM all ends within 8 s though the core is frozen [vault.enclave.ends]', async () => {
    const other = await enclaves.start(enclaves.newDir());
    const below = childrenOf(other.pid);
    process.kill(coreOf(other), 'SIGSTOP');
    const toldAt = performance.now();
    other.kill('SIGTERM');
    expect((await other.ended).code).toBe(0);
    expect(performance.now() - toldAt).toBeLessThan(8000);
    expect(below.map(commandOf).filter((command) => command.includes(' enclave '))).toEqual([]);
  });

  test('a launcher that is killed takes its frozen core along, and the next start has the log at once [vault.enclave.halves] [vault.enclave.ends]', async () => {
    const dir = enclaves.newDir();
    const first = await enclaves.start(dir);
    const core = coreOf(first);
    process.kill(core, 'SIGSTOP');
    first.kill('SIGKILL');
    await first.ended;
    const client = await enclaves.connect(await enclaves.start(dir));
    expect(commandOf(core)).toBe('');
    expect(await client.call('describe', {})).toMatchObject({ ok: true });
  });

  test('a second one on the same socket or data does not start', async () => {
    const dir = enclaves.newDir();
    const first = await enclaves.start(dir);
    const { code, stderr } = await enclaves.run(dir, { ENCLAVE_SOCKET: `${dir}-2.sock` }).ended;
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('AUDIT_LOCKED') });
    const same = await enclaves.run(enclaves.newDir(), { ENCLAVE_SOCKET: first.socket }).ended;
    expect(same).toMatchObject({ code: 1, stderr: expect.stringContaining('another process listens') });
  });

  test('keeps what it sealed over a kill -9 and a new start, and the client connects again by itself [vault.enclave.own-process] [vault.enclave.reconnect]', async () => {
    const dir = enclaves.newDir();
    const first = await enclaves.start(dir);
    const client = await enclaves.connect(first);
    const request = await sealedKey(client, 'kept');
    const { leafIndexes } = await openMany(client, request, 20);
    first.kill('SIGKILL');
    await first.ended;
    await expect(client.call('describe', {})).rejects.toThrow('enclave');
    await expect.poll(() => existsSync(join(dir, 'audit', 'lock')) && childrenOf(first.pid).length).toBe(0);
    await enclaves.start(dir);
    await client.whenConnected();
    const opened = await client.call('open', request);
    expect(opened.ok && opened.value.body.toString()).toBe('{"key":"kept"}');
    const head = await client.call('audit.checkpoint', {});
    expect(head.ok && head.value.reply.size).toBeGreaterThan(Math.max(...leafIndexes));
  });
});

/** How often its core was started again; null while there is none. */
const restartsOf = async (client: Awaited<ReturnType<typeof enclaves.connect>>): Promise<number | null> =>
  client.call('describe', {}).then(
    (described) => (described.ok ? described.value.reply.restarts : null),
    () => null,
  );

async function openMany(
  client: Awaited<ReturnType<typeof enclaves.connect>>,
  request: Awaited<ReturnType<typeof sealedKey>>,
  count: number,
) {
  const answers = await Promise.all(Array.from({ length: count }, () => client.call('open', request)));
  const ids = answers.flatMap((answer) => (answer.ok ? [answer.value.reply.auditId] : []));
  return { leafIndexes: ids.map((id) => Number(id.split('_').at(-1))) };
}

describe('the enclave does not start', () => {
  test('with settings that are wrong, all of which it tells at once [vault.tee.providers]', async () => {
    const { code, stderr } = await enclaves.run(enclaves.newDir(), {
      TEE_PROVIDER: 'sgx',
      AUDIT_ORIGIN: 'a b',
      AUDIT_ANCHOR_ADDRESS: '0x12',
      LOG_LEVEL: 'loud',
    }).ended;
    expect(code).toBe(2);
    for (const name of ['TEE_PROVIDER', 'AUDIT_ORIGIN', 'AUDIT_ANCHOR_ADDRESS', 'LOG_LEVEL'])
      expect(stderr).toContain(`  ${name} must be`);
  });

  test.each([
    ['tdx', 'no quote of tdx: '],
    ['sev-snp', 'no quote of sev-snp: '],
    ['dstack', 'dstack'],
    ['gramine', 'no process under Gramine-SGX'],
    ['nitro', 'this is no Nitro enclave'],
  ])(
    'with the hardware of %s where there is none, and says so [vault.tee.providers]',
    async (provider, why) => {
      const { code, stderr } = await enclaves.run(enclaves.newDir(), { TEE_PROVIDER: provider }).ended;
      expect(code).toBe(1);
      expect(stderr).toContain(why);
    },
  );

  test('in production when it is simulated, unless that is allowed [vault.enclave.production]', async () => {
    const production = { NODE_ENV: 'production' };
    const { code, stderr } = await enclaves.run(enclaves.newDir(), production).ended;
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('must name hardware'),
    });
    const allowed = { ...production, ENCLAVE_ALLOW_SIMULATED_TEE: 'yes' };
    const enclave = await enclaves.start(enclaves.newDir(), allowed);
    expect(enclave.written()).toContain('SIMULATED');
  });

  test('on keys that another TEE sealed', async () => {
    const dir = enclaves.newDir();
    const first = await enclaves.start(dir);
    first.kill('SIGTERM');
    await first.ended;
    rmSync(join(dir, 'simulated-tee'));
    const { code, stderr } = await enclaves.run(dir).ended;
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('cannot be unsealed'),
    });
  });

  test('on a log older than its own checkpoint [vault.audit.rollback]', async () => {
    const dir = enclaves.newDir();
    const first = await enclaves.start(dir);
    const client = await enclaves.connect(first);
    const request = await sealedKey(client, 'x');
    await client.call('open', request);
    cpSync(join(dir, 'audit', 'segments'), join(dir, 'older'), { recursive: true });
    await client.call('open', request);
    first.kill('SIGTERM');
    await first.ended;
    rmSync(join(dir, 'audit', 'segments'), { recursive: true });
    cpSync(join(dir, 'older'), join(dir, 'audit', 'segments'), { recursive: true });

    const { code, stderr } = await enclaves.run(dir).ended;
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('AUDIT_ROLLBACK') });
  });
});

test('whoever talks nonsense to the socket is cut off, and the next one is served [vault.enclave.closed-commands]', async () => {
  const socket = createConnection(enclave.socket);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.on('error', () => {});
  socket.write('GET / HTTP/1.1\r\n\r\n');
  await closed;
  const client = await enclaves.connect(enclave);
  expect(await client.call('describe', {})).toMatchObject({ ok: true });
});

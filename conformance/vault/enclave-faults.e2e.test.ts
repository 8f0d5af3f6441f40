import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { publishRound } from '@countersign/audit-log/anchor/publish-round';
import { anchorChain } from '@countersign/audit-log/anchor/ethereum';
import { logIdOf } from '@countersign/audit-log/checkpoint';
import { startSystem } from '@countersign/local/system';
import type { EnclaveClient } from '@countersign/service/enclave-client';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, expect, test } from 'vitest';
import { sealedKey } from './fixtures/credentials.ts';
import { Enclaves } from './fixtures/enclave-process.ts';
import { coreOf } from './fixtures/processes.ts';

const enclaves = new Enclaves();
afterAll(() => enclaves.end());

type Opening = Awaited<ReturnType<typeof sealedKey>>;

/** Opens with 16 callers at once until `isOver`, or until the enclave is gone; what each attempt gave. */
async function openAll(
  client: EnclaveClient,
  request: Opening,
  isOver: (outcomes: readonly string[]) => boolean,
) {
  const outcomes: string[] = [];
  const caller = async () => {
    while (!isOver(outcomes)) {
      const opened = await client.call('open', request);
      outcomes.push(opened.ok ? opened.value.reply.auditId : opened.error.code);
    }
  };
  await Promise.allSettled(Array.from({ length: 16 }, caller));
  return outcomes;
}

async function idsInLog(client: EnclaveClient): Promise<Set<string>> {
  const ids = new Set<string>();
  for (let fromSeq = 1; ; fromSeq = ids.size + 1) {
    const answer = await client.call('audit.chain', { tenantId: 'acme', fromSeq, limit: 1000 });
    if (!answer.ok) throw new Error(answer.error.code);
    if (answer.value.reply.items.length === 0) return ids;
    for (const { auditId } of answer.value.reply.items) ids.add(auditId);
  }
}

/** No file of the process may grow beyond this: what a full disk does, for one process. Asked for as its own user. */
function limitFiles(pid: number, bytes: number | 'unlimited'): void {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const [uid = 0, gid = 0] = ['Uid', 'Gid'].map((name) =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]),
  );
  execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:unlimited`], { uid, gid });
}

test('a core killed amid openings has a record of each that it answered [vault.enclave.killed]', async () => {
  const dir = enclaves.newDir();
  const answered: string[] = [];
  let request: Opening | null = null;
  for (const after of [1, 30, 300]) {
    const enclave = await enclaves.start(dir);
    const client = await enclaves.connect(enclave);
    request ??= await sealedKey(client, 'k');
    const core = coreOf(enclave);
    const kill = (outcomes: readonly string[]): boolean => {
      if (outcomes.length >= after && client.connected()) process.kill(core, 'SIGKILL');
      return false;
    };
    answered.push(...(await openAll(client, request, kill)));
    enclave.kill('SIGTERM');
    await enclave.ended;
  }
  const client = await enclaves.connect(await enclaves.start(dir));
  const ids = await idsInLog(client);
  expect(answered.length).toBeGreaterThan(330);
  expect(answered.filter((id) => !ids.has(id))).toEqual([]);
});

test.runIf(process.platform === 'linux')(
  'on a full disk nothing is opened, and everything again when there is room [vault.audit.durable-first]',
  async () => {
    const enclave = await enclaves.start(enclaves.newDir());
    const client = await enclaves.connect(enclave);
    const request = await sealedKey(client, 'k');
    const limit = (bytes: number | 'unlimited') => limitFiles(coreOf(enclave), bytes);
    limit(20_000);
    const isRefused = (outcome: string) => outcome === 'AUDIT_UNAVAILABLE';
    const full = await openAll(client, request, (all) => all.filter(isRefused).length > 50);
    limit('unlimited');
    expect(await client.call('open', request)).toMatchObject({ ok: true });
    const ids = await idsInLog(client);
    const answered = full.filter((outcome) => !isRefused(outcome));
    expect(answered.filter((id) => !ids.has(id))).toEqual([]);
    expect(ids.size).toBe(answered.length + 1);
  },
);

test('an older copy of its whole directory does not start when the chain knows better, nor when it cannot be asked [vault.audit.rollback] [vault.enclave.chain-unreachable]', async () => {
  const system = await startSystem({
    dir: join(enclaves.root, 'system'),
    portBase: 0,
    env: process.env,
    only: ['chain'],
  });
  try {
    const { rpcUrl, anchorAddress, operator } = system.card;
    if (rpcUrl === null || anchorAddress === null) throw new Error('the chain is not up');
    const [dir, origin] = [enclaves.newDir(), 'vault.example/rollback'];
    const env = { EVM_RPC_URL: rpcUrl, AUDIT_ANCHOR_ADDRESS: anchorAddress, AUDIT_ORIGIN: origin };
    const first = await enclaves.start(dir, env);
    const client = await enclaves.connect(first);
    const request = await sealedKey(client, 'k');
    await client.call('open', request);
    const stop = async (enclave: typeof first) => {
      enclave.kill('SIGTERM');
      await enclave.ended;
    };
    await stop(first);
    cpSync(dir, `${dir}-older`, { recursive: true });

    const second = await enclaves.start(dir, env);
    await client.whenConnected();
    await client.call('open', request);
    const checkpoint = await client.call('audit.checkpoint', {});
    if (!checkpoint.ok) throw new Error(checkpoint.error.code);
    const { size, root } = checkpoint.value.reply;
    const chain = anchorChain({ rpcUrl, contract: anchorAddress }, privateKeyToAccount(operator.privateKey));
    const log = {
      head: async () => ({ origin, size, root: Buffer.from(root, 'base64') }),
      rootAt: async () => null,
    };
    await publishRound(log, chain, { logId: logIdOf(origin), flags: 1 }, 0);
    await stop(second);
    await stop(await enclaves.start(dir, env));

    rmSync(dir, { recursive: true });
    cpSync(`${dir}-older`, dir, { recursive: true });
    const { code, stderr } = await enclaves.run(dir, env).ended;
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('AUDIT_ROLLBACK') });

    const nobody = { ...env, EVM_RPC_URL: 'http://127.0.0.1:9' };
    const unasked = await enclaves.run(dir, nobody).ended;
    expect(unasked).toMatchObject({ code: 1, stderr: expect.stringContaining('cannot be compared') });
  } finally {
    await system.stop();
  }
});

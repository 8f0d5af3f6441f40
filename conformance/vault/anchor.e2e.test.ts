import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AnchorChain } from '@countersign/audit-log/anchor/anchor-chain';
import { anchorChain } from '@countersign/audit-log/anchor/ethereum';
import { newestRoot } from '@countersign/audit-log/anchor/newest-root';
import { type AnchoredLog, anchorFlags, publishRound } from '@countersign/audit-log/anchor/publish-round';
import { type PublisherState, startPublisher } from '@countersign/audit-log/anchor/publisher';
import { logIdOf } from '@countersign/audit-log/checkpoint';
import { localSigner, publicKeyText } from '@countersign/audit-log/keys';
import type { AuditLog } from '@countersign/audit-log/store/audit-log';
import { openAuditLog } from '@countersign/audit-log/store/open';
import { countersign } from '../fixtures/countersign.ts';
import { startSystem, type System } from '@countersign/local/system';
import { createTestClient, http, publicActions } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

const signer = localSigner(generateKeyPairSync('ed25519').privateKey);
const tee = { kind: 'simulated', trust: 'simulated' } as const;

let root: string;
let system: System;
let chain: AnchorChain;
let place: { rpcUrl: string; contract: `0x${string}` };
let node: ReturnType<typeof connect>;

const connect = (url: string) =>
  createTestClient({ mode: 'anvil', chain: { ...foundry, id: 84532 }, transport: http(url) }).extend(
    publicActions,
  );

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'audit-anchor-'));
  system = await startSystem({ dir: join(root, 'system'), portBase: 0, env: process.env, only: ['chain'] });
  const { rpcUrl, anchorAddress, operator } = system.card;
  if (rpcUrl === null || anchorAddress === null) throw new Error('the chain is not up');
  place = { rpcUrl, contract: anchorAddress };
  chain = anchorChain(place, privateKeyToAccount(operator.privateKey));
  node = connect(rpcUrl);
});
afterAll(async () => {
  await system?.stop();
  rmSync(root, { recursive: true, force: true });
});

let log: AuditLog;
let dir: string;
let origin: string;
let logs = 0;

beforeEach(async () => {
  logs += 1;
  dir = join(root, `log-${logs}`);
  origin = `log.example/${logs}`;
  log = await open();
});
afterEach(() => log.close());

async function open(anchored?: () => ReturnType<AnchorChain['latest']>): Promise<AuditLog> {
  const options = { dir, origin, tee, signer, now: Date.now, ...(anchored && { anchored }) };
  const opened = await openAuditLog(options);
  if (!opened.ok) throw new Error(opened.error.code);
  return opened.value;
}

async function append(count: number): Promise<void> {
  for (let n = 0; n < count; n += 1)
    await log.append({ tenantId: 'tnt_1', eventType: 'credential_access', actor: 'user:1', detail: { n } });
}

const about = () => ({ logId: logIdOf(origin), flags: anchorFlags(tee) });
const asked: AnchoredLog = { head: async () => log.head, rootAt: async (size) => log.rootAt(size) };
const round = (over: AnchorChain = chain) => publishRound(asked, over, about(), 0);

describe('a round of publishing', () => {
  test('brings the newest root and size on chain, marked as simulated [vault.anchor.simulated-flag]', async () => {
    await append(3);
    expect(await round()).toMatchObject({ kind: 'anchored', size: 3 });
    expect(await chain.latest(about().logId)).toEqual({ size: 3, root: log.head.root, flags: 1 });
    await append(2);
    const { transactionHash } = (await round()) as { transactionHash: string };
    expect(await chain.published(about().logId, 5)).toMatchObject({ root: log.rootAt(5), transactionHash });
  });

  test('of a log without news sends nothing', async () => {
    expect(await round()).toEqual({ kind: 'anchored', size: 0, transactionHash: null });
    await append(1);
    await round();
    expect(await round()).toEqual({ kind: 'anchored', size: 1, transactionHash: null });
  });

  test('stops at a root that is not the log’s: a fork, or a log that was rolled back', async () => {
    await append(4);
    await round();
    const short: AnchoredLog = {
      head: async () => ({ size: 2, root: Buffer.alloc(32) }),
      rootAt: async () => null,
    };
    expect(await publishRound(short, chain, about(), 0)).toMatchObject({ kind: 'diverged' });
    const fork: AnchoredLog = {
      head: async () => ({ size: 6, root: Buffer.alloc(32) }),
      rootAt: async () => Buffer.alloc(32),
    };
    expect(await publishRound(fork, chain, about(), 0)).toMatchObject({ kind: 'diverged' });
    expect((await chain.latest(about().logId))?.size).toBe(4);
  });

  test('publishes again what a reorganisation took away', async () => {
    await append(2);
    await round();
    const snapshot = await node.snapshot();
    await append(1);
    await round();
    await node.revert({ id: snapshot });
    expect((await chain.latest(about().logId))?.size).toBe(2);
    expect(await round()).toMatchObject({ size: 3, transactionHash: expect.any(String) });
    expect((await chain.latest(about().logId))?.root).toEqual(log.head.root);
  });

  test('takes the place of a transaction that nobody mines', async () => {
    await append(1);
    await node.setAutomine(false);
    try {
      const waiting = round().catch(() => null);
      await expect.poll(pendingHashes).toHaveLength(1);
      const [first] = await pendingHashes();
      await append(1);
      const second = publishRound(asked, chain, about(), 1);
      await expect.poll(pendingHashes).not.toEqual([first]);
      expect(await pendingHashes()).toHaveLength(1);
      await node.mine({ blocks: 1 });
      expect(await second).toMatchObject({ size: 2 });
      expect((await chain.latest(about().logId))?.size).toBe(2);
      await waiting;
    } finally {
      await node.setAutomine(true);
    }
  });

  const pendingHashes = async () =>
    Object.values((await node.getTxpoolContent()).pending).flatMap((byNonce) =>
      Object.values(byNonce).map(({ hash }) => hash),
    );

  test('by two at once harms nothing: one is refused and goes by what it finds', async () => {
    await append(1);
    const both = await Promise.allSettled([round(), round()]);
    expect(both.some(({ status }) => status === 'fulfilled')).toBe(true);
    expect(await round()).toMatchObject({ kind: 'anchored', size: 1, transactionHash: null });
  });
});

describe('the publisher', () => {
  test('retries through an outage of the chain, says so, and loses nothing', async () => {
    await append(3);
    const states: PublisherState[] = [];
    let isDown = true;
    const guarded: AnchorChain = {
      ...chain,
      latest: (logId) => (isDown ? Promise.reject(new Error('connect ECONNREFUSED')) : chain.latest(logId)),
    };
    const publisher = startPublisher({
      log: asked,
      chain: guarded,
      ...about(),
      intervalMs: 600_000,
      retryMs: 1,
      now: Date.now,
      onState: (state) => {
        states.push(state);
        isDown = states.length < 4;
      },
    });
    await expect.poll(() => publisher.state().kind).toBe('anchored');
    await publisher.stop();
    expect(states.map(({ kind }) => kind)).toEqual([
      'retrying',
      'retrying',
      'retrying',
      'retrying',
      'anchored',
    ]);
    expect(states[3]).toMatchObject({ attempts: 4, reason: 'connect ECONNREFUSED' });
    expect((await chain.latest(about().logId))?.size).toBe(3);
  });

  test('publishes what came meanwhile at each interval, and ends when it is stopped', async () => {
    await append(1);
    const sizes: number[] = [];
    const publisher = startPublisher({
      log: asked,
      chain,
      ...about(),
      intervalMs: 20,
      retryMs: 20,
      now: Date.now,
      onState: (state) => state.kind === 'anchored' && sizes.push(state.size),
    });
    await expect.poll(() => sizes.at(-1)).toBe(1);
    await append(2);
    await expect.poll(() => sizes.at(-1)).toBe(3);
    await publisher.stop();
    expect((await chain.latest(about().logId))?.size).toBe(3);
  });
});

test('a log whose newest records are gone does not open when their root is on chain', async () => {
  await append(2);
  await log.close();
  const kept = join(root, 'kept');
  cpSync(dir, kept, { recursive: true });
  log = await open();
  await append(1);
  await round();
  await log.close();
  rmSync(dir, { recursive: true });
  cpSync(kept, dir, { recursive: true });

  const anchored = () => chain.latest(about().logId);
  await expect(open(anchored)).rejects.toThrow('AUDIT_ROLLBACK');
});

describe('audit verify --rpc', () => {
  const verify = async (file: string, ...chosen: readonly string[]) => {
    const options = chosen.length > 0 ? chosen : ['--rpc', place.rpcUrl, '--anchor', place.contract];
    const key = publicKeyText(signer.publicKey);
    const { command, args } = countersign('audit', 'verify', file, '--key', key, ...options);
    return new Promise<{ code: number; stdout: string }>((resolve) => {
      execFile(command, [...args], (error, stdout) =>
        resolve({ code: error === null ? 0 : Number(error.code), stdout }),
      );
    });
  };
  const exportTo = async (): Promise<string> => {
    const lines: string[] = [];
    const onChain = await newestRoot(place, about().logId, expect.unreachable);
    for await (const line of log.exportLines('tnt_1', null, onChain)) lines.push(`${line}\n`);
    const file = join(root, `export-${logs}.jsonl`);
    writeFileSync(file, lines.join(''));
    return file;
  };

  test('finds the root of an export on chain, or says what is missing [vault.audit.cli.verify]', async () => {
    await append(2);
    const before = await verify(await exportTo());
    expect(before).toMatchObject({ code: 2, stdout: expect.stringContaining('missing no root of') });
    const { transactionHash } = (await round()) as { transactionHash: string };
    const after = await verify(await exportTo());
    expect(after).toMatchObject({ code: 3, stdout: expect.stringContaining(transactionHash) });
    await append(1);
    const newer = await verify(await exportTo());
    expect(newer).toMatchObject({ code: 3, stdout: expect.stringContaining(transactionHash) });
    expect(newer.stdout).toContain('the newest records came after that root');
  });

  test('tells a fork from what is on chain', async () => {
    await append(2);
    const { logId, flags } = about();
    const other = { size: 2, root: Buffer.alloc(32, 7), flags };
    await chain.publish({ ...other, logId, prevRoot: Buffer.alloc(32) }, 0);
    expect(await verify(await exportTo())).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('BAD     the chain has another root of 2 records'),
    });
  });

  test('says when the chain cannot be asked', async () => {
    await append(1);
    const said = await verify(await exportTo(), '--rpc', 'http://127.0.0.1:9', '--anchor', place.contract);
    expect(said).toMatchObject({
      code: 2,
      stdout: expect.stringContaining('the chain could not be queried'),
    });
  });
});

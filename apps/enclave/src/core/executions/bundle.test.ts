import { readPublicKey } from '@countersign/audit-log/keys';
import { verifyBundle } from '@countersign/audit-log/verify/bundle';
import { verdictOf } from '@countersign/audit-log/verify/report';
import type { CommandRequest } from '@countersign/protocol/enclave/commands';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningCore, startOnSocket } from '../../../test/core-on-socket.ts';
import { completed, minted, paramsText, runOf } from '../../../test/executions.ts';

let core: RunningCore;
beforeAll(async () => {
  core = await startOnSocket({ runConnector: () => Promise.resolve(completed({ ok: true })) });
});
afterAll(() => core.stop());

async function ranOnce(tenant = 'acme'): Promise<string> {
  const { token, claims } = await minted(core.client, { sub: { tenant, agent: 'agent', user: 'user' } });
  const answer = await core.client.call('control.run', runOf(claims, token), Buffer.from(paramsText));
  const ended = answer.ok ? answer.value.reply.ended : null;
  if (ended === null) throw new Error('it did not end');
  return ended.auditId;
}

type Anchor = CommandRequest<'control.bundle'>['anchor'];

async function bundled(auditIds: string[], anchor: Anchor = null) {
  const answer = await core.client.call('control.bundle', { tenantId: 'acme', auditIds, anchor });
  return answer.ok ? answer.value.body.toString() : answer.error.code;
}

/** The root of now, as if it were on chain. */
async function onChain(about: Partial<NonNullable<Anchor>> = {}): Promise<NonNullable<Anchor>> {
  const head = await core.client.call('audit.checkpoint', {});
  if (!head.ok) throw new Error(head.error.code);
  return {
    chainId: 84_532,
    contract: `0x${'ab'.repeat(20)}`,
    size: head.value.reply.size,
    root: `0x${Buffer.from(head.value.reply.root, 'base64').toString('hex')}`,
    flags: 1,
    transactionHash: `0x${'cd'.repeat(32)}`,
    blockNumber: 7,
    ...about,
  };
}

test('a bundle is checked with no help from outside; one changed byte is found [control-plane.audit.proof-bundle] [control-plane.audit.proof-bundle.verify]', async () => {
  const ids = [await ranOnce(), await ranOnce()];
  const text = await bundled(ids);
  const report = verifyBundle(text, []);
  expect(verdictOf(report)).toBe('simulated');
  expect(report.steps.map(({ what }) => what).join('\n')).toContain('receipts of executions, 2 of them');
  const described = await core.client.call('describe', {});
  const key = readPublicKey(described.ok ? described.value.reply.auditPublicKey : '');
  if (key === null) throw new Error('no key');
  expect(verdictOf(verifyBundle(text, [key]))).toBe('simulated');
  for (let at = 0; at < text.length; at += 97) {
    const changed = Buffer.from(text);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(verdictOf(verifyBundle(changed.toString(), [key]))).toBe('bad');
  }
});

test('the newest root on chain stands in it where it is this log’s and contains the records [control-plane.audit.proof-bundle.anchor]', async () => {
  const first = await ranOnce();
  const anchor = await onChain();
  const second = await ranOnce();
  const anchorIn = async (ids: string[], given: Anchor) =>
    (JSON.parse(await bundled(ids, given)) as { anchor: { size: number } | null }).anchor;

  const text = await bundled([first], anchor);
  expect(verdictOf(verifyBundle(text, []))).toBe('simulated');
  expect(await anchorIn([first], anchor)).toMatchObject({
    size: anchor.size,
    root: anchor.root,
    blockNumber: 7,
  });
  expect(await anchorIn([first, second], anchor)).toBeNull();
  expect(await anchorIn([first], await onChain({ root: anchor.root }))).toBeNull();
  expect(await anchorIn([first], { ...anchor, size: 10_000 })).toBeNull();
});

test('across a change of the log’s key a bundle is good for whoever trusts the old one or the new [vault.audit.cli.rotated]', async () => {
  const keyNow = async () => {
    const described = await core.client.call('describe', {});
    const key = readPublicKey(described.ok ? described.value.reply.auditPublicKey : '');
    if (key === null) throw new Error('no key');
    return key;
  };
  const [old, before] = [await keyNow(), await ranOnce()];
  await core.client.call('rotateAuditKey', {});
  const [young, after] = [await keyNow(), await ranOnce()];
  for (const text of [await bundled([before]), await bundled([after]), await bundled([before, after])])
    for (const trusted of [[old], [young], []])
      expect(verdictOf(verifyBundle(text, trusted))).toBe('simulated');
});

test('records of another tenant, or none, are in no bundle', async () => {
  const own = await ranOnce();
  const other = await ranOnce('other');
  expect(await bundled([own, other])).toBe('NOT_FOUND');
  expect(await bundled(['aud_00000000_0'])).toBe('NOT_FOUND');
});

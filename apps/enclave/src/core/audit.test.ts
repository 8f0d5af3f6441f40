import { leafHash } from '@countersign/audit-log/tree-hash';
import { rootFromInclusion } from '@countersign/audit-log/proof';
import { readTlogProof } from '@countersign/audit-log/tlog-proof';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningCore, startOnSocket } from '../../test/core-on-socket.ts';
import { bindingOf, opened, sealed } from '../../test/credentials.ts';

let core: RunningCore;
beforeAll(async () => {
  core = await startOnSocket();
  for (const tenantId of ['acme', 'globex', 'acme', 'acme'])
    await opened(core.client, await sealed(core.client, { binding: bindingOf({ tenantId }) }));
});
afterAll(() => core.stop());

async function chainOf(tenantId: string, fromSeq = 1, limit = 1000) {
  const answer = await core.client.call('audit.chain', { tenantId, fromSeq, limit });
  if (!answer.ok) throw new Error(answer.error.code);
  return answer.value.reply.items;
}

test('a tenant’s chain is given oldest first, from any place, as many as asked for', async () => {
  expect((await chainOf('acme')).map(({ seq }) => seq)).toEqual([1, 2, 3]);
  expect((await chainOf('acme', 2, 1)).map(({ seq }) => seq)).toEqual([2]);
  expect(await chainOf('acme', 4)).toEqual([]);
  expect(await chainOf('nobody')).toEqual([]);
});

test('a record verifies, and its proof leads to the root of the checkpoint', async () => {
  const [record] = await chainOf('globex');
  if (record === undefined) throw new Error('no record');
  const { tenantId, auditId } = record;
  const verified = await core.client.call('audit.verify', { tenantId, auditId });
  expect(verified).toMatchObject({
    value: { reply: { auditId, signatureValid: true, chainHashValid: true, merklePathValid: true } },
  });
  const answer = await core.client.call('audit.proof', { tenantId, auditId });
  const head = await core.client.call('audit.checkpoint', {});
  if (!answer.ok || !head.ok) throw new Error('no proof');
  const proof = readTlogProof(answer.value.reply.proof);
  const leaf = leafHash(String(proof?.extra));
  const root = rootFromInclusion(leaf, proof?.index ?? 0, head.value.reply.size, proof?.path ?? []);
  expect(Buffer.from(root ?? []).toString('base64')).toBe(head.value.reply.root);
  expect(await core.client.call('audit.root', { size: 4 })).toMatchObject({
    value: { reply: { root: head.value.reply.root } },
  });
});

test('records of another tenant are not found, nor sizes that the log never had', async () => {
  const [record] = await chainOf('globex');
  const another = { tenantId: 'acme', auditId: record?.auditId ?? '' };
  const notFound = { ok: false, error: { code: 'NOT_FOUND' } };
  expect(await core.client.call('audit.verify', another)).toEqual(notFound);
  expect(await core.client.call('audit.proof', another)).toEqual(notFound);
  expect(await core.client.call('audit.consistency', { from: 2, to: 5 })).toEqual(notFound);
  expect(await core.client.call('audit.root', { size: 5 })).toEqual(notFound);
  expect(await core.client.call('audit.consistency', { from: 2, to: 4 })).toMatchObject({ ok: true });
});

test('the head of a tenant is signed, and a filter by no date is refused', async () => {
  const head = await core.client.call('audit.head', { tenantId: 'acme', anchor: null });
  expect(head).toMatchObject({
    value: {
      reply: { records: 3, lastLine: expect.stringContaining('"tenantHead":{"tenantId":"acme","seq":3,') },
    },
  });
  const filter = { tenantId: 'acme', from: 'yesterday' };
  expect(await core.client.call('audit.query', { filter, limit: 1, offset: 0 })).toEqual({
    ok: false,
    error: { code: 'INVALID_COMMAND' },
  });
});

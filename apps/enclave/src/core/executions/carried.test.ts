import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isEndorsed, readActionKey, readStatement } from '@countersign/audit-log/action-statement';
import { readPublicKey } from '@countersign/audit-log/keys';
import type { ActionTokenClaims } from '@countersign/protocol/control/execution';
import type { EnclaveClient } from '@countersign/service/enclave-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningCore, startOnSocket } from '../../../test/core-on-socket.ts';
import { completed, minted, paramsText, runOf } from '../../../test/executions.ts';
import type { Run, RunConnector } from '../connector-runs/connector.ts';
import { TokensUnderWay } from './tokens-under-way.ts';

const dir = mkdtempSync(join(tmpdir(), 'carried-'));
let core: RunningCore;
let connector: RunConnector;
const start = () => startOnSocket({ dir, runConnector: (run) => connector(run) });
beforeAll(async () => {
  core = await start();
});
afterAll(async () => {
  await core.stop();
  rmSync(dir, { recursive: true, force: true });
});

async function isUnderWay(token: string): Promise<boolean> {
  const answer = await core.client.call('control.readToken', { tenantId: 'acme', token });
  if (!answer.ok) throw new Error(answer.error.code);
  return answer.value.reply.underWay;
}

async function keyOf(client: EnclaveClient) {
  const answer = await client.call('control.actionKey', {});
  if (!answer.ok) throw new Error(answer.error.code);
  return answer.value.reply;
}

/** What a run was given for its service. */
async function ran(token: string, claims: ActionTokenClaims): Promise<Run> {
  const runs: Run[] = [];
  connector = async (run) => {
    runs.push(run);
    expect(await isUnderWay(token)).toBe(false);
    expect(await run.carry(() => isUnderWay(token))).toBe(true);
    await expect(run.carry(() => Promise.reject(new Error('cut')))).rejects.toThrow('cut');
    expect(await isUnderWay(token)).toBe(false);
    return completed({});
  };
  const answer = await core.client.call('control.run', runOf(claims, token), Buffer.from(paramsText));
  expect(answer).toMatchObject({ ok: true, value: { reply: { ended: { status: 'completed' } } } });
  const [run] = runs;
  if (run === undefined) throw new Error('nothing ran');
  return run;
}

test('a token is under way exactly while a request carries it [control-plane.action-token.verify]', async () => {
  const { token, claims } = await minted(core.client);
  expect(await isUnderWay(token)).toBe(false);
  await ran(token, claims);
  expect(await isUnderWay(token)).toBe(false);
});

test('a token that two requests carry is under way until both are over', async () => {
  const tokens = new TokensUnderWay();
  let endFirst = () => {};
  const first = tokens.carry('one', () => new Promise<void>((resolve) => (endFirst = resolve)));
  await tokens.carry('one', () => Promise.resolve());
  expect([tokens.has('one'), tokens.has('another')]).toEqual([true, false]);
  endFirst();
  await first;
  expect(tokens.has('one')).toBe(false);
});

test('a statement says what the token does but who asked, under a key that the audit key endorses and a restart keeps [control-plane.action-token.statement] [control-plane.action-token.key]', async () => {
  const { token, claims } = await minted(core.client, { risk_tier: 'high' });
  const { statement } = await ran(token, claims);
  const told = await keyOf(core.client);
  const key = readActionKey(told.publicKey);
  const auditKey = readPublicKey(told.auditPublicKey);
  if (key === null || auditKey === null) throw new Error('there is no key');
  const { sub: _, risk_tier: __, ...said } = claims;
  expect(readStatement(statement, key)).toEqual(said);
  expect(readStatement(statement, auditKey)).toBeNull();
  expect(readStatement(token, key)).toBeNull();
  expect(isEndorsed(told.publicKey, told.signature, auditKey)).toBe(true);
  expect(isEndorsed(`${told.publicKey}A`, told.signature, auditKey)).toBe(false);
  expect(isEndorsed(told.publicKey, told.signature, key)).toBe(false);
  for (const other of ['', 'k4.public.', told.publicKey.replace('public', 'secret'), `${told.publicKey}=`])
    expect(readActionKey(other)).toBeNull();

  expect(await core.client.call('rotateAuditKey', {})).toMatchObject({ ok: true });
  await core.stop();
  core = await start();
  const after = await keyOf(core.client);
  expect(after.publicKey).toBe(told.publicKey);
  expect(after.auditPublicKey).not.toBe(told.auditPublicKey);
  const newAuditKey = readPublicKey(after.auditPublicKey);
  expect(newAuditKey !== null && isEndorsed(after.publicKey, after.signature, newAuditKey)).toBe(true);
  expect(await isUnderWay(token)).toBe(false);
});

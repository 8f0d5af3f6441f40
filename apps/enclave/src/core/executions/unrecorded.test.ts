import { generateKeyPairSync } from 'node:crypto';
import { localSigner } from '@countersign/audit-log/keys';
import { fail, ok } from '@countersign/protocol/result';
import type { AuditRecord, RecordDraft } from '@countersign/protocol/vault/audit-record';
import { beforeEach, expect, test } from 'vitest';
import { claimsOf, completed, concludeOf, digestOf, paramsText, runOf } from '../../../test/executions.ts';
import type { RunEnd } from '../connector-runs/connector.ts';
import { mintToken } from './action-token.ts';
import { Executions } from './executions.ts';

/** Event types that cannot be written. */
let unwritable: string[] = [];
let written: string[] = [];
let ran = 0;
let connect: (signal: AbortSignal) => Promise<RunEnd>;
let executions: Executions;
let clock = 0;

const signer = localSigner(generateKeyPairSync('ed25519').privateKey);
const parts = {
  keys: { tokenKey: Buffer.alloc(32, 7) },
  origin: 'log.example',
  measurement: 'sim:00',
  signer,
  actionSigner: signer,
  now: () => clock,
  warn: () => {},
  audit: {
    append: ({ eventType }: RecordDraft) => {
      if (unwritable.includes(eventType))
        return Promise.resolve(fail({ code: 'AUDIT_UNAVAILABLE', reason: 'full' } as const));
      written.push(eventType);
      return Promise.resolve(ok({ auditId: `aud_${written.length}` } as AuditRecord));
    },
  },
  connect: (_: unknown, _params: unknown, signal: AbortSignal) => {
    ran += 1;
    return connect(signal);
  },
};
beforeEach(() => {
  [unwritable, written, ran, clock] = [[], [], 0, Date.parse('2026-11-22T10:00:00.000Z')];
  connect = () => Promise.resolve(completed({ id: 1 }));
  executions = new Executions(parts);
});

const unavailable = { ok: false, error: { code: 'AUDIT_UNAVAILABLE' } };
const heard = new AbortController().signal;

function asked(about: Parameters<typeof runOf>[2] = {}) {
  const claims = claimsOf();
  const request = runOf(claims, mintToken(parts, claims).token, about);
  return { request, run: () => run(request) };
}
const run = (request: ReturnType<typeof runOf>) =>
  executions.run(
    { ...request, connector: { type: 'http', definition: {} }, paramsHash: digestOf(paramsText) },
    {},
    heard,
  );

test('what cannot be recorded does not run', async () => {
  unwritable = ['execution_started'];
  expect(await asked().run()).toEqual(unavailable);
  expect({ ran, written }).toEqual({ ran: 0, written: [] });
});

test('an end that cannot be recorded is not answered; once it can be, it is told as it was', async () => {
  unwritable = ['execution_ended'];
  const { request, run: begin } = asked();
  expect(await begin()).toEqual(unavailable);
  expect(await executions.conclude(concludeOf(request), heard)).toEqual(unavailable);
  unwritable = [];
  clock += 1000;
  const told = await executions.conclude(concludeOf(request), heard);
  expect(told).toMatchObject({
    ok: true,
    value: {
      auditId: 'aud_2',
      proof: { receipt: { status: 'completed', ended_at: '2026-11-22T10:00:00.000Z' } },
    },
  });
  expect(await executions.conclude(concludeOf(request), heard)).toEqual(told);
  expect({ ran, written }).toEqual({ ran: 1, written: ['execution_started', 'execution_ended'] });
});

test('a refused token whose attempt cannot be recorded is not answered either', async () => {
  unwritable = ['policy_rejected'];
  const { request } = asked();
  expect(await run({ ...request, action: 'other' })).toEqual(unavailable);
});

test('an end is forgotten after 15 minutes, and is another tenant’s never', async () => {
  const { request, run: begin } = asked();
  expect(await begin()).toMatchObject({ ok: true });
  const other = await executions.conclude({ ...concludeOf(request), tenantId: 'other' }, heard);
  expect(other).toMatchObject({ value: { proof: { receipt: { status: 'outcome_unknown' } } } });
  const known = await executions.conclude(concludeOf(request), heard);
  expect(known).toMatchObject({ value: { proof: { receipt: { status: 'completed' } } } });
  clock += 15 * 60_000;
  const late = await executions.conclude(concludeOf(request), heard);
  expect(late).toMatchObject({ value: { proof: { receipt: { status: 'outcome_unknown' } } } });
});

test('when the enclave ends, what runs is ended and told', async () => {
  let hasBegun = () => {};
  const begun = new Promise<void>((resolve) => {
    hasBegun = resolve;
  });
  connect = async (signal) => {
    hasBegun();
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    const problem = { code: 'connector_crashed', message: 'It was ended.' } as const;
    return { ended: 'failed', problem, sandbox: null, durationMs: 0 };
  };
  const one = asked().run();
  await begun;
  await executions.stop();
  expect(written).toEqual(['execution_started', 'execution_ended']);
  expect(await one).toMatchObject({ value: { proof: { receipt: { status: 'failed' } } } });
  const again = asked({ safeToRetry: true }).run();
  await new Promise(setImmediate);
  await executions.stop();
  expect(await again).toEqual(ok(null));
});

import { randomUUID } from 'node:crypto';
import { fail, ok } from '@countersign/protocol/result';
import type { Operation } from '@countersign/protocol/vault/operation';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fillPassword, login, type OneSession, passwordField, Sandbox } from '../../../test/sandbox.ts';

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await Sandbox.start();
});
afterEach(() => sandbox.stop());

const owner = 'user:owner';

/** Asks for an operation that then waits for a person. */
async function waiting(session: OneSession, operation: Operation): Promise<string> {
  const answer = await session.operate(operation);
  expect(answer).toMatchObject({ status: 'pending_approval', review: { verdict: 'ask' } });
  return answer.operation_id;
}

const script = { operation_type: 'execute_script', value: 'return document.title;' } as const;

test('with approval human a script waits, and runs when a person agrees [vault.sandbox.approval.human] [vault.sandbox.approval.decide] [vault.audit.event.human-approval-requested] [vault.audit.event.human-approval-received]', async () => {
  const session = await sandbox.open({ approval: 'human' });
  const operationId = await waiting(session, script);
  expect(session.browser.done).toEqual([]);
  expect((await session.state()).pending).toEqual([operationId]);
  session.browser.result = ok('Orders');
  const decided = await session.ask('session.decide', { operationId, decision: 'approve' }, owner);
  expect(decided).toMatchObject({
    value: { reply: { operation: { status: 'executed', result: 'Orders' }, session: { pending: [] } } },
  });
  expect(session.told()).toEqual([
    'session_initiated',
    'human_approval_requested',
    'human_approval_received',
    'sandbox_operation intent',
    'sandbox_operation outcome',
    'content_left',
  ]);
  const [, requested, received, intent] = sandbox.records(session.id);
  expect([requested?.actor, received?.actor, intent?.actor]).toEqual(['token:agent', owner, 'token:agent']);
  expect(intent?.detail).toMatchObject({ approvedBy: owner });
});

test('a script that acts runs when a person has agreed to it, each time, and the record says who and what [vault.review.script.acts]', async () => {
  const { named } = sandbox.credential('username_password', login);
  const session = await sandbox.open({ credentials: [named] });
  const acting = {
    operation_type: 'execute_script',
    value: "document.querySelector('#go').click()",
  } as const;
  for (let time = 0; time < 2; time++) {
    const operationId = await waiting(session, acting);
    expect(session.browser.done).toHaveLength(time);
    await session.ask('session.decide', { operationId, decision: 'approve' }, owner);
    expect(session.browser.done).toHaveLength(time + 1);
    const intent = sandbox.records(session.id).findLast(({ detail }) => detail['phase'] === 'intent');
    expect(intent?.detail).toMatchObject({
      approvedBy: owner,
      facts: { script: { kind: 'acts', acts: [{ what: 'click', line: 1, instead: 'click' }] } },
    });
  }
});

test('what a person rejects is not done, and is decided once', async () => {
  const session = await sandbox.open({ approval: 'human' });
  const operationId = await waiting(session, script);
  const reject = () => session.ask('session.decide', { operationId, decision: 'reject' }, owner);
  expect(await reject()).toMatchObject({ value: { reply: { operation: { status: 'rejected' } } } });
  expect(await reject()).toEqual(fail({ code: 'INVALID_COMMAND', field: 'operationId' }));
  expect(session.browser.done).toEqual([]);
  expect(session.told().at(-1)).toBe('human_approval_received');
});

test('when the page is another than the one that a person agreed to, it is rejected', async () => {
  const { stored, named } = sandbox.credential('username_password', login);
  const session = await sandbox.open({ approval: 'human', credentials: [named] });
  const changes = [
    () => void (session.browser.url = 'https://shop.example/other'),
    () => void (session.browser.target = { ...passwordField, names: ['New password'] }),
    () => void (session.browser.target = { ...passwordField, names: ['Comment'] }),
    () => void (session.browser.target = null),
  ];
  for (const change of changes) {
    [session.browser.url, session.browser.target] = ['https://shop.example/login', passwordField];
    const operationId = await waiting(session, fillPassword);
    change();
    const decision = { operationId, decision: 'approve', credential: stored } as const;
    const decided = await session.ask('session.decide', decision, owner);
    const operation = decided.ok ? decided.value.reply.operation : null;
    expect(operation?.status).toBe('rejected');
    expect(operation?.review.rules.map(({ rule }) => rule)).toContain('approval.page-changed');
  }
  expect(session.browser.done).toEqual([]);
  expect(session.told()).not.toContain('credential_access');
});

test('what the agent did meanwhile without being asked voids what a person agreed to, but for a fill [vault.sandbox.approval.same-page]', async () => {
  const { stored, named } = sandbox.credential('username_password', login);
  const session = await sandbox.open({ approval: 'human', credentials: [named] });
  const meanwhile = { operation_type: 'press', value: 'a' } as const;
  const decide = async (operationId: string, credential?: typeof stored) => {
    const decided = await session.ask(
      'session.decide',
      { operationId, decision: 'approve', ...(credential && { credential }) },
      owner,
    );
    return decided.ok ? decided.value.reply.operation : null;
  };
  const first = await waiting(session, script);
  const second = await waiting(session, script);
  expect(await decide(first)).toMatchObject({ status: 'executed' });
  expect(await session.operate(meanwhile)).toMatchObject({ status: 'executed' });
  expect(await decide(second)).toMatchObject({ status: 'rejected' });
  // A menu unfolds under a pointer.
  const third = await waiting(session, script);
  const hover = { operation_type: 'hover', selector: '#menu' } as const;
  expect(await session.operate(hover)).toMatchObject({ status: 'executed' });
  expect(await decide(third)).toMatchObject({ status: 'rejected' });
  session.browser.target = passwordField;
  const filled = await waiting(session, fillPassword);
  expect(await session.operate(meanwhile)).toMatchObject({ status: 'executed' });
  expect(await decide(filled, stored)).toMatchObject({ status: 'executed' });
});

test('an approved fill opens the credential as it is stored by then', async () => {
  const { stored, named } = sandbox.credential('username_password', login);
  const session = await sandbox.open({ approval: 'human', credentials: [named] });
  session.browser.target = passwordField;
  const operationId = await waiting(session, fillPassword);
  const moved = { ...stored, binding: { ...stored.binding, version: 9 } };
  const decide = (credential: typeof stored) =>
    session.ask('session.decide', { operationId, decision: 'approve', credential }, owner);
  expect(await decide(moved)).toEqual(fail({ code: 'CANNOT_DECRYPT' }));
  expect(await decide(stored)).toMatchObject({ value: { reply: { operation: { status: 'executed' } } } });
  expect(session.browser.done).toEqual([`fill ${login.password}`]);
});

test('a decision that cannot be recorded decides nothing', async () => {
  const session = await sandbox.open({ approval: 'human' });
  const operationId = await waiting(session, script);
  sandbox.isDiskFull = true;
  const decision = { operationId, decision: 'approve' } as const;
  expect(await session.ask('session.decide', decision, owner)).toEqual(fail({ code: 'AUDIT_UNAVAILABLE' }));
  expect(session.browser.done).toEqual([]);
  sandbox.isDiskFull = false;
  expect((await session.state()).pending).toEqual([operationId]);
});

test('with approval auto the rules ask, with never they reject instead [vault.sandbox.approval.auto] [vault.sandbox.approval.never]', async () => {
  const statuses: string[] = [];
  for (const approval of ['auto', 'never'] as const) {
    const session = await sandbox.open({ approval });
    session.browser.reading = { nodes: 10_000, characters: 10 };
    const answer = await session.operate({ operation_type: 'extract', selector: 'body' });
    statuses.push(answer.status);
  }
  expect(statuses).toEqual(['pending_approval', 'rejected']);
});

test('no more than so many wait', async () => {
  const session = await sandbox.open({ approval: 'human' });
  for (let i = 0; i < 32; i++) await waiting(session, script);
  const answer = await session.operate(script, undefined, randomUUID());
  expect(answer.review.rules.map(({ rule }) => rule)).toContain('approval.too-many');
});

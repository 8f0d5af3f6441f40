import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Approvers, withApprovers } from '../control-plane/fixtures/approvers.ts';
import { callsTo } from '../control-plane/fixtures/calls.ts';
import { violations } from './fixtures/accessible.ts';
import { signIn, startConsole, type TestConsole, type Visit } from './fixtures/console.ts';
import { expectKeyboardReachesAll } from './fixtures/keyboard.ts';
import { expectAccessible } from './fixtures/looks.ts';

let system: TestConsole;
let world: Approvers;
let visit: Visit;
let wallet: string;
let [cfo, ceo] = ['', ''];
beforeAll(async () => {
  system = await startConsole({ only: ['accounts', 'control plane'] });
  world = await withApprovers(callsTo(system.card), system.card.databaseUrl ?? '');
  [cfo, ceo] = await Promise.all([world.newKey('approver', 'cfo'), world.newKey('approver', 'ceo')]);
  const owner = await system.newOwner();
  wallet = owner.testWallet.account.address;
  visit = await system.visit({ wallet: owner.testWallet });
  await signIn(visit);
});
afterAll(async () => {
  await world?.database.end();
  await system?.stop();
});

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const goTo = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).first().getByRole('link', { name, exact: true }).click();

async function showKey(page: Page, key: string): Promise<void> {
  await page.getByLabel('Approver key').fill(key);
  await press(page, 'Use key');
}

/** An action that waits for a person: its id. */
async function waiting(hitl: object = {}, params: object = { amount: 100 }): Promise<string> {
  return (await world.request(await world.newPolicy(hitl), { params })).data.execution_id;
}

test('the dashboard hands on what these pages ask, with the caller’s own key alone, and nothing else [control-plane.console.relay]', async () => {
  const ask = (method: string, path: string, headers: object = {}, body?: string) =>
    fetch(new URL(`/control${path}`, system.card.dashboardUrl ?? ''), {
      method,
      headers: { ...headers },
      ...(body !== undefined && { body }),
    });
  const key = { authorization: `Bearer ${cfo}` };
  const json = { ...key, 'content-type': 'application/json' };
  const list = await ask('GET', '/v1/executions?limit=1', key);
  expect([list.status, list.headers.get('content-type'), list.headers.get('cache-control')]).toEqual([
    200,
    'application/json',
    'no-store',
  ]);
  expect(await list.json()).toMatchObject({ items: [], total: 0 });
  const refusals = [
    [await ask('GET', '/v1/executions'), 401, 'unauthorized'],
    [await ask('GET', '/v1/executions', { authorization: 'Basic YTpi' }), 401, 'unauthorized'],
    [await ask('GET', '/v1/executions', { authorization: 'Bearer csk_approver_none' }), 401, 'unauthorized'],
    [await ask('POST', '/v1/executions', json, '{}'), 405, 'method_not_allowed'],
    [await ask('POST', '/v1/vault/credentials', json, '{}'), 405, 'method_not_allowed'],
    [await ask('GET', '/v1/connectors', key), 404, 'not_found'],
    [await ask('GET', '/v1/executions/../audit/records', key), 404, 'not_found'],
    [await ask('GET', '/metrics', key), 404, 'not_found'],
    [await ask('POST', '/v1/batch-authorizations', key, '{}'), 415, 'unsupported_media_type'],
    [await ask('POST', '/v1/batch-authorizations', json, '{}'), 400, 'invalid_request'],
    [await ask('POST', '/v1/batch-authorizations', json, ' '.repeat(3_000_000)), 413, 'payload_too_large'],
  ] as const;
  for (const [answer, status, code] of refusals) {
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect([answer.status, await answer.json()]).toEqual([status, expect.objectContaining({ status, code })]);
  }
});

test('an approver’s key is asked for, stays in the page’s memory, and is gone with it [control-plane.console.key] [control-plane.console.waiting-count]', async () => {
  const { page, context } = visit;
  const elsewhere = page.getByRole('region', { name: 'Waiting for you' });
  await elsewhere.getByRole('listitem').getByText('enter your key to view').waitFor();
  await elsewhere.getByRole('link', { name: 'Actions' }).click();
  await page.getByRole('heading', { name: 'Enter your approver key' }).waitFor();
  await expectAccessible(page, 'Actions-key');
  await showKey(page, 'csk_service_abc');
  await page.getByText('An approver’s key begins with csk_approver_.').waitFor();
  await showKey(page, 'csk_approver_nobody');
  await page.getByText('The key is unknown or revoked.').waitFor();
  visit.faults.length = 0;
  await showKey(page, cfo);
  await page.getByText('No actions are waiting').waitFor();
  await expectAccessible(page, 'Actions-empty');
  const kept = await page.evaluate<string>(
    'JSON.stringify([localStorage, sessionStorage, document.cookie, location.href])',
  );
  expect(kept + JSON.stringify(await context.cookies())).not.toContain(cfo.slice(14, 30));
  await page.reload();
  await page.getByRole('heading', { name: 'Enter your approver key' }).waitFor();
});

test('what waits appears by itself with all that a decision needs; a keyboard reaches everything [control-plane.console.actions] [dashboard.console.keyboard]', async () => {
  const { page } = visit;
  await showKey(page, cfo);
  await page.getByText('No actions are waiting').waitFor();
  const id = await waiting({ approvers: ['cfo', 'ceo'], quorum: 2, timeout_seconds: 900 });
  const card = page.getByRole('article', { name: 'pay' });
  await card.getByText('at bank, for ann').waitFor();
  await card.getByRole('region', { name: 'Parameters' }).getByText('"amount": 100').waitFor();
  for (const told of ['0 of 2 approvals', 'limit', 'version 1', 'cfo, ceo'])
    await card.getByText(told).waitFor();
  await card.getByText(/1[45]:\d\d left/).waitFor();
  await expectAccessible(page, 'Actions-waiting');
  await page.evaluate('document.body.tabIndex = -1, document.body.focus()');
  await expectKeyboardReachesAll(page);
  await press(page, 'Approve');
  await expectAccessible(page, 'Approve action');
  await page.getByLabel('Comment').fill('as agreed with Ann');
  await press(page, 'Approve action');
  await card.getByText('1 of 2 approvals').waitFor();
  await press(page, 'Approve');
  await press(page, 'Approve action');
  await page.getByText('This key or this wallet has already decided.').waitFor();
  await press(page, 'Not now');
  visit.faults.length = 0;
  await world.decide(ceo, id);
  await page.getByText('No actions are waiting').waitFor();
});

test('a decision is denied after being asked once more, and its receipt stands in the history [control-plane.console.actions] [control-plane.console.history] [control-plane.console.legible]', async () => {
  const { page, faults } = visit;
  await waiting({}, { amount: 70, to: 'Larkfield \u202e07', lines: [{ item: 'beans', kilos: 12 }] });
  await page.getByRole('link', { name: 'pay', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Action' }).waitFor();
  await page.getByText('"to": "Larkfield \\u202e07"').waitFor();
  await expectAccessible(page, 'Action-waiting');
  await press(page, 'Deny');
  await expectAccessible(page, 'Deny action');
  await page.getByLabel('Comment').fill('not this month');
  await press(page, 'Deny action');
  await page.getByText('not this month').waitFor();
  await page.getByRole('region', { name: 'Receipt' }).getByText('Enclave signature').waitFor();
  await page.getByText('hitl_denied').waitFor();
  await expectAccessible(page, 'Action-denied');
  const [file] = await Promise.all([page.waitForEvent('download'), press(page, 'Download')]);
  expect(file.suggestedFilename()).toMatch(/^receipt-[0-9a-f-]{36}\.json$/);
  await page.getByRole('link', { name: 'Actions', exact: true }).last().click();
  await page.getByRole('link', { name: 'History', exact: true }).click();
  await page.getByRole('row', { name: /pay bank Denied ann cfo/ }).waitFor();
  await expectAccessible(page, 'Actions-history');
  expect(faults).toEqual([]);
});

test('a wallet signs what is shown, letter for letter, where the policy asks for it [control-plane.console.sign] [control-plane.console.waiting-count]', async () => {
  const { page, faults } = visit;
  await page.getByRole('link', { name: 'Waiting', exact: true }).click();
  const id = await waiting({ approvers: [wallet] });
  await page.getByRole('article', { name: 'pay' }).waitFor();
  await page.getByRole('link', { name: 'Actions 1 waiting for you' }).waitFor();
  await press(page, 'Approve');
  await press(page, 'Review and sign');
  const fields = page.getByLabel('What you sign');
  for (const told of [id, (await world.get(id)).params_hash, 'approve', 'Countersign, version 1'])
    await fields.getByText(told, { exact: true }).waitFor();
  await expectAccessible(page, 'Sign decision');
  await press(page, 'Sign with wallet');
  await page.getByText('No actions are waiting').waitFor();
  expect((await world.get(id)).approval.decisions).toMatchObject([
    { decision: 'approve', approver: 'cfo', method: 'wallet', wallet },
  ]);
  expect(faults).toEqual([]);
});

test('what is approved in advance is made, listed and ended [control-plane.console.batches]', async () => {
  const { page } = visit;
  const policy_id = await world.newPolicy();
  await goTo(page, 'Batch approvals');
  await page.getByText('No batch approvals yet').waitFor();
  await expectAccessible(page, 'Batches-empty');
  await press(page, 'New approval');
  await press(page, 'Create approval');
  await page.getByText('Choose the policy that requires approval.').waitFor();
  await expectAccessible(page, 'New batch');
  await page.getByLabel('Policy').selectOption(policy_id);
  await page.getByLabel('Service').fill('bank');
  await page.getByLabel('Action', { exact: true }).fill('pay');
  await page.getByLabel('Condition').fill('context.params.amount <');
  await press(page, 'Create approval');
  await page.getByText(/^Condition: line/).waitFor();
  visit.faults.length = 0;
  await page.getByLabel('Condition').fill('context.params.amount <= 200');
  await press(page, 'Create approval');
  await page.getByRole('row', { name: /pay bank Active Anyone cfo .* 0 of 10/ }).waitFor();
  await world.request(policy_id);
  await page.getByRole('row', { name: /1 of 10/ }).waitFor();
  await expectAccessible(page, 'Batches');
  await press(page, 'pay');
  await expectAccessible(page, 'Batch');
  await press(page, 'Revoke');
  await press(page, 'Revoke approval');
  await page.getByRole('row', { name: /Revoked/ }).waitFor();
  expect(visit.faults).toEqual([]);
});

test('says when it waits and when nobody answers, and asks for another key when this one ends [control-plane.console.states]', async () => {
  const { page } = visit;
  const isList = (path: string) => path === '/control/v1/batch-authorizations';
  await press(page, 'Forget key');
  await page.getByRole('heading', { name: 'Enter your approver key' }).waitFor();
  system.wire.hold(isList);
  await showKey(page, cfo);
  await page.locator('main [aria-busy=true]').first().waitFor();
  expect(await violations(page)).toEqual([]);
  system.wire.cut(isList);
  await page.getByRole('alert').getByText('The control plane did not respond.').waitFor();
  expect(await violations(page)).toEqual([]);
  system.wire.mend();
  await press(page, 'Try again');
  await page.getByRole('row', { name: /Revoked/ }).waitFor();
  const silent = page.getByText('This page shows earlier data.');
  system.wire.cut((path) => path.startsWith('/control/'));
  await silent.waitFor();
  expect(await violations(page)).toEqual([]);
  system.wire.mend();
  await silent.waitFor({ state: 'hidden' });
  await world.database.query(`update control_plane.api_key set revoked_at = now() where name = 'cfo'`);
  await page.getByText('Your key is no longer valid.').waitFor();
  await expectAccessible(page, 'Actions-ended');
});

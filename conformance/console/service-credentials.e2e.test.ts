import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type Approvers, withApprovers } from '../control-plane/fixtures/approvers.ts';
import { callsTo } from '../control-plane/fixtures/calls.ts';
import { withRotations } from '../control-plane/fixtures/rotations.ts';
import { signIn, startConsole, type TestConsole, type Visit } from './fixtures/console.ts';
import { expectAccessible } from './fixtures/looks.ts';

let system: TestConsole;
let control: ReturnType<typeof callsTo>;
let world: Approvers;
let visit: Visit;
beforeAll(async () => {
  system = await startConsole({ only: ['accounts', 'control plane'] });
  control = callsTo(system.card);
  world = await withApprovers(control, system.card.databaseUrl ?? '');
  const owner = await system.newOwner();
  visit = await system.visit({ wallet: owner.testWallet });
  await signIn(visit);
});
afterAll(async () => {
  await world?.database.end();
  await system?.stop();
});

const goTo = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).first().getByRole('link', { name, exact: true }).click();
const newCredential = async (label: string, more: object = {}): Promise<string> => {
  const about = {
    namespace: 'billing',
    label,
    type: 'api_key',
    sensitivity: 3,
    value: 'never-shown',
    ...more,
  };
  return (await control.admin('POST', '/v1/vault/credentials', about)).data.credential_id;
};

test('credentials of services are listed, and what is due appears by itself and goes with a new value [control-plane.console.credentials]', async () => {
  const { page } = visit;
  await goTo(page, 'Service credentials');
  await page.getByLabel('Approver key').fill(await world.newKey('approver', 'cfo'));
  await page.getByRole('button', { name: 'Use key', exact: true }).click();
  await page.getByText('No service credentials yet').waitFor();
  await expectAccessible(page, 'Service-credentials-empty');
  const rotation_policy = { type: 'scheduled', interval_days: 30 };
  const id = await newCredential('stripe', { rotation_policy });
  // From before such names were refused.
  const old = await newCredential('left alone');
  await world.database.query('update control_plane.credential set label = $2 where id = $1', [
    old,
    'left\u200balone',
  ]);
  const row = page.getByRole('row', { name: /stripe/ });
  await row.getByText('Scheduled').waitFor();
  await page.getByText('No date').waitFor();
  await page.getByText('left', { exact: false }).first().waitFor();
  await world.database.query(
    `update control_plane.credential set value_at = now() - interval '31 days',
       rotation_due_at = now() - interval '1 day' where id = $1`,
    [id],
  );
  await row.getByText('Due', { exact: true }).waitFor();
  await expectAccessible(page, 'Service-credentials-due');
  await page.getByRole('navigation', { name: 'View' }).getByRole('link', { name: 'Due' }).click();
  await row.waitFor();
  expect(await page.getByRole('row').count()).toBe(2);
  await control.admin('PUT', `/v1/vault/credentials/${id}/value`, { value: 'never-shown-either' });
  await page.getByText('No rotations due').waitFor();
  expect(await page.content()).not.toContain('never-shown');
});

test('a rotation of which nobody knows how it ended asks for a person, until one has said it [control-plane.console.credentials]', async () => {
  const { page } = visit;
  const service = await withRotations(control).newService({ label: 'fastmail' });
  onTestFinished(async () => void (await service.stop()));
  service.state.manner = 'takes-and-cuts';
  await page.getByRole('navigation', { name: 'View' }).getByRole('link', { name: 'All' }).click();
  await service.rotate();
  const { rotation_id } = await service.rests('unresolved');
  const row = page.getByRole('row', { name: /fastmail/ });
  await row.getByText('Confirm which is valid').waitFor();
  await expectAccessible(page, 'Service-credentials-unresolved');
  await service.resolve(rotation_id, 'next');
  await row.getByText('No date').waitFor();
});

import { afterAll, beforeAll, test } from 'vitest';
import { openDashboard } from './dashboard.ts';
import * as gateway from './model/gateway.ts';
import * as management from './model/management.ts';
import * as owner from './model/owner.ts';
import { agrees, often } from './model/run.ts';
import type { System } from './model/system.ts';

let home: System['home'];
beforeAll(async () => {
  home = { dashboard: await openDashboard() };
});
afterAll(() => home.dashboard.stop());

const commands = [
  owner.days,
  owner.revoke,
  management.remove,
  gateway.release,
  gateway.reportBare,
  ...often(2, owner.create),
  ...often(2, owner.seconds),
  ...often(2, management.renew),
  ...often(3, gateway.reportHold),
  ...often(3, management.update),
  ...often(4, management.adjust),
  ...often(4, management.setPolicy),
  ...often(5, owner.sign),
  ...often(8, gateway.hold),
];

test('whatever an owner does to mandates while gateways hold and pay: states, amounts and codes match the model [dashboard.mandate.states] [dashboard.mandate.update.limits] [dashboard.mandate.adjust.down] [dashboard.mandate.adjust.up] [dashboard.mandate.end-state.never-active] [dashboard.hold.never-overspent]', async () => {
  await agrees(home, [owner.create, owner.sign], commands, 25);
});

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
  owner.seconds,
  gateway.release,
  gateway.reportBare,
  ...often(2, owner.days),
  ...often(3, management.setPolicy),
  ...often(5, gateway.reportHold),
  ...often(4, gateway.hold),
  ...often(4, gateway.holdApproved),
  ...often(10, gateway.holdEdge),
];

test('whatever policy stands beside a mandate, holds match the model and nothing passes that signed limits refuse [dashboard.policy.only-tightens] [dashboard.policy.period] [dashboard.policy.threshold] [dashboard.policy.lists] [dashboard.policy.paused]', async () => {
  await agrees(home, [owner.createForYear, owner.sign, management.setPolicy], commands, 20);
});

import { afterAll, beforeAll, test } from 'vitest';
import { openDashboard } from './dashboard.ts';
import * as gateway from './model/gateway.ts';
import * as owner from './model/owner.ts';
import { agrees, often } from './model/run.ts';
import type { System } from './model/system.ts';

let home: System['home'];
beforeAll(async () => {
  home = { dashboard: await openDashboard() };
});
afterAll(() => home.dashboard.stop());

/** Every command, each as often as it should come. */
const commands = [
  owner.revoke,
  owner.days,
  owner.restarted,
  gateway.reportFailure,
  ...often(2, owner.create),
  ...often(4, owner.sign),
  ...often(2, gateway.reportBare),
  ...often(2, gateway.reportTwice),
  ...often(3, owner.seconds),
  ...often(3, gateway.holdAgain),
  ...often(4, gateway.holdApproved),
  ...often(3, gateway.release),
  ...often(6, gateway.reportHold),
  ...often(16, gateway.hold),
];

test('whatever is signed, held, paid, reported late or twice, revoked or restarted: budgets and holds match the model [dashboard.hold.never-overspent] [dashboard.hold.same-again] [dashboard.hold.same-id-other-content] [dashboard.hold.expires] [dashboard.hold.release] [dashboard.hold.becomes-usage] [dashboard.hold.wrong-state] [dashboard.hold.status-unchanged] [dashboard.vc.remaining-budget.held] [dashboard.transactions.consume.exact] [dashboard.transactions.consume.late-report] [dashboard.mandate.end-state.never-active]', async () => {
  await agrees(home, [owner.create, owner.sign], commands, 40);
});

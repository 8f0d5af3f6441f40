import type { Logger } from '@countersign/service/logger';
import type { Reading } from '@countersign/service/metrics';
import type { Pool } from '@countersign/service/sql';
import { approvalsBy } from '../approvals/approvals.ts';
import { startExpiry } from '../approvals/expiry.ts';
import type { ControlPlaneConfig } from '../config.ts';
import { createCheckParams } from '../connectors/check-params.ts';
import type { Schemas } from '../schemas/run-task.ts';
import type { Enclave } from '../enclave.ts';
import type { Jobs } from '../jobs.ts';
import { createDeciders } from '../policy/deciders.ts';
import type { Signals } from '../signals.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import type { CreateParts } from './create.ts';
import { executionQueue } from './queue.ts';
import { type RunParts, runExecution } from './run.ts';
import { createSealing } from './sealing.ts';
import { showWhole } from './show.ts';
import { workLoad } from './store.ts';
import { createWaitForEnd } from './wait.ts';

/** The dependencies of everything that handles executions. */
export type Executions = CreateParts & RunParts & { readonly schemas: Schemas };

type Needs = {
  readonly pool: Pool;
  readonly enclave: Enclave;
  readonly jobs: Jobs;
  readonly signals: Signals;
  readonly webhooks: Pick<Webhooks, 'emit'>;
  readonly schemas: Schemas;
  readonly now: () => Date;
  readonly log: Logger;
};

/** A job may take as long as the longest execution, with all that is around it. */
const maxSeconds = 1_000;

/** From now on this process runs executions, its own and those of others. */
export async function startExecutions(
  { connectors: { allowPrivate }, concurrency }: Pick<ControlPlaneConfig, 'connectors' | 'concurrency'>,
  needs: Needs,
): Promise<Executions> {
  const { pool, enclave, jobs, signals } = needs;
  const sealing = createSealing(enclave);
  const parts: Executions = {
    ...needs,
    sealing,
    allowPrivate,
    deciderOf: createDeciders(),
    checkParams: createCheckParams(needs.schemas),
    show: showWhole(sealing, enclave),
    waitForEnd: createWaitForEnd(pool, signals),
    approvals: approvalsBy(needs),
  };
  await startExpiry({ ...parts, jobs });
  await jobs.workPromptly(executionQueue, { concurrency, maxSeconds }, runExecution(parts));
  return parts;
}

/** Returns the readings for `/metrics`. */
export const gaugesOf = (pool: Pool): readonly Reading[] => [
  {
    name: 'executions_waiting',
    help: 'Executions that wait for a worker, of all processes',
    read: async () => (await workLoad(pool)).waiting,
  },
  {
    name: 'executions_running',
    help: 'Executions that run, in all processes',
    read: async () => (await workLoad(pool)).running,
  },
];

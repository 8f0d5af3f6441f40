import { randomUUID } from 'node:crypto';
import { type Service, sayWhy } from '@countersign/service/lifecycle';
import { repeat } from '@countersign/service/repeat';
import { inTransaction, type Queryable } from '@countersign/service/sql';
import { findConnector } from '../connectors/store.ts';
import { holdCredential } from '../credentials/held.ts';
import type { CreateParts } from '../executions/create.ts';
import type { Executions } from '../executions/executions.ts';
import { executeFor } from './execute.ts';
import { type Held, move } from './settle.ts';
import { holdRotation, noteCheck, rotationsToCheck, type StoredRotation } from './store.ts';

const everyMs = 1_000;

/** From now on this process asks for the checks that rotations wait for, whoever died before it did. */
export const startChecks = (parts: Executions): Service =>
  repeat(parts.log, 'check what became of rotations', everyMs, async () => {
    await askForEach(parts.log, await rotationsToCheck(parts.pool), (one) => askForCheck(parts, one));
  });

/** Asks for each; one that fails is logged and asked for again at the next turn, and keeps none of the others waiting. */
export async function askForEach(
  log: Pick<Executions['log'], 'warn'>,
  rotations: readonly StoredRotation[],
  askFor: (rotation: StoredRotation) => Promise<void>,
): Promise<void> {
  for (const rotation of rotations)
    await askFor(rotation).catch((error: unknown) =>
      log.warn(
        { rotation: rotation.id, why: sayWhy(error) },
        'a check could not be asked for: will try again',
      ),
    );
}

/** Once, however many processes look; where it cannot be asked for, a person has to say it. */
const askForCheck = (parts: Executions, { tenantId, credentialId, id }: StoredRotation): Promise<void> =>
  inTransaction(parts.pool, async (db) => {
    const credential = await holdCredential(db, tenantId, credentialId);
    const rotation = await holdRotation(db, credentialId, id);
    if (credential === null || rotation?.state !== 'checking' || rotation.checkId !== null) return;
    await checkNext(
      parts,
      db,
      { credential, rotation },
      {
        createdBy: rotation.createdBy,
        createdByKey: rotation.createdByKey,
      },
    );
  });

/**
 * Starts a check of the next value under the caller's key, in a transaction that holds credential and
 * rotation.
 */
export async function checkNext(
  parts: CreateParts,
  db: Queryable,
  { credential, rotation }: Held,
  by: Pick<StoredRotation, 'createdBy' | 'createdByKey'>,
): Promise<void> {
  const { tenantId, id } = rotation;
  const connector = await findConnector(db, tenantId, rotation.connectorId);
  const action = connector?.rotation?.check_action;
  const checkId = randomUUID();
  await noteCheck(db, rotation, checkId);
  const isAsked =
    connector !== null &&
    action !== undefined &&
    (await executeFor(parts, db, { tenantId, id, ...by }, connector, {
      id: checkId,
      action,
      params: connector.rotation?.check_params ?? {},
    }));
  if (isAsked) return;
  const event = { of: 'check', answer: 'unknown' } as const;
  await move(parts, db, { credential, rotation: { ...rotation, checkId } }, event, 'control-plane');
}

import { defaultRules, type ValueRules } from '@countersign/protocol/control/rotation';
import type { Queryable } from '@countersign/service/sql';
import type { StoredConnector } from '../connectors/store.ts';
import { type Credential, findCredential, type findSealed } from '../credentials/store.ts';
import { nextValueOf, rotationOf } from './store.ts';

type Sealed = NonNullable<Awaited<ReturnType<typeof findSealed>>>;

/** How a rotation's run differs from other runs. */
export type RotationUse = {
  /** The next value, which a check uses instead of the current one. */
  readonly credential?: Sealed;
  /** The new value that the operation passes to the service. */
  readonly next?: Sealed & { readonly param: string; readonly rules: ValueRules };
};

/**
 * Where an execution is the operation or a check of a rotation, what it uses; else nothing. Null where that cannot be had any more:
 * its values go to the service alone for whose connector it was begun.
 */
export async function rotationUse(
  db: Queryable,
  executionId: string,
  connector: StoredConnector,
): Promise<RotationUse | null> {
  const rotation = await rotationOf(db, executionId);
  if (rotation === null) return {};
  const next = rotation.connectorId === connector.id ? await nextValueOf(db, rotation.id) : null;
  if (next === null) return null;
  if (rotation.executionId !== executionId) return { credential: next };
  const credential = await findCredential(db, rotation.tenantId, rotation.credentialId);
  if (connector.rotation === null || credential === null) return null;
  return { next: { ...next, param: connector.rotation.param, rules: rulesOf(credential) } };
}

/**
 * Returns whether it gives the service a new value: asked twice, its refusal of the credential before would
 * be no answer.
 */
export const rotates = async (db: Queryable, executionId: string): Promise<boolean> =>
  (await rotationOf(db, executionId))?.executionId === executionId;

export const rulesOf = ({ rotationPolicy }: Credential): ValueRules => ({
  length: rotationPolicy?.value?.length ?? defaultRules.length,
  alphabet: rotationPolicy?.value?.alphabet ?? defaultRules.alphabet,
});

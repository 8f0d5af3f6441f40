import { hash, randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { canonicalText } from '@countersign/audit-log/chain';
import { type ConnectorType, definitions } from '@countersign/protocol/control/connector';
import type { Connector, connectorRoutes } from '@countersign/protocol/control/connector-routes';
import { ok, type Result } from '@countersign/protocol/result';
import { inTransaction, type Pool, type Queryable } from '@countersign/service/sql';
import { isUuid } from '@countersign/service/uuid';
import { actorOf, type Caller, type ControlHandlers } from '../callers.ts';
import { keepCredential } from '../credentials/held.ts';
import { findCredential, findSealed } from '../credentials/store.ts';
import { ask, type Enclave } from '../enclave.ts';
import { type Answer, illegible, type Refusal, refusal } from '../refusal.ts';
import { lookFirst } from '../look-first.ts';
import { rulesOf } from '../rotations/use.ts';
import { checkActions } from './actions.ts';
import { whatIsWrongWith, whyMisfit } from './rotation.ts';
import { type CheckParams, refuseMisfit, unreadableSchema } from './check-params.ts';
import type { Schemas } from '../schemas/run-task.ts';
import {
  deleteConnector,
  findConnector,
  findConnectorOf,
  listConnectors,
  putConnector,
  showConnector,
  type StoredConnector,
} from './store.ts';
import { privateTargetIn } from './targets.ts';
import { whyNotOpen, whyUseless } from './usable.ts';

type ConnectorHandlers = Pick<ControlHandlers, keyof typeof connectorRoutes>;

export type ConnectorParts = {
  readonly pool: Pool;
  readonly enclave: Enclave;
  /** `CONNECTOR_ALLOW_PRIVATE` */
  readonly allowPrivate: boolean;
  readonly checkParams: CheckParams;
  readonly schemas: Schemas;
  readonly now: () => Date;
};

const noSuchConnector = refusal('not_found', 'connector not found');

/** Connectors: how services are reached, and with which credential. */
export function connectorHandlers(parts: ConnectorParts): ConnectorHandlers {
  const { pool, enclave } = parts;
  return {
    createConnector: createConnector(parts),

    async listConnectors({ query, caller }) {
      const { items, total } = await listConnectors(pool, caller.tenantId, query);
      return ok({ items: items.map(showConnector), total });
    },

    async getConnector({ params: { id = '' }, caller }) {
      const connector = isUuid(id) ? await findConnector(pool, caller.tenantId, id) : null;
      return connector === null
        ? noSuchConnector
        : ok({ ...showConnector(connector), definition: connector.definition });
    },

    async deleteConnector({ params: { id = '' }, caller }) {
      if (!isUuid(id)) return noSuchConnector;
      return inTransaction(pool, async (db): Promise<Answer<{ connector_id: string; deleted: true }>> => {
        const connector = await deleteConnector(db, caller.tenantId, id);
        if (connector === null) return noSuchConnector;
        await ask(enclave, 'control.record', { draft: recordOf('connector_deleted', connector, caller) });
        return ok({ connector_id: id, deleted: true as const });
      });
    },
  };
}

const createConnector =
  (parts: ConnectorParts): ConnectorHandlers['createConnector'] =>
  async ({ body, caller }) => {
    const { tenantId } = caller;
    const definition = await readDefinition(parts.schemas, tenantId, body, parts.allowPrivate);
    if (!definition.ok) return definition;
    const connector: StoredConnector = {
      id: randomUUID(),
      tenantId,
      service: body.service,
      type: body.type,
      credentialId: body.credential_id ?? null,
      safeToRetry: body.safe_to_retry,
      definition: definition.value,
      rotation: body.rotation ?? null,
      createdBy: caller.name,
      createdAt: parts.now(),
    };
    const wrong = connector.rotation === null ? null : whatIsWrongWith(connector.rotation, connector);
    if (wrong !== null) return refusal('invalid_request', wrong);
    return lookFirst(
      parts.pool,
      () => lookAt(parts, connector),
      (db, looked) => make(parts, db, { connector, caller, looked }),
      'the credential’s rotation_policy has just changed',
    );
  };

type Asked = {
  readonly connector: StoredConnector;
  readonly caller: Caller;
  readonly looked: Awaited<ReturnType<typeof lookAt>>;
};

/**
 * Creates a connector, in a transaction. Null if the credential's rules have changed since they were read.
 */
async function make(
  { enclave }: ConnectorParts,
  db: Queryable,
  { connector, caller, looked }: Asked,
): Promise<Answer<Connector> | null> {
  const { tenantId, credentialId } = connector;
  const isThere = credentialId !== null && (await keepCredential(db, tenantId, credentialId));
  const credential = isThere ? await findSealed(db, tenantId, credentialId) : null;
  if (credential === null && credentialId !== null) return refusal('not_found', 'credential not found');
  const why =
    (credential && whyNotOpen(connector.type, credential.binding.type)) ??
    whyUseless(connector, credential !== null);
  if (why !== null) return refusal('invalid_request', why);
  if (!isDeepStrictEqual(looked.rules, await rulesFor(db, connector))) return null;
  if (looked.misfit !== null) return refuseMisfit(looked.misfit, 'invalid_request');
  const isNew = (await findConnectorOf(db, tenantId, connector.service)) === null;
  const unseen = isNew ? illegible('service', connector.service) : null;
  if (unseen !== null) return unseen;
  await putConnector(db, connector);
  await ask(enclave, 'control.record', { draft: recordOf('connector_created', connector, caller) });
  return ok(showConnector(connector));
}

/** Returns whether the definition takes a new value of its credential. */
async function lookAt({ pool, checkParams }: ConnectorParts, connector: StoredConnector) {
  const rules = await rulesFor(pool, connector);
  const { rotation } = connector;
  const misfit =
    rotation === null || rules === null ? null : await whyMisfit(checkParams, connector, rotation, rules);
  return { rules, misfit };
}

/** Returns the rules for new values of its credential; null if it has none, or names no rotation. */
async function rulesFor(db: Queryable, { tenantId, credentialId, rotation }: StoredConnector) {
  if (rotation === null || credentialId === null) return null;
  const credential = await findCredential(db, tenantId, credentialId);
  return credential && rulesOf(credential);
}

/** The definition as its type's schema reads it, or what is wrong with it, by its path. */
async function readDefinition(
  schemas: Schemas,
  tenantId: string,
  { type, definition }: { readonly type: ConnectorType; readonly definition: unknown },
  allowPrivate: boolean,
): Promise<Result<Readonly<Record<string, unknown>>, Refusal>> {
  const read = definitions[type].safeParse(definition);
  if (!read.success) return refusal('invalid_request', whatIsWrong(read.error.issues));
  const checked = checkActions(type, read.data);
  if (!checked.ok) return refusal('invalid_request', checked.error);
  const unreadable = await unreadableSchema(schemas, { tenantId, type, definition: read.data });
  if (unreadable !== null) return refuseMisfit(unreadable, 'invalid_request');
  const path = allowPrivate ? null : privateTargetIn(type, read.data);
  return path === null
    ? ok(read.data)
    : refusal(
        'invalid_request',
        `${path}: must not lead to a private address; CONNECTOR_ALLOW_PRIVATE=1 allows it`,
      );
}

const whatIsWrong = (
  issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[],
) =>
  issues
    .slice(0, 5)
    .map(({ path, message }) => `${['definition', ...path].map(String).join('.')}: ${message}`)
    .join('; ');

const recordOf = (
  eventType: 'connector_created' | 'connector_deleted',
  { id, tenantId, service, type, credentialId, safeToRetry, definition, rotation }: StoredConnector,
  caller: Caller,
) => ({
  eventType,
  tenantId,
  ...(credentialId !== null && { credentialId }),
  actor: actorOf(caller),
  detail: {
    connector_id: id,
    service,
    type,
    safe_to_retry: safeToRetry,
    ...(rotation !== null && { rotation }),
    definition_digest: `sha256:${hash('sha256', canonicalText(definition))}`,
  },
});

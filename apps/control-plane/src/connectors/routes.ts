import { hash, randomUUID } from 'node:crypto';
import { canonicalText } from '@countersign/audit-log/chain';
import { type ConnectorType, definitions } from '@countersign/protocol/control/connector';
import type { Connector, connectorRoutes } from '@countersign/protocol/control/connector-routes';
import { ok, type Result } from '@countersign/protocol/result';
import { inTransaction, type Pool } from '@countersign/service/sql';
import { isUuid } from '@countersign/service/uuid';
import { actorOf, type Caller, type ControlHandlers } from '../callers.ts';
import { findCredential } from '../credentials/store.ts';
import { ask, type Enclave } from '../enclave.ts';
import { type Answer, type Refusal, refusal } from '../refusal.ts';
import { checkActions } from './actions.ts';
import {
  deleteConnector,
  findConnector,
  listConnectors,
  putConnector,
  showConnector,
  type StoredConnector,
} from './store.ts';
import { privateTargetIn } from './targets.ts';

type ConnectorHandlers = Pick<ControlHandlers, keyof typeof connectorRoutes>;

export type ConnectorParts = {
  readonly pool: Pool;
  readonly enclave: Enclave;
  /** `CONNECTOR_ALLOW_PRIVATE` */
  readonly allowPrivate: boolean;
  readonly now: () => Date;
};

const noSuchConnector = refusal('not_found', 'there is no such connector');

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
  ({ pool, enclave, allowPrivate, now }: ConnectorParts): ConnectorHandlers['createConnector'] =>
  async ({ body, caller }) => {
    const definition = readDefinition(body.type, body.definition, allowPrivate);
    if (!definition.ok) return definition;
    const connector: StoredConnector = {
      id: randomUUID(),
      tenantId: caller.tenantId,
      service: body.service,
      type: body.type,
      credentialId: body.credential_id ?? null,
      safeToRetry: body.safe_to_retry,
      definition: definition.value,
      createdBy: caller.name,
      createdAt: now(),
    };
    return inTransaction(pool, async (db): Promise<Answer<Connector>> => {
      const { tenantId, credentialId } = connector;
      if (credentialId !== null && (await findCredential(db, tenantId, credentialId)) === null)
        return refusal('not_found', 'there is no such credential');
      await putConnector(db, connector);
      await ask(enclave, 'control.record', { draft: recordOf('connector_created', connector, caller) });
      return ok(showConnector(connector));
    });
  };

/** The definition as its type's schema reads it, or what is wrong with it, by its path. */
function readDefinition(
  type: ConnectorType,
  definition: unknown,
  allowPrivate: boolean,
): Result<Readonly<Record<string, unknown>>, Refusal> {
  const read = definitions[type].safeParse(definition);
  if (!read.success) return refusal('invalid_request', whatIsWrong(read.error.issues));
  const checked = checkActions(type, read.data);
  if (!checked.ok) return refusal('invalid_request', checked.error);
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
  { id, tenantId, service, type, credentialId, safeToRetry, definition }: StoredConnector,
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
    definition_digest: `sha256:${hash('sha256', canonicalText(definition))}`,
  },
});

import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { nextPlaceholder, type Rotation } from '@countersign/protocol/control/rotation';
import { fail, ok, type Result } from '@countersign/protocol/result';
import { holdRoot } from '@countersign/service/root-lock';
import { inTransaction, type Queryable } from '@countersign/service/sql';
import { isUuid } from '@countersign/service/uuid';
import { actorOf, type Caller, type ControlHandlers } from '../callers.ts';
import { refuseMisfit } from '../connectors/check-params.ts';
import { whatIsWrongWith, whyMisfit } from '../connectors/rotation.ts';
import { rotatingConnectors, type StoredConnector } from '../connectors/store.ts';
import { shownFingerprint } from '../credentials/seal.ts';
import { noSuchCredential } from '../credentials/show.ts';
import { holdCredential } from '../credentials/held.ts';
import { type Credential, findCredential, findSealed } from '../credentials/store.ts';
import { ask } from '../enclave.ts';
import type { CreateParts } from '../executions/create.ts';
import { lookFirst } from '../look-first.ts';
import { findPolicy } from '../policy/store.ts';
import { type Answer, type Refusal, refusal } from '../refusal.ts';
import { executeFor } from './execute.ts';
import { whyNoCheck } from './why-no-check.ts';
import { checkNext } from './checks.ts';
import { move } from './settle.ts';
import {
  holdOpen,
  holdRotation,
  insertRotation,
  listRotations,
  type NewRotation,
  showRotation,
} from './store.ts';
import { rulesOf } from './use.ts';
import { underWay } from './under-way.ts';

type RotationHandlers = Pick<ControlHandlers, 'startRotation' | 'listRotations' | 'resolveRotation'>;

/** Handles the rotation of credentials. */
export function rotationHandlers(parts: CreateParts): RotationHandlers {
  const { pool } = parts;
  return {
    async startRotation({ params: { id = '' }, body: { service = null }, caller }) {
      if (!isUuid(id)) return noSuchCredential;
      const asked = { id, service, by: caller };
      return lookFirst(
        pool,
        () => lookAt(parts, asked),
        (db, looked) => start(parts, db, { ...asked, looked }),
        'the credential or its connector has just changed',
      );
    },

    async listRotations({ params: { id = '' }, query, caller }) {
      const credential = isUuid(id) ? await findCredential(pool, caller.tenantId, id) : null;
      if (credential === null) return noSuchCredential;
      const { items, total } = await listRotations(pool, credential.id, query);
      return ok({ items: items.map(showRotation), total });
    },

    resolveRotation: ({ params: { id = '', rotation_id = '' }, body: { valid }, caller }) =>
      inTransaction(pool, async (db): Promise<Answer<Rotation>> => {
        const credential = isUuid(id) ? await holdCredential(db, caller.tenantId, id) : null;
        if (credential === null) return noSuchCredential;
        const rotation = isUuid(rotation_id) ? await holdRotation(db, credential.id, rotation_id) : null;
        if (rotation === null) return refusal('not_found', 'rotation not found');
        if (valid === 'check' && !(await canCheck(db, credential, rotation.connectorId)))
          return refusal('conflict', 'its connector no longer exists, or names no check');
        const moved = await move(
          parts,
          db,
          { credential, rotation },
          { of: 'person', valid },
          actorOf(caller),
        );
        if (moved !== null) {
          if (moved.state !== 'checking') return ok(showRotation(moved));
          const by = { createdBy: caller.name, createdByKey: caller.keyId };
          await checkNext(parts, db, { credential, rotation: moved }, by);
          return ok(showRotation((await holdRotation(db, credential.id, moved.id)) ?? moved));
        }
        return rotation.endedAt === null
          ? underWay(rotation)
          : refusal('conflict', `the rotation has ended: ${rotation.state}`);
      }),
  };
}

const canCheck = async (db: Queryable, credential: Credential, connectorId: string): Promise<boolean> =>
  (await rotatingConnectors(db, credential)).some(
    ({ id, rotation }) => id === connectorId && rotation?.check_action !== undefined,
  );

/** The one connector that names how this credential is rotated, of a service where one is given. */
async function connectorOf(
  db: Queryable,
  credential: Credential,
  service: string | null,
): Promise<Result<StoredConnector, Refusal>> {
  const all = await rotatingConnectors(db, credential);
  const some = service === null ? all : all.filter((one) => one.service === service);
  const [connector, another] = some;
  if (connector === undefined)
    return refusal(
      'conflict',
      'no connector names an operation that rotates this credential: send a new value instead',
    );
  if (another === undefined) return ok(connector);
  return refusal('invalid_request', 'service: is required because several connectors rotate this credential');
}

type Asked = { readonly id: string; readonly service: string | null; readonly by: Caller };

type Looked = Awaited<ReturnType<typeof lookAt>>;

/**
 * Starts a rotation, in a transaction. Null if the connector or the credential's rules have changed since
 * they were read.
 */
async function start(
  parts: CreateParts,
  db: Queryable,
  { id, service, by, looked }: Asked & { readonly looked: Looked },
): Promise<Answer<Rotation> | null> {
  await holdRoot(db);
  const credential = await holdCredential(db, by.tenantId, id);
  if (credential === null) return noSuchCredential;
  const open = await holdOpen(db, credential.id);
  if (open !== null) return underWay(open);
  const found = await connectorOf(db, credential, service);
  if (!found.ok) return found;
  const begun = { credential, connector: found.value, by };
  const wrong = await whyWrong(db, begun);
  if (wrong !== null) return refusal('conflict', wrong);
  if (looked?.connectorId !== found.value.id) return null;
  if (!isDeepStrictEqual(looked.rules, rulesOf(credential))) return null;
  if (looked.misfit !== null) return refuseMisfit(looked.misfit, 'conflict');
  const why = await whyNoCheck(db, parts.deciderOf, found.value, by.name);
  return why === null ? begin(parts, db, begun) : refusal('conflict', why);
}

/** Returns whether the definition takes a new value. */
async function lookAt({ pool, checkParams }: CreateParts, { id, service, by }: Asked) {
  const credential = await findCredential(pool, by.tenantId, id);
  const found = credential && (await connectorOf(pool, credential, service));
  if (credential === null || found?.ok !== true || found.value.rotation === null) return null;
  const rules = rulesOf(credential);
  const misfit = await whyMisfit(checkParams, found.value, found.value.rotation, rules);
  return { connectorId: found.value.id, rules, misfit };
}

type Begun = {
  readonly credential: Credential;
  readonly connector: StoredConnector;
  readonly by: Caller;
};

/** Why the operation could not be asked for: the policy may be made after the connector that names it; the connector may be of an earlier build. */
async function whyWrong(db: Queryable, { connector }: Begun): Promise<string | null> {
  const { tenantId, rotation } = connector;
  if (rotation === null) throw new Error('a connector without an operation rotates nothing');
  if ((await findPolicy(db, tenantId, rotation.policy_id, null)) === null)
    return `rotation.policy_id of the connector: there is no policy ${rotation.policy_id}: create it first`;
  return whatIsWrongWith(rotation, connector);
}

/**
 * Creates and stores the next value and requests its operation, in a transaction that holds the credential.
 */
async function begin(parts: CreateParts, db: Queryable, begun: Begun): Promise<Answer<Rotation>> {
  const { credential, connector, by } = begun;
  const made = await newRotation(parts, db, begun);
  if (!made.ok) return made;
  const { id, version, fingerprint, executionId } = made.value;
  const { service, rotation } = connector;
  if (rotation === null) throw new Error('a connector without an operation rotates nothing');
  const detail = { rotation_id: id, version, fingerprint, service, execution_id: executionId };
  await ask(parts.enclave, 'control.record', {
    draft: {
      eventType: 'credential_rotation_started',
      tenantId: credential.tenantId,
      credentialId: credential.id,
      actor: actorOf(by),
      detail: { ...detail, action: rotation.action },
    },
  });
  const params = { ...rotation.params, [rotation.param]: nextPlaceholder };
  const what = { id: executionId, action: rotation.action, params };
  if (!(await executeFor(parts, db, made.value, connector, what)))
    throw new Error('a rotation was begun whose operation cannot be asked for');
  const begunNow = await holdRotation(db, credential.id, id);
  if (begunNow === null) throw new Error('a rotation that was just begun is gone');
  return ok(showRotation(begunNow));
}

async function newRotation(
  { enclave, now }: CreateParts,
  db: Queryable,
  { credential, connector, by }: Begun,
): Promise<Result<NewRotation, Refusal>> {
  const { tenantId, id: credentialId } = credential;
  const current = await findSealed(db, tenantId, credentialId);
  if (current === null) throw new Error('a credential that is held is gone');
  const version = credential.newestVersion + 1;
  const answer = await enclave.call('control.newValue', { ...current, version, rules: rulesOf(credential) });
  if (!answer.ok && answer.error.code === 'INVALID_PLAINTEXT') return fail(notOurs);
  if (!answer.ok) throw new Error(`the enclave refused control.newValue: ${answer.error.code}`);
  const { binding, envelope, fingerprint } = answer.value.reply;
  const rotation: NewRotation = {
    id: randomUUID(),
    tenantId,
    credentialId,
    connectorId: connector.id,
    executionId: randomUUID(),
    fingerprint: shownFingerprint(fingerprint),
    serviceId: binding.serviceId,
    type: binding.type,
    version,
    createdBy: by.name,
    createdByKey: by.keyId,
    createdAt: now(),
  };
  await insertRotation(db, rotation, envelope);
  return ok(rotation);
}

const notOurs = {
  code: 'conflict',
  msg: 'only the key of an api_key (without a colon) and the password of a username_password can be generated: send a new value instead',
} as const;

import { randomBytes, randomUUID } from 'node:crypto';
import type { personRoutes } from '@countersign/protocol/control/person-routes';
import { controlScopesOf } from '@countersign/protocol/dashboard/elsewhere';
import { fail, ok, type Result } from '@countersign/protocol/result';
import { type Assertion, readAssertion, type SignedIn } from '@countersign/service/person-assertion';
import type { SignInConfig } from '@countersign/service/sign-in-config';
import { inTransaction, type Pool, type Queryable } from '@countersign/service/sql';
import type { Caller, ControlHandlers } from '../callers.ts';
import { ask, type Enclave } from '../enclave.ts';
import { hashOf } from '../keys/api-key.ts';
import { recordCreation } from '../keys/record-creation.ts';
import { type Refusal, refusal } from '../refusal.ts';
import * as store from './store.ts';

type PersonParts = {
  readonly pool: Pool;
  readonly enclave: Enclave;
  /** Null: no dashboard's word is taken. */
  readonly signIn: SignInConfig | null;
  readonly now: () => Date;
};

/** Without a tenant the account is not linked: its people do not come in, and may still be ended. */
type Heard = Assertion & { readonly tenantId: string | undefined };
type Said = Assertion & { readonly tenantId: string };

const tokenSeconds = 15 * 60;

/** People whom a dashboard signed in: what it says of them, exchanged for a token of ours, and taken back. */
export function personHandlers(parts: PersonParts): Pick<ControlHandlers, keyof typeof personRoutes> {
  const { pool, now } = parts;

  /** Verifies a dashboard's assertion and accepts it once. */
  async function heard(text: string): Promise<Result<Heard, Refusal>> {
    if (parts.signIn === null) return fail(notTaken);
    const { key, tenants } = parts.signIn;
    const read = await readAssertion(key, 'countersign-control-plane', text, now());
    if (!read.ok) return fail(read.error === 'expired' ? late : notGenuine);
    const isFirst = await store.isFirstShown(pool, read.value, now());
    return isFirst ? ok({ ...read.value, tenantId: tenants.get(read.value.account) }) : fail(shownBefore);
  }

  return {
    async signInPerson({ body }) {
      const said = await heard(body.assertion);
      if (!said.ok) return said;
      const { tenantId } = said.value;
      if (tenantId === undefined) return fail(notLinked);
      const scopes = controlScopesOf(said.value.roles);
      if (scopes.length === 0) return fail(noRoom);
      const role = scopes.includes('decide') ? ('approver' as const) : ('reader' as const);
      return inTransaction(pool, async (db) => {
        await store.lockPerson(db, said.value);
        if (await store.hasEnded(db, said.value)) return fail(ended);
        const key = await keyOf(parts, db, { ...said.value, tenantId }, role);
        const token = `csk_person_${randomBytes(32).toString('base64url')}`;
        const expiresAt = new Date(now().getTime() + tokenSeconds * 1000);
        const about = { hash: hashOf(token), keyId: key.keyId, session: said.value.session, expiresAt };
        await store.insertPersonToken(db, about, now());
        return ok({ token, expires_in: tokenSeconds, name: key.name });
      });
    },

    async signOutPerson({ caller: { keyId, person } }) {
      return ok({
        revoked: person === undefined ? 0 : await store.leaveSession(pool, keyId, person.session),
      });
    },

    async endPerson({ body }) {
      const said = await heard(body.assertion);
      if (!said.ok) return said;
      const revoked = await inTransaction(pool, async (db) => {
        await store.lockPerson(db, said.value);
        const had = await store.endPerson(db, said.value, { at: said.value.saidAt, now: now() });
        if (had !== null) await recordEnd(parts.enclave, had.key);
        return had?.tokens ?? 0;
      });
      return ok({ revoked });
    },
  };
}

/** Returns the person's name in policies and records: the display name and a unique id. */
const nameOf = ({ account, person, name }: SignedIn): string =>
  `${name} (${person === 'holder' ? account : person})`;

/** The key as which a person stands in decisions and records; with other roles or another tenant it is a new one. */
async function keyOf(
  { enclave, now }: PersonParts,
  db: Queryable,
  said: Said,
  role: 'approver' | 'reader',
): Promise<Caller> {
  const known = await store.findPersonsKey(db, said);
  if (known?.role === role && known.tenantId === said.tenantId) return known;
  if (known !== null) {
    await store.endPerson(db, said, { at: said.saidAt, now: now() });
    await recordEnd(enclave, known);
  }
  const { account, person, tenantId } = said;
  const key = { keyId: randomUUID(), tenantId, role, name: nameOf(said) };
  const hash = hashOf(randomBytes(32).toString('hex'));
  await store.insertPersonsKey(db, { ...key, account, person, hash }, now());
  await recordCreation(db, enclave, key.keyId, now(), actor);
  return key;
}

const actor = 'dashboard:sign-in';

const recordEnd = (enclave: Enclave, { keyId, tenantId, name, role }: Caller) =>
  ask(enclave, 'control.record', {
    draft: { eventType: 'key_revoked', tenantId, actor, detail: { keyId, name, role } },
  });

const refused = (...[code, msg]: Parameters<typeof refusal>): Refusal => refusal(code, msg).error;
const notTaken = refused('unauthorized', 'no dashboard’s word is taken here: SIGN_IN_PUBLIC_KEY is not set');
const notGenuine = refused('unauthorized', 'the assertion is not the dashboard’s for this control plane');
const late = refused('unauthorized', 'the assertion has expired');
const shownBefore = refused('unauthorized', 'the assertion was shown before');
const ended = refused('unauthorized', 'this person was removed, or their roles were changed meanwhile');
const notLinked = refused('insufficient_role', 'the account has no tenant in this control plane');
const noRoom = refused('insufficient_role', 'this person’s roles give no access to the control plane');

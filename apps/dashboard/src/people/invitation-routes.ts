import { isNoHigher } from '@countersign/protocol/dashboard/who-may';
import { fail, ok } from '@countersign/protocol/result';
import { inTransaction, type Queryable } from '@countersign/service/sql';
import type { DashboardHandlers, SessionCaller } from '../callers.ts';
import { newId } from '../ids.ts';
import { type Answer, refusal } from '../refusal.ts';
import * as invitations from './invitation-store.ts';
import { showActor } from './person.ts';
import { rolesNow } from './roles-now.ts';
import { higher, noSuchPerson, ofProvider, type PeopleParts } from './routes.ts';
import * as store from './store.ts';

const lifeMs = 72 * 60 * 60_000;
const [maxOpen, maxOpenOfOne] = [50, 20];

type InvitationHandlers = Pick<
  DashboardHandlers,
  'renewSignIn' | 'invitePerson' | 'listInvitations' | 'revokeInvitation'
>;

/** Invitations to an account: for somebody new, or to renew the sign-in of somebody who is there. */
export function invitationHandlers(parts: PeopleParts): InvitationHandlers {
  const { pool, now } = parts;
  return {
    invitePerson: ({ body, caller }) => invite(parts, caller, async () => ok({ ...body, personId: null })),

    renewSignIn: ({ params, caller }) =>
      invite(parts, caller, async (db) => {
        const found = await store.findPerson(db, caller.account.id, params['id'] ?? '');
        if (found === null) return fail(noSuchPerson);
        if (found.issuer !== null) return fail(ofProvider);
        await invitations.revokeRenewalsOf(db, found.id, now());
        return ok({ name: found.name, roles: found.roles, personId: found.id });
      }),

    async listInvitations({ caller }) {
      const time = now();
      const found = await invitations.listInvitations(pool, caller.account.id);
      return ok({ data: found.map((each) => showInvitation(each, time)) });
    },

    revokeInvitation({ params, caller: { account, person } }) {
      const id = params['id'] ?? '';
      return inTransaction<Answer<{ id: string }>>(pool, async (db) => {
        await store.lockPeople(db, account.id);
        const found = await invitations.findOffer(db, account.id, id, now());
        if (found === null) return refusal('BUSINESS_NOT_FOUND', 'open invitation not found');
        // A renewal is of somebody whose roles may have changed since.
        const roles =
          found.personId === null ? found.roles : await rolesNow(db, account, { id: found.personId });
        if (!isNoHigher(roles, await rolesNow(db, account, person))) return fail(higher);
        await invitations.revokeInvitation(db, account.id, id, now());
        return ok({ id });
      });
    },
  };
}

type Offer = Pick<invitations.Invitation, 'name' | 'roles' | 'personId'>;

/** Why nobody else is invited now, or null. Each inviter has a maximum of their own, so that none takes everybody's. */
async function whyFull(db: Queryable, accountId: string, invitedBy: string | null, now: Date) {
  const { open, theirs } = await invitations.countOpen(db, { accountId, invitedBy }, now);
  if (theirs >= maxOpenOfOne) return `you have ${maxOpenOfOne} open invitations`;
  const people = await store.listPeople(db, accountId);
  return open >= maxOpen || people.length + open >= store.maxPeople
    ? `the account has ${store.maxPeople} people or ${maxOpen} open invitations`
    : null;
}

/** Makes an invitation for what `offered` finds, no higher than the caller's own roles at this moment. */
async function invite(
  { pool, now, random }: PeopleParts,
  { account, person }: SessionCaller,
  offered: (db: Queryable) => Promise<Answer<Offer>>,
) {
  const token = `inv_${random(32).toString('base64url')}`;
  const made = await inTransaction<Answer<invitations.Invitation>>(pool, async (db) => {
    await store.lockPeople(db, account.id);
    const offer = await offered(db);
    if (!offer.ok) return offer;
    if (!isNoHigher(offer.value.roles, await rolesNow(db, account, person))) return fail(higher);
    const createdAt = now();
    const why = offer.value.personId === null ? await whyFull(db, account.id, person.id, createdAt) : null;
    if (why !== null) return refusal('REPEATED_SUBMIT', why);
    const expiresAt = new Date(createdAt.getTime() + lifeMs);
    const invitation = {
      id: newId(random, 'ivt'),
      accountId: account.id,
      invitedBy: person.id,
      invitedByName: person.name,
      ...offer.value,
      createdAt,
      expiresAt,
    };
    await invitations.insertInvitation(db, invitation, token);
    return ok(invitation);
  });
  if (!made.ok) return made;
  const listed = { ...made.value, usedAt: null, revokedAt: null };
  return ok({ invitation: showInvitation(listed, now()), token });
}

function showInvitation(invitation: invitations.ListedInvitation, now: Date) {
  const { id, name, roles, personId, invitedBy, invitedByName, createdAt, expiresAt } = invitation;
  return {
    id,
    name,
    roles: [...roles],
    personId,
    invitedBy: showActor({ id: invitedBy, name: invitedByName }),
    state: stateOf(invitation, now),
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  };
}

type State = 'open' | 'used' | 'revoked' | 'expired';
function stateOf({ usedAt, revokedAt, expiresAt }: invitations.ListedInvitation, now: Date): State {
  if (usedAt !== null) return 'used';
  if (revokedAt !== null) return 'revoked';
  return expiresAt <= now ? 'expired' : 'open';
}

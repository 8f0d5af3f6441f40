import { randomUUID } from 'node:crypto';
import { vaultScopesOf } from '@countersign/protocol/dashboard/elsewhere';
import { fail, ok, type Result } from '@countersign/protocol/result';
import { type Assertion, readAssertion } from '@countersign/service/person-assertion';
import type { SignInConfig } from '@countersign/service/sign-in-config';
import { inTransaction, type Pool } from '@countersign/service/sql';
import type { Caller, VaultHandlers } from '../callers.ts';
import { type Refusal, refusal } from '../refusal.ts';
import type { CloseRevoked } from '../sandbox/close-revoked.ts';
import { accessSeconds, wholeSeconds } from '../tokens/login-routes.ts';
import type { Tokens } from '../tokens/tokens.ts';
import { endPerson, enterAsPerson, isFirstShown, revokeTokensOf } from './people-store.ts';

type PersonParts = {
  readonly pool: Pool;
  readonly tokens: Tokens;
  /** Null: no dashboard's word is taken. */
  readonly signIn: SignInConfig | null;
  readonly closeRevoked: CloseRevoked;
  readonly now: () => Date;
};

/** Without a tenant the account is not linked: its people do not come in, and may still be ended. */
type Said = Assertion & { readonly tenantId: string | undefined };

/** People whom a dashboard signed in: what it says of them, exchanged for a token of ours, and taken back. */
export function personHandlers(parts: PersonParts): Pick<VaultHandlers, 'signInPerson' | 'endPerson'> {
  const { pool, tokens, closeRevoked, now } = parts;

  /** Verifies a dashboard's assertion and accepts it once. */
  async function heard(text: string): Promise<Result<Said, Refusal>> {
    if (parts.signIn === null) return fail(notTaken);
    const { key, tenants } = parts.signIn;
    const read = await readAssertion(key, 'countersign-vault', text, now());
    if (!read.ok) return fail(read.error === 'expired' ? late : notGenuine);
    const isFirst = await isFirstShown(pool, read.value, now());
    return isFirst ? ok({ ...read.value, tenantId: tenants.get(read.value.account) }) : fail(shownBefore);
  }

  return {
    async signInPerson({ body }) {
      const said = await heard(body.assertion);
      if (!said.ok) return said;
      const { roles, session, tenantId } = said.value;
      if (tenantId === undefined) return fail(notLinked);
      const scopes = vaultScopesOf(roles);
      if (scopes.length === 0) return fail(noRoom);
      const createdAt = wholeSeconds(now());
      return inTransaction(pool, async (db) => {
        const entered = await enterAsPerson(db, said.value, { tenantId, scopes, now: createdAt });
        if (entered === null) return fail(ended);
        const { token } = await tokens.issue(db, 'access', {
          ...entered,
          kind: 'access',
          name: 'login',
          credentialIds: null,
          agentDid: null,
          // What comes of one session of the dashboard ends together.
          family: session ?? randomUUID(),
          parent: null,
          createdAt,
          expiresAt: new Date(createdAt.getTime() + accessSeconds * 1000),
        });
        return ok({
          access_token: token,
          token_type: 'Bearer' as const,
          expires_in: accessSeconds,
          username: entered.account,
          scopes: [...scopes],
        });
      });
    },

    async endPerson({ body }) {
      const said = await heard(body.assertion);
      if (!said.ok) return said;
      const { roles, saidAt } = said.value;
      const scopes = vaultScopesOf(roles);
      const done = await inTransaction(pool, async (db) => {
        const found = await endPerson(db, said.value, { scopes, at: saidAt });
        return found && { ...found, revoked: await revokeTokensOf(db, found.account, scopes, now()) };
      });
      if (done === null) return ok({ revoked: 0 });
      await closeRevoked(inTheNameOf(done));
      return ok({ revoked: done.revoked });
    },
  };
}

/** Who is ended closes what they leave open. */
const inTheNameOf = ({ account, tenantId }: Pick<Caller, 'account' | 'tenantId'>): Caller => ({
  account,
  tenantId,
  tokenId: randomUUID(),
  scopes: [],
  credentialIds: null,
  agentDid: null,
  expiresAt: new Date(0),
  family: randomUUID(),
  ahead: null,
  sessionAhead: null,
});

const refused = (...[code, msg]: Parameters<typeof refusal>): Refusal => refusal(code, msg).error;
const notTaken = refused(
  'unauthorized',
  'this vault accepts no sign-in from a dashboard: SIGN_IN_PUBLIC_KEY is not set',
);
const notGenuine = refused('unauthorized', 'the assertion is not one of the dashboard for this vault');
const late = refused('unauthorized', 'the assertion has expired');
const shownBefore = refused('unauthorized', 'the assertion was shown before');
const ended = refused('unauthorized', 'this person was removed, or their roles were changed meanwhile');
const notLinked = refused('insufficient_scope', 'the account has no tenant in this vault');
const noRoom = refused('insufficient_scope', 'the roles of this person give nothing to do in the vault');

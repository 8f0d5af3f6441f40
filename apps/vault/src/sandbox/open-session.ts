import { randomUUID } from 'node:crypto';
import { ok, type Result } from '@countersign/protocol/result';
import type { NewSession } from '@countersign/protocol/vault/sandbox-routes';
import { allowsUrl, overlap, parseAllowedUrls } from '@countersign/protocol/vault/url-scope';
import { inTransaction, type Pool } from '@countersign/service/sql';
import { actorOf, type Caller, type VaultHandlers } from '../callers.ts';
import type { Reached } from '../credentials/reached.ts';
import type { Credential } from '../credentials/store.ts';
import { pastTold } from '../credentials/tell-sessions.ts';
import { EnclaveFailed } from '../enclave.ts';
import { type Refusal, refusal } from '../refusal.ts';
import type { CloseRevoked } from './close-revoked.ts';
import { usableCredential } from './credential-use.ts';
import type { SessionEnclave } from './enclave-session.ts';
import { ownerOf } from './reached.ts';
import { credentialsToMask } from './masked-credentials.ts';
import { deleteUnopened, findSession, insertSession, type SessionToBe } from './session-store.ts';
import { showSession } from './show.ts';

type Parts = {
  readonly pool: Pool;
  readonly sessions: SessionEnclave;
  readonly reached: Reached;
  readonly closeRevoked: CloseRevoked;
  readonly now: () => Date;
};

/** Opens a browser for a task, once all that it asks for was found to be allowed. */
export function openSessionHandler(parts: Parts): VaultHandlers['createSession'] {
  const { pool, sessions, reached, closeRevoked, now } = parts;
  return async ({ body, caller }) => {
    const credentials = await credentialsNamed(reached, caller, body, now());
    if (!credentials.ok) return credentials;
    const within = checkScope(body, credentials.value);
    if (!within.ok) return within;
    const session = newSession(body, caller, now());
    const { tenantId, credentialIds } = session;
    // From here on the enclave keeps for it what is told of credentials; what was told before can be read.
    await sessions.expect(session);
    await inTransaction(pool, (db) => pastTold(db, tenantId));
    const maskWith = await credentialsToMask(pool, tenantId, session.allowedUrls, credentialIds, now());
    await insertSession(pool, session);
    const opened = await sessions
      .ask('session.open', session, caller, {
        task: session.task,
        allowedUrls: [...session.allowedUrls],
        approval: session.approval,
        credentials: credentials.value.map(({ id, type, allowedUrls, fillMode }) => ({
          credentialId: id,
          type,
          allowedUrls: [...allowedUrls],
          fillMode,
        })),
        maskWith,
        isExpected: true,
        ...(body.start_url !== undefined && { startUrl: body.start_url }),
        expiresAt: session.expiresAt.getTime(),
      })
      .catch(async (error: unknown) => {
        await deleteUnopened(pool, session.id);
        throw error;
      });
    if (!opened.ok) {
      await deleteUnopened(pool, session.id);
      if (opened.error.code === 'SANDBOX_UNAVAILABLE') return noBrowser(opened.error.field);
      if (opened.error.code === 'INVALID_COMMAND' && opened.error.field === 'startUrl') return acts;
      if (opened.error.code === 'INVALID_COMMAND' && opened.error.field === 'startUrl.logIn') return logsIn;
      throw new EnclaveFailed('session.open', opened.error);
    }
    // Its token may have been revoked while the browser started.
    await closeRevoked(caller);
    const kept = await findSession(pool, session.id, ownerOf(caller), now());
    if (kept === null) throw new Error('a session that was opened is not kept');
    return ok(showSession(kept));
  };
}

async function credentialsNamed(
  reached: Reached,
  caller: Caller,
  body: NewSession,
  now: Date,
): Promise<Result<readonly Credential[], Refusal>> {
  const found: Credential[] = [];
  for (const id of new Set(body.credential_ids.map((each) => each.toLowerCase()))) {
    const credential = await usableCredential(reached, caller, id, now);
    if (!credential.ok) return credential;
    found.push(credential.value);
  }
  return ok(found);
}

/** A credential that could never be used in the session is a mistake, so it is told before the agent finds out. */
function checkScope(
  { allowed_urls, start_url }: NewSession,
  credentials: readonly Credential[],
): Result<null, Refusal> {
  const scope = parseAllowedUrls(allowed_urls);
  if (start_url !== undefined && !allowsUrl(scope, start_url))
    return refusal('invalid_request', 'start_url: must be within allowed_urls');
  const useless = credentials.find(
    ({ allowedUrls }) => allowedUrls.length > 0 && !overlap(scope, parseAllowedUrls(allowedUrls)),
  );
  return useless === undefined
    ? ok(null)
    : refusal(
        'invalid_request',
        `allowed_urls: credential ${useless.id} cannot be used anywhere within them; it is for ${useless.allowedUrls.join(', ')}`,
      );
}

const newSession = (body: NewSession, caller: Caller, now: Date): SessionToBe => ({
  id: randomUUID(),
  tenantId: caller.tenantId,
  account: caller.account,
  tokenId: caller.tokenId,
  task: body.task,
  allowedUrls: body.allowed_urls,
  credentialIds: [...new Set(body.credential_ids.map((id) => id.toLowerCase()))],
  approval: body.approval,
  // A token that is for one agent opens sessions for no other.
  agentDid: caller.agentDid ?? body.agent_did ?? null,
  openedBy: actorOf(caller),
  createdAt: now,
  expiresAt: new Date(now.getTime() + body.ttl_seconds * 1000),
});

const acts = refusal(
  'invalid_request',
  'start_url: opening this address changes something; open the session without it and navigate there, so that the owner can be asked',
);

const logsIn = refusal(
  'invalid_request',
  'start_url: this address has the id of a log-in; leave it out, and log in with the credential',
);

/** `too_many`: there are as many sessions as this machine takes; otherwise it can have none. */
const noBrowser = (field: string | undefined) =>
  field === 'too_many'
    ? {
        ...refusal('rate_limited', 'the maximum number of browser sessions is open: close one'),
        headers: { 'retry-after': '10' },
      }
    : refusal(
        'internal_error',
        'no browser with the isolation that SANDBOX_ISOLATION requires is available here: see /ready and the enclave’s log',
      );

import type { EnclaveRefusal } from '@countersign/protocol/enclave/commands';
import { ok } from '@countersign/protocol/result';
import type { VaultHandlers } from '../callers.ts';
import { refusal } from '../refusal.ts';
import type { SessionEnclave } from './enclave-session.ts';
import { noSuchSession, type SessionReached, whyNotActive } from './reached.ts';
import type { Session } from './session-store.ts';

type Parts = { readonly sessions: SessionEnclave; readonly sessionReached: SessionReached };

/** The page of a session as a picture and as data, both without secrets. */
export function pageHandlers({
  sessions,
  sessionReached,
}: Parts): Pick<VaultHandlers, 'takeScreenshot' | 'exportData'> {
  const whyNot = async (
    command: 'session.screenshot' | 'session.export',
    session: Session,
    why: EnclaveRefusal,
  ) =>
    why.problem === undefined
      ? sessions.whyNot(command, session, why)
      : refusal('invalid_request', why.problem.message);

  return {
    async takeScreenshot({ params, body, caller }) {
      const session = await sessionReached(caller, params);
      if (session === null) return noSuchSession;
      const notActive = whyNotActive(session);
      if (notActive !== null) return notActive;
      const asked = { fullPage: body.full_page, isFrame: false };
      const taken = await sessions.ask('session.screenshot', session, caller, asked);
      if (!taken.ok) return whyNot('session.screenshot', session, taken.error);
      const { reply, body: png } = taken.value;
      const { width, height, auditId = '' } = reply;
      return ok({ image: png.toString('base64'), width, height, audit_id: auditId });
    },

    async exportData({ params, body, caller }) {
      const session = await sessionReached(caller, params);
      if (session === null) return noSuchSession;
      const notActive = whyNotActive(session);
      if (notActive !== null) return notActive;
      const { selector, format } = body;
      const asked = { format, ...(selector !== undefined && { selector }) };
      const read = await sessions.ask('session.export', session, caller, asked);
      if (!read.ok) return whyNot('session.export', session, read.error);
      const text = read.value.body.toString('utf8');
      const data: unknown = format === 'json' ? JSON.parse(text) : text;
      return ok({ data, audit_id: read.value.reply.auditId });
    },
  };
}

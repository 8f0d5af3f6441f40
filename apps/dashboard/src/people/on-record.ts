import { dashboardCodes } from '@countersign/protocol/dashboard/codes';
import type { SessionRoute } from '@countersign/protocol/dashboard/routes';
import { isChange, whoMay } from '@countersign/protocol/dashboard/who-may';
import type { Pool } from '@countersign/service/sql';
import type { DashboardHandlers, SessionCaller } from '../callers.ts';
import type { Answer } from '../refusal.ts';
import { beginChange, endChange } from './changes.ts';

type AnyCall = {
  readonly caller: SessionCaller;
  readonly params: Readonly<Record<string, string>>;
  readonly body: unknown;
};
type AnyHandler = (call: AnyCall) => Promise<Answer<unknown>>;

/** The members that identify the subject of a call, in paths, bodies and answers. */
const naming = [
  'id',
  'uid',
  'approvalId',
  'mandateId',
  'agentId',
  'connectionId',
  'address',
  'walletAddress',
];

/**
 * The same handlers, of which each that changes something for a session is put on record before it begins, with the
 * person, and with its outcome afterwards. Bodies are not kept: they hold what is nobody's to read.
 */
export function onRecord(handlers: DashboardHandlers, pool: Pool, now: () => Date): DashboardHandlers {
  const recorded = (Object.keys(whoMay) as SessionRoute[])
    .filter(isChange)
    .map((name) => [name, keepRecord(name, handlers[name] as unknown as AnyHandler)] as const);

  function keepRecord(deed: SessionRoute, handle: AnyHandler): AnyHandler {
    return async (call) => {
      const { account, person } = call.caller;
      const subject = nameIn(call.params) ?? nameIn(call.body);
      const id = await beginChange(pool, { accountId: account.id, person, deed, subject, at: now() });
      const answer = await handle(call);
      const outcome = answer.ok ? 'done' : String(dashboardCodes[answer.error.code].code);
      await endChange(pool, id, outcome, answer.ok ? nameInAnswer(answer.value) : null);
      return answer;
    };
  }
  return { ...handlers, ...(Object.fromEntries(recorded) as unknown as Partial<DashboardHandlers>) };
}

function nameIn(from: unknown): string | null {
  if (typeof from !== 'object' || from === null) return null;
  const found = naming.map((name) => (from as Record<string, unknown>)[name]);
  const [name] = found.filter((value) => typeof value === 'string');
  return name?.slice(0, 128) ?? null;
}

/** Answers hold the thing itself, or under its noun. */
function nameInAnswer(answer: unknown): string | null {
  const nouns = typeof answer === 'object' && answer !== null ? Object.values(answer) : [];
  return [answer, ...nouns].map(nameIn).find((name) => name !== null) ?? null;
}

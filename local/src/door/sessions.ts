import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { DoorRole } from './roles.ts';

/**
 * A browser that was let in. It shows two halves: a cookie, which no script reads but every port under the door's name
 * would be sent, and a key in the storage of this origin, which no other port has. Neither opens anything alone.
 */
export type DoorSessions = {
  readonly open: () => { readonly cookie: string; readonly key: string };
  /** Returns whether the cookie is one of ours: enough to be shown pages. */
  readonly isKnown: (headers: IncomingHttpHeaders) => boolean;
  /** Returns whether both halves are there, and of the same session. */
  readonly isWhole: (headers: IncomingHttpHeaders) => boolean;
  /** Whoever entered as this role, by a link or a click, has said yes to one log-in, for a moment. */
  readonly beginEntry: (headers: IncomingHttpHeaders, role: DoorRole) => void;
  /** Returns whether that yes is there; it is used from then on. */
  readonly takeEntry: (headers: IncomingHttpHeaders, role: DoorRole) => boolean;
};

const cookieName = 'countersign_door';
/** Equals the lifetime of a dashboard session. */
const lifeMs = 12 * 60 * 60_000;

/** From a click to the log-in message of the page that it opens. */
const entryMs = 30_000;

type Session = {
  readonly keyHash: string;
  readonly endsAt: number;
  entry: { readonly role: DoorRole; readonly endsAt: number } | null;
};

/** Sessions in this process's memory: they end with it. */
export function createDoorSessions(now: () => Date, random: (bytes: number) => Buffer): DoorSessions {
  const sessions = new Map<string, Session>();
  const find = (headers: IncomingHttpHeaders): Session | null => {
    const found = sessions.get(hash('sha256', cookieIn(headers)));
    return found !== undefined && found.endsAt > now().getTime() ? found : null;
  };
  return {
    open() {
      const time = now().getTime();
      for (const [id, { endsAt }] of sessions) if (endsAt <= time) sessions.delete(id);
      const [token, key] = [random(24).toString('base64url'), random(24).toString('base64url')];
      sessions.set(hash('sha256', token), {
        keyHash: hash('sha256', key),
        endsAt: time + lifeMs,
        entry: null,
      });
      const cookie = `${cookieName}=${token}; Max-Age=${lifeMs / 1000}; Path=/; HttpOnly; SameSite=Strict`;
      return { cookie, key };
    },
    beginEntry(headers, role) {
      const session = find(headers);
      if (session !== null) session.entry = { role, endsAt: now().getTime() + entryMs };
    },
    takeEntry(headers, role) {
      const session = find(headers);
      if (session?.entry == null) return false;
      const { entry } = session;
      session.entry = null;
      return entry.role === role && entry.endsAt > now().getTime();
    },
    isKnown: (headers) => find(headers) !== null,
    isWhole: (headers) => find(headers)?.keyHash === hash('sha256', String(headers['x-door-key'] ?? '')),
  };
}

const cookieIn = ({ cookie = '' }: IncomingHttpHeaders): string =>
  pairsIn(cookie)
    .find((pair) => pair.startsWith(`${cookieName}=`))
    ?.slice(cookieName.length + 1) ?? '';

const pairsIn = (cookie: string): readonly string[] => cookie.split(';').map((pair) => pair.trim());

/** The cookies of a request but for ours, which nobody behind the door has to see. */
export const otherCookies = (cookie: string): string =>
  pairsIn(cookie)
    .filter((pair) => !pair.startsWith(`${cookieName}=`))
    .join('; ');

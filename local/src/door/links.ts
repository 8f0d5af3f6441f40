import { hash } from 'node:crypto';
import type { DoorRole } from './roles.ts';

type Waiting = { readonly role: DoorRole; readonly endsAt: number };

export type Links = {
  /** A token that opens the door once, within the hour. */
  readonly issue: (role: DoorRole) => string;
  /** Returns whether a token would be taken now. */
  readonly opens: (token: string) => boolean;
  /** The role of a token that has not been used and is not over; it is used from then on. */
  readonly take: (token: string) => DoorRole | null;
};

const lifeMs = 60 * 60_000;

/** Only hashes are kept: whoever reads this memory finds no link. */
export function createLinks(now: () => Date, random: (bytes: number) => Buffer): Links {
  const waiting = new Map<string, Waiting>();
  return {
    issue(role) {
      const time = now().getTime();
      for (const [key, { endsAt }] of waiting) if (endsAt <= time) waiting.delete(key);
      const token = random(16).toString('base64url');
      waiting.set(hash('sha256', token), { role, endsAt: time + lifeMs });
      return token;
    },
    opens: (token) => (waiting.get(hash('sha256', token))?.endsAt ?? 0) > now().getTime(),
    take(token) {
      const key = hash('sha256', token);
      const found = waiting.get(key);
      waiting.delete(key);
      return found !== undefined && found.endsAt > now().getTime() ? found.role : null;
    },
  };
}

import { hash } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { fail, ok, type Result } from '@countersign/protocol/result';
import { background } from '@countersign/service/background';
import type { Logger } from '@countersign/service/logger';
import { type AssertedTo, type SignedIn, writeAssertion } from '@countersign/service/person-assertion';
import type { SessionCaller } from '../callers.ts';
import type { RandomBytes } from '../ids.ts';

/** A token that another part gave for somebody who is signed in here. */
export type Pass = {
  readonly token: string;
  readonly seconds: number;
  /** The name in the service's records. */
  readonly name: string;
};

/** A refusal of the other service, with its own code. */
export type No = { readonly code: string; readonly msg: string };

/** Another part, as far as it signs people in. */
export type Entrance = {
  readonly to: AssertedTo;
  readonly enter: (assertion: string) => Promise<Result<Pass, No>>;
  /** Null once the token is of no use there any more; else why it still is. */
  readonly leave: (token: string) => Promise<No | null>;
  /** Null once the part has ended what somebody left there; else why it has not. */
  readonly end: (assertion: string) => Promise<No | null>;
};

/** Whose session was asked for at this time, and was there. */
export type Seen = SessionCaller & { readonly seenAt: Date };

export type Passes = {
  readonly of: (caller: Seen) => Promise<Result<Pass, No>>;
  /** The part takes this one no longer: the next one is new. */
  readonly isSpent: (sessionId: string, token: string) => void;
  /** A session ended, or its person's roles changed; null: who knows which. Their tokens end there too. */
  readonly drop: (sessionId: string | null) => void;
  /** Forgets tokens that have run out, and leaves once more what could not be left. */
  readonly tidy: () => Promise<void>;
};

type Parts = {
  readonly entrance: Entrance;
  readonly assert: Assert;
  readonly now: () => Date;
  readonly log: Logger;
};

type Held = {
  readonly who: string;
  readonly pass: Promise<Result<Pass, No>>;
  /** Once it is there. */
  token: string | null;
  staleAt: number;
};

/** A token is replaced so long before its end, so that none ends on its way. */
const earlyMs = 60_000;

/** Leaves tokens at the part, and those that could not be left once more, until it would not take them any more. */
function createLeaving(entrance: Entrance, now: () => Date, log: Logger) {
  /** Until when the part takes them. */
  const left = new Map<string, number>();
  async function tryOnce(token: string): Promise<void> {
    const no = await entrance.leave(token).catch(() => silent);
    if (no === null) left.delete(token);
    else
      log.debug({ part: entrance.to, code: no.code }, 'a token could not be left there: it is tried again');
  }
  return {
    async leave({ token, seconds }: Pass): Promise<void> {
      left.set(token, now().getTime() + seconds * 1000);
      await tryOnce(token);
    },
    async again(): Promise<void> {
      for (const [token, until] of left) {
        if (until <= now().getTime()) left.delete(token);
        else await tryOnce(token);
      }
    },
  };
}

/** Tokens of another part for the sessions of this process. They are in its memory alone, and no page ever sees one. */
export function createPasses({ entrance, assert, now, log }: Parts): Passes {
  const held = new Map<string, Held>();
  const leaving = createLeaving(entrance, now, log);

  async function enter(caller: Seen, mine: () => Held): Promise<Result<Pass, No>> {
    const given = await entrance.enter(await assert(entrance.to, signedIn(caller), caller.seenAt));
    if (!given.ok) return given;
    const { token, seconds } = given.value;
    Object.assign(mine(), { token, staleAt: now().getTime() + seconds * 1000 - earlyMs });
    return given;
  }

  function drop(sessionId: string): void {
    const old = held.get(sessionId);
    if (old === undefined) return;
    held.delete(sessionId);
    const leave = async () => {
      const pass = await old.pass;
      if (pass.ok) await leaving.leave(pass.value);
    };
    background(log, `leave ${entrance.to}`, leave());
  }

  return {
    async of(caller) {
      const { sessionId } = caller;
      const who = JSON.stringify(signedIn(caller));
      const before = held.get(sessionId);
      // All who ask at a time share one answer.
      if (before?.who === who && before.staleAt > now().getTime()) return before.pass;
      if (before !== undefined && before.who !== who) drop(sessionId);
      const fresh: Held = { who, token: null, staleAt: Infinity, pass: enter(caller, () => fresh) };
      held.set(sessionId, fresh);
      const forget = () => void (held.get(sessionId) === fresh && held.delete(sessionId));
      const pass = await fresh.pass.catch((error: unknown) => {
        forget();
        throw error;
      });
      if (!pass.ok) forget();
      return pass;
    },

    isSpent(sessionId, token) {
      if (held.get(sessionId)?.token === token) held.delete(sessionId);
    },

    drop(sessionId) {
      for (const id of sessionId === null ? held.keys() : [sessionId]) drop(id);
    },

    async tidy() {
      const time = now().getTime();
      for (const [id, { staleAt }] of held) if (staleAt + earlyMs <= time) held.delete(id);
      await leaving.again();
    },
  };
}

/** Signs an assertion about somebody that is true at `at`. Whatever expires later ends it. */
export type Assert = (to: AssertedTo, who: SignedIn, at: Date) => Promise<string>;

/** Signs who is signed in; each assertion has an id of its own. */
export const asserter =
  (key: KeyObject, random: RandomBytes): Assert =>
  (to, who, at) =>
    writeAssertion(key, to, who, { id: uuidOf(random(16)), now: at });

const signedIn = ({ account, person, sessionId }: SessionCaller): SignedIn => ({
  account: account.walletAddress,
  person: person.id ?? 'holder',
  name: person.name,
  roles: person.roles,
  session: uuidOf(hash('sha256', `elsewhere ${sessionId}`, 'buffer')),
});

/** RFC 9562, version 8: bytes as they are, but for version and variant. */
function uuidOf(bytes: Buffer): string {
  const own = Buffer.from(bytes.subarray(0, 16));
  own[6] = ((own[6] ?? 0) & 0x0f) | 0x80;
  own[8] = ((own[8] ?? 0) & 0x3f) | 0x80;
  return own.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

export const silent: No = { code: 'silent', msg: 'it does not respond' };

type Failed =
  | { readonly kind: 'refused'; readonly code: string; readonly msg: string }
  | { readonly kind: 'failed' };

export const whyNot = (answer: Failed): No =>
  answer.kind === 'refused' ? { code: answer.code, msg: answer.msg } : silent;

/** Returns the result of a client's call as an entrance reports it. */
export const passOf = <T>(
  answer: { readonly kind: 'ok'; readonly data: T } | Failed,
  read: (data: T) => Pass,
): Result<Pass, No> => (answer.kind === 'ok' ? ok(read(answer.data)) : fail(whyNot(answer)));

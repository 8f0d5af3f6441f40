import type { KeyObject } from 'node:crypto';
import { type Address, parseAddress } from '@countersign/protocol/address';
import { type Role, roles } from '@countersign/protocol/dashboard/roles';
import { legibleName } from '@countersign/protocol/legible-name';
import { fail, ok, type Result } from '@countersign/protocol/result';
import { jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';

/** Who is signed in at a dashboard, as it tells a vault or a control plane. */
export type SignedIn = {
  /** The account, by its wallet. */
  readonly account: Address;
  /** A person's id within the account; `holder` for the wallet's holder. Ids are never reused. */
  readonly person: string;
  readonly name: string;
  /** None: this person has ended. */
  readonly roles: readonly Role[];
  /** Id of the dashboard's session, a UUID without further meaning; null: all sessions. */
  readonly session: string | null;
};

export type Assertion = SignedIn & {
  /** Counts once. */
  readonly id: string;
  /** When the person was seen to be signed in, to the millisecond. */
  readonly saidAt: Date;
  /** From then on nobody takes it, whatever the clocks. */
  readonly overAt: Date;
};

/** Whom it is for: one does not take what was written for the other. */
export type AssertedTo = 'countersign-vault' | 'countersign-control-plane';

const type = 'countersign-person+jwt';
const lifetimeSeconds = 60;
/** Two clocks may differ by so much. */
const skewSeconds = 60;

const seconds = (time: Date): number => Math.floor(time.getTime() / 1000);

/** Writes an assertion: a JWT (RFC 7519) by Ed25519, good for a minute. `id` must never come twice. */
export function writeAssertion(
  key: KeyObject,
  to: AssertedTo,
  { account, person, name, roles, session }: SignedIn,
  { id, now }: { readonly id: string; readonly now: Date },
): Promise<string> {
  return (
    new SignJWT({ account, name, roles: [...roles], sid: session })
      .setProtectedHeader({ alg: 'EdDSA', typ: type })
      .setJti(id)
      .setSubject(person)
      .setAudience(to)
      // RFC 7519, 2: a NumericDate may have a fraction. What was said before an ending is told apart by it.
      .setIssuedAt(now.getTime() / 1000)
      .setExpirationTime(seconds(now) + lifetimeSeconds)
      .sign(key)
  );
}

const claims = z.object({
  jti: z.uuid(),
  sub: z.string().regex(/^[\w-]{1,64}$/),
  account: z.string().transform((text, context) => {
    const address = parseAddress(text);
    if (address !== null) return address;
    context.addIssue({ code: 'custom', message: 'is no address' });
    return z.NEVER;
  }),
  name: legibleName(z.string().min(1).max(64)),
  roles: z.array(z.enum(roles)).max(roles.length),
  sid: z.nullable(z.uuid()),
  iat: z.number(),
  exp: z.int(),
});

/**
 * Who is signed in, by an assertion that the holder of `key` wrote for `to` at most a minute ago, give or take a minute
 * between the clocks. Whether it was shown before is not asked here.
 */
export async function readAssertion(
  key: KeyObject,
  to: AssertedTo,
  text: string,
  now: Date,
): Promise<Result<Assertion, 'not-genuine' | 'expired'>> {
  try {
    const { payload } = await jwtVerify(text, key, {
      algorithms: ['EdDSA'],
      typ: type,
      audience: to,
      clockTolerance: skewSeconds,
      maxTokenAge: lifetimeSeconds,
      currentDate: now,
    });
    const read = claims.safeParse(payload);
    if (!read.success || read.data.exp - read.data.iat > lifetimeSeconds) return fail('not-genuine');
    const { jti: id, sub: person, sid: session, iat, exp, ...about } = read.data;
    const overAt = new Date((exp + skewSeconds + 1) * 1000);
    return ok({ ...about, id, person, session, saidAt: new Date(Math.round(iat * 1000)), overAt });
  } catch (error) {
    return fail(isLate(error) ? 'expired' : 'not-genuine');
  }
}

const isLate = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_JWT_EXPIRED';

import { isIP } from 'node:net';
import { fail, ok, type Result } from '@countersign/protocol/result';
import type { Pool } from '@countersign/service/sql';
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { burnNonce, insertNonce } from '../auth/store.ts';
import type { RandomBytes } from '../ids.ts';
import type { Known, SignedIn } from './passwords.ts';
import { findPasskey, notePasskeyUse, type Passkey } from './sign-in-store.ts';

type PasskeyParts = {
  readonly pool: Pool;
  readonly origins: readonly string[];
  readonly now: () => Date;
  readonly random: RandomBytes;
};

type Credential = { readonly id: string; readonly rawId: string; readonly type: 'public-key' };
type MadePasskey = Credential & { readonly response: RegistrationResponseJSON['response'] };
type ShownPasskey = Credential & {
  readonly response: Omit<AuthenticationResponseJSON['response'], 'userHandle'> & {
    readonly userHandle?: string | null | undefined;
  };
};

type Options = { readonly challenge: string; readonly [more: string]: unknown };

export type Passkeys = {
  readonly creation: (headers: Headers, id: string, name: string) => Promise<Result<Options, string>>;
  readonly request: (headers: Headers) => Promise<Result<Options, string>>;
  /** Reads a new passkey, which is not kept so far. */
  readonly read: (headers: Headers, made: MadePasskey) => Promise<Result<Passkey, string>>;
  /** Whose passkey signed just now, at this origin. */
  readonly check: (headers: Headers, shown: ShownPasskey) => Promise<Result<SignedIn, string>>;
};

const challengeLifeMs = 10 * 60_000;
const noSite = 'a passkey works only at an origin of this dashboard that has a name: not at an IP address';
const wrong = fail('the passkey is unknown, or did not sign for this dashboard just now');

/** Passkeys by WebAuthn: of one of our origins, with a challenge that counts once, by somebody whom the device knows. */
export function createPasskeys(parts: PasskeyParts): Passkeys {
  const { pool, origins } = parts;
  const challenges = challengesOf(parts);
  const expecting = ({ origin, rpId }: Place) => ({
    expectedChallenge: challenges.isOurs,
    expectedOrigin: origin,
    expectedRPID: rpId,
    requireUserVerification: true,
  });

  return {
    async creation(headers, id, person) {
      const place = placeOf(headers, origins);
      if (place === null) return fail(noSite);
      const options = await generateRegistrationOptions({
        rpName: 'Countersign',
        rpID: place.rpId,
        userID: new Uint8Array(Buffer.from(id)),
        userName: person,
        userDisplayName: person,
        challenge: await challenges.add(),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      });
      return ok({ ...options });
    },

    async request(headers) {
      const place = placeOf(headers, origins);
      if (place === null) return fail(noSite);
      const challenge = await challenges.add();
      const about = { rpID: place.rpId, challenge, userVerification: 'required' } as const;
      return ok({ ...(await generateAuthenticationOptions(about)) });
    },

    async read(headers, made) {
      const place = placeOf(headers, origins);
      if (place === null) return fail(noSite);
      const response = { ...made, clientExtensionResults: {} };
      const verified = await verifyRegistrationResponse({ ...expecting(place), response }).catch(refused);
      if (!verified.verified) return fail('the passkey was not created for this dashboard just now');
      const { id, publicKey, counter } = verified.registrationInfo.credential;
      return ok({ credentialId: id, rpId: place.rpId, publicKey: Buffer.from(publicKey), counter });
    },

    async check(headers, shown) {
      const place = placeOf(headers, origins);
      if (place === null) return fail(noSite);
      const known = await findPasskey(pool, shown.id);
      if (known === null || known.rpId !== place.rpId) return wrong;
      const { userHandle, ...response } = shown.response;
      const { publicKey, counter } = known;
      const verified = await verifyAuthenticationResponse({
        ...expecting(place),
        response: { ...shown, response, clientExtensionResults: {} },
        credential: { id: shown.id, publicKey: new Uint8Array(publicKey), counter },
      }).catch(refused);
      if (!verified.verified || !isHandleOf(userHandle, known)) return wrong;
      const counted = await notePasskeyUse(pool, shown.id, verified.authenticationInfo.newCounter);
      const { accountId, personId, credentialId } = known;
      return counted ? ok({ accountId, personId, by: { credentialId } }) : wrong;
    },
  };
}

/** The browser's origin, and its relying party id. */
type Place = { readonly origin: string; readonly rpId: string };

/** Returns the browser's place if it is one of our origins with a host name; null for any other. */
function placeOf(headers: Headers, origins: readonly string[]): Place | null {
  const origin = headers.get('origin') ?? '';
  if (!origins.includes(origin)) return null;
  const { hostname } = new URL(origin);
  return isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? { origin, rpId: hostname } : null;
}

/** Kept with the nonces of wallets; neither counts as the other. */
function challengesOf({ pool, now, random }: PasskeyParts) {
  const nonceOf = (challenge: string): string => `passkey:${challenge}`;
  return {
    async add() {
      const challenge = random(32);
      const at = now();
      const nonce = nonceOf(challenge.toString('base64url'));
      await insertNonce(pool, nonce, new Date(at.getTime() + challengeLifeMs), at);
      return new Uint8Array(challenge);
    },
    isOurs: (challenge: string): Promise<boolean> => burnNonce(pool, nonceOf(challenge), now()),
  };
}

/** An authenticator may leave out whose it believes to be. */
const isHandleOf = (handle: string | null | undefined, { personId }: Known): boolean =>
  handle === null || handle === undefined || Buffer.from(handle, 'base64url').toString() === personId;

/** The library throws for whatever a stranger sends that does not fit. */
const refused = (): { readonly verified: false } => ({ verified: false });

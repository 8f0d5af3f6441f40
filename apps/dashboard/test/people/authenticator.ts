import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

/** How a test bends what its authenticator says. */
type Bend = {
  readonly origin?: string;
  readonly rpId?: string;
  readonly counter?: number;
  readonly userVerified?: boolean;
  readonly userHandle?: string;
};

const sha256 = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest();
const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');

/** A passkey in the hands of a test: an ES256 key that signs whatever it is told to (WebAuthn, 6.1 to 6.5). */
export function newAuthenticator(origin: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(16);
  const jwk = publicKey.export({ format: 'jwk' });
  const coordinate = (text: string | undefined) => new Uint8Array(Buffer.from(text ?? '', 'base64url'));
  const cose = isoCBOR.encode(
    new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, coordinate(jwk.x)],
      [-3, coordinate(jwk.y)],
    ]),
  );
  let userHandle = '';

  const authData = ({ rpId, counter = 0, userVerified = true }: Bend, attested: Uint8Array | null) => {
    const flags = 0x01 | (userVerified ? 0x04 : 0) | (attested === null ? 0 : 0x40);
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    const hash = sha256(rpId ?? new URL(origin).hostname);
    return Buffer.concat([hash, Buffer.from([flags]), count, attested ?? new Uint8Array()]);
  };
  const clientData = (type: string, challenge: string, bend: Bend) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: bend.origin ?? origin, crossOrigin: false }));
  const credential = { id: base64url(id), rawId: base64url(id), type: 'public-key' as const };

  return {
    create(options: { challenge: string; user: { id: string } }, bend: Bend = {}) {
      userHandle = options.user.id;
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, cose]);
      const attestationObject = isoCBOR.encode(
        new Map<string, unknown>([
          ['fmt', 'none'],
          ['attStmt', new Map()],
          ['authData', new Uint8Array(authData(bend, attested))],
        ]) as never,
      );
      const clientDataJSON = base64url(clientData('webauthn.create', options.challenge, bend));
      return { ...credential, response: { clientDataJSON, attestationObject: base64url(attestationObject) } };
    },
    get(options: { challenge: string }, bend: Bend = {}) {
      const data = authData(bend, null);
      const client = clientData('webauthn.get', options.challenge, bend);
      const signature = createSign('sha256')
        .update(Buffer.concat([data, sha256(client)]))
        .sign(privateKey);
      return {
        ...credential,
        response: {
          clientDataJSON: base64url(client),
          authenticatorData: base64url(data),
          signature: base64url(signature),
          userHandle: bend.userHandle ?? userHandle,
        },
      };
    },
  };
}

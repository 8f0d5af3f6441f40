import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { type Address, parseAddress } from '@countersign/protocol/address';
import { fail, ok, type Result } from '@countersign/protocol/result';
import { listOf, pemFile, type Variables } from './config.ts';

/** Whose word about who is signed in a part takes, and of which accounts. */
export type SignInConfig = {
  readonly key: KeyObject;
  /** The tenant that an account's people belong to. */
  readonly tenants: ReadonlyMap<Address, string>;
};

/** Its variables, for help. */
export const signInVariables: readonly (readonly [name: string, meaning: string])[] = [
  [
    'SIGN_IN_PUBLIC_KEY',
    'file with the public half of the dashboard’s SIGN_IN_KEY, PEM: people signed in there need no log-in here (default none)',
  ],
  ['SIGN_IN_ACCOUNTS', 'whose people, and the tenant they belong to: 0xWALLET=TENANT, comma-separated'],
];

/** Null: people log in here, as ever. */
export function readSignIn(from: Variables): SignInConfig | null {
  const key = from.optional('SIGN_IN_PUBLIC_KEY', publicKeyFile);
  if (key === undefined) return null;
  const linked = from.required(
    'SIGN_IN_ACCOUNTS',
    listOf(accountAndTenant),
    'SIGN_IN_PUBLIC_KEY is set, and no account is taken that is not named',
  );
  const tenants = new Map(linked);
  if (tenants.size < (linked?.length ?? 0)) from.refuse('SIGN_IN_ACCOUNTS', 'names a wallet twice');
  return { key, tenants };
}

function accountAndTenant(value: string): Result<readonly [Address, string], string> {
  const [, wallet = '', tenant = ''] = /^(0x[0-9a-fA-F]{40})=(.{1,128})$/u.exec(value) ?? [];
  const address = parseAddress(wallet);
  return address === null ? fail('must hold items such as 0xWALLET=TENANT') : ok([address, tenant]);
}

const wanted = 'must name a file with an Ed25519 key in PEM, as openssl writes it';

/** A file with a private key of Ed25519. */
export const privateKeyFile = keyFile(createPrivateKey);
const publicKeyFile = keyFile(createPublicKey);

function keyFile(read: (pem: string) => KeyObject) {
  return (path: string): Result<KeyObject, string> => {
    const pem = pemFile(path);
    if (!pem.ok) return pem;
    // Node makes a public key of a private one, which has no business here.
    if (read === createPublicKey && pem.value.includes('PRIVATE KEY'))
      return fail('must name a file with the public key alone');
    try {
      const key = read(pem.value);
      return key.asymmetricKeyType === 'ed25519' ? ok(key) : fail(wanted);
    } catch {
      return fail(wanted);
    }
  };
}

import { bad, type Finding, ok } from '@countersign/local/doctor/finding';
import type { Env } from '@countersign/service/config';
import { addressOfPrivateKey } from '@countersign/service/ethereum/signature';

/** Variables that hold one secret each, and how it is written. */
const kept = {
  EVM_PRIVATE_KEY: 'hex',
  ANCHOR_PRIVATE_KEY: 'hex',
  FACILITATOR_PRIVATE_KEY: 'hex',
  MERCHANT_PRIVATE_KEY: 'hex',
  EVIDENCE_KEY: 'base64',
  WEBHOOK_SECRET: 'base64',
} as const;

type Secret = { readonly name: string; readonly bytes: Buffer };

/** Keys that are weak or serve twice, in words that tell nothing of them. Their form is what the services check. */
export function keyFindings(env: Env): readonly Finding[] {
  const secrets = [...namedSecrets(env), ...tokens(env)];
  if (secrets.length === 0) return [];
  const wrong = [...secrets.flatMap(whyWeak), ...twice(secrets), ...passwordOf(env)];
  return wrong.length === 0 ? [ok('keys and tokens are random, and each serves once')] : wrong.map(bad);
}

const namedSecrets = (env: Env): readonly Secret[] =>
  Object.entries(kept).flatMap(([name, form]) =>
    // While receivers switch WEBHOOK_SECRET has two.
    wordsOf(env[name], ' ').map((text) => ({
      name,
      bytes: Buffer.from(text.replace(/^(0x|whsec_)/, ''), form),
    })),
  );

const tokens = (env: Env): readonly Secret[] =>
  wordsOf(env['GATEWAY_AUTH_TOKENS'], ',').map((pair) => ({
    name: `GATEWAY_AUTH_TOKENS (${/^[\w.-]{1,64}(?=:)/.exec(pair)?.[0] ?? 'an entry'})`,
    bytes: bytesOfToken(pair.slice(pair.indexOf(':') + 1)),
  }));

/** Returns the decoded bytes of a hex token, so that the same key is recognized in another spelling. */
const bytesOfToken = (token: string): Buffer =>
  /^(0x)?([0-9a-f]{2}){16,}$/i.test(token)
    ? Buffer.from(token.replace(/^0x/, ''), 'hex')
    : Buffer.from(token);

const wordsOf = (text: string | undefined, between: string): readonly string[] =>
  (text ?? '')
    .split(between)
    .map((word) => word.trim())
    .filter((word) => word !== '');

/** A random text of 16 bytes has so many different ones but once in a billion. */
const [minBytes, minDifferent] = [16, 9];

function whyWeak({ name, bytes }: Secret): readonly string[] {
  if (bytes.length < minBytes)
    return [
      `${name} is shorter than ${minBytes} bytes and can be guessed: make one with "openssl rand -hex 32"`,
    ];
  if (new Set(bytes).size < minDifferent)
    return [`${name} is not random, so it can be guessed: make one with "openssl rand -hex 32"`];
  const address = bytes.length === 32 ? addressOf(bytes) : null;
  return address !== null && ofTestChains.has(address)
    ? [
        `${name} is a test key that everybody knows (anvil, hardhat): make one with "npx countersign wallet new"`,
      ]
    : [];
}

function addressOf(bytes: Buffer): string | null {
  try {
    return addressOfPrivateKey(bytes);
  } catch {
    return null;
  }
}

/** Accounts of the mnemonic “test test test test test test test test test test test junk”. */
const ofTestChains: ReadonlySet<string> = new Set([
  '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
  '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65',
  '0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc',
  '0x976EA74026E726554dB657fA54763abd0C3a0aa9',
  '0x14dC79964da2C08b23698B3D3cc7Ca32193d9955',
  '0x23618e81E3f5cdF7f54C3d65f7FBc0aBf5B21E8f',
  '0xa0Ee7A142d267C1f36714E4a8F75612F20a79720',
]);

function twice(secrets: readonly Secret[]): readonly string[] {
  return secrets.flatMap(({ name, bytes }, n) => {
    const other = secrets.slice(0, n).find((each) => each.bytes.equals(bytes));
    return other === undefined
      ? []
      : [`${name} is the same key as ${other.name}, so whoever has one has both: make a new one`];
  });
}

/** Passwords that stand in examples. */
const known = new Set([
  '',
  'postgres',
  'password',
  'countersign',
  'secret',
  'changeme',
  '0123',
  'admin',
  'test',
]);

function passwordOf(env: Env): readonly string[] {
  return ['DATABASE_URL', 'GATEWAY_DATABASE_URL'].flatMap((name) => {
    const [, password, host = ''] =
      /^postgres(?:ql)?:\/\/[^:@/]*:?([^@/]*)@([^/:]*)/.exec(env[name] ?? '') ?? [];
    const isLocal = ['localhost', '127.0.0.1', '[', ''].includes(host);
    return password !== undefined && !isLocal && known.has(password.toLowerCase())
      ? [`${name} has a password that everybody tries first: give the role a random one`]
      : [];
  });
}

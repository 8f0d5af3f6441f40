import { isDeepStrictEqual } from 'node:util';
import type { Address } from '@countersign/protocol/address';
import { decisionFields } from '@countersign/protocol/control/decision';
import { agentWalletDomain, agentWalletTypes } from '@countersign/protocol/dashboard/agent-wallet';
import { intentMandateDomain, intentMandateTypes } from '@countersign/protocol/dashboard/mandate-credential';
import { paymentMandateDomain, paymentMandateTypes } from '@countersign/protocol/gateway/payment-mandate';
import { fail, ok, type Result } from '@countersign/protocol/result';
import { hashMessage } from '@countersign/service/ethereum/message';
import { signHash } from '@countersign/service/ethereum/signature';
import {
  type Domain,
  type Field,
  typedDataHasher,
  type Value,
} from '@countersign/service/ethereum/typed-data';
import { createSiweMessage, parseSiweMessage, type SiweMessage } from 'viem/siwe';
import { z } from 'zod';
import type { Wallet } from '../keys.ts';
import { keyBytes } from '../private-key.ts';

/** A page's request for a signature. */
export const wish = z.union([
  z.strictObject({ text: z.string().max(10_000) }),
  z.strictObject({
    typedData: z.object({
      domain: z.record(z.string(), z.unknown()),
      types: z.record(z.string(), z.unknown()),
      primaryType: z.string(),
      message: z.record(z.string(), z.union([z.string(), z.number().int(), z.array(z.string())])),
    }),
  }),
]);
export type Wish = z.infer<typeof wish>;

type About = { readonly wallet: Wallet; readonly origin: string; readonly chainId: number };

/**
 * The signature of a demo key, over nothing but what the console has people sign: a message of EIP-4361 for this very
 * origin, a mandate, an approval, a decision, a statement about an agent wallet. A transfer of money or a merchant's cart is none of these.
 */
export function signWish(wanted: Wish, about: About): Result<`0x${string}`, string> {
  const hash =
    'text' in wanted ? hashOfText(wanted.text, about) : hashOfTypedData(wanted.typedData, about.chainId);
  return hash.ok ? ok(signHash(hash.value, keyBytes(about.wallet.privateKey))) : hash;
}

function hashOfText(text: string, { wallet, origin, chainId }: About): Result<Uint8Array, string> {
  const message = readMessage(text);
  const isOurs =
    message !== null &&
    message.domain === new URL(origin).host &&
    message.uri === origin &&
    message.chainId === chainId &&
    isSame(message.address, wallet.address);
  return isOurs
    ? ok(hashMessage(text))
    : fail('only messages of EIP-4361 for this origin and key are signed');
}

/** Null for a text that is not the very message it reads as. */
function readMessage(text: string): SiweMessage | null {
  try {
    const fields = parseSiweMessage(text) as SiweMessage;
    return createSiweMessage(fields) === text ? fields : null;
  } catch {
    return null;
  }
}

const isSame = (one: string, other: Address): boolean => one.toLowerCase() === other.toLowerCase();

type Fields = readonly Field[];
type Known = { readonly fields: Fields; readonly domain: (chainId: number) => Domain };

const known: Readonly<Record<string, Known>> = {
  IntentMandate: { fields: intentMandateTypes.IntentMandate, domain: intentMandateDomain },
  PaymentMandate: { fields: paymentMandateTypes.PaymentMandate, domain: paymentMandateDomain },
  AgentWallet: { fields: agentWalletTypes.AgentWallet, domain: agentWalletDomain },
  ExecutionDecision: { fields: decisionFields, domain: () => ({ name: 'Countersign', version: '1' }) },
};

type TypedData = Extract<Wish, { typedData: unknown }>['typedData'];

function hashOfTypedData(data: TypedData, chainId: number): Result<Uint8Array, string> {
  const { primaryType, types, domain, message } = data;
  const ours = Object.hasOwn(known, primaryType) ? known[primaryType] : undefined;
  if (ours === undefined || !isDeepStrictEqual(types[primaryType], ours.fields))
    return fail('only mandates, approvals, decisions and agent wallets are signed');
  if (!isDeepStrictEqual(domain, ours.domain(chainId))) return fail('this is for another program or chain');
  const values = valuesOf(ours.fields, message);
  if (values === null) return fail('a field is missing or is not of its type');
  return ok(typedDataHasher(primaryType, ours.fields)(ours.domain(chainId), values));
}

const patterns = {
  string: /^/,
  address: /^0x[0-9a-f]{40}$/i,
  bytes32: /^0x[0-9a-f]{64}$/i,
  uint256: /^\d{1,77}$/,
};

type Values = Readonly<Record<string, Value>>;

/** Exactly the fields of the type, each as the hasher wants it; null if that cannot be. */
function valuesOf(fields: Fields, message: TypedData['message']): Values | null {
  if (Object.keys(message).length !== fields.length) return null;
  const values: Record<string, Value> = {};
  for (const { name, type } of fields) {
    const given = message[name];
    if (Array.isArray(given) || type === 'string[]') {
      if (!Array.isArray(given) || type !== 'string[]') return null;
      values[name] = given;
      continue;
    }
    const fits = type === 'uint256' || typeof given === 'string';
    if (given === undefined || !fits || !patterns[type].test(String(given))) return null;
    values[name] = type === 'uint256' ? BigInt(given) : String(given);
  }
  return values;
}

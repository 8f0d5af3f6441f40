import { formatAmount } from '@countersign/protocol/amount';
import { keccak256 } from '@countersign/service/ethereum/keccak';
import type { PaymentChallenge, PaymentCredential } from '@countersign/protocol/gateway/payment-challenge';
import type { Authorization } from '@countersign/protocol/gateway/x402';
import type { PaymentEntry } from '../ports/payment-entry.ts';
import { canonicalText, sha256 } from '../canonical.ts';
import type { ToolCall } from '../ports/tool-call.ts';
import type { Wallet } from '../ports/wallet.ts';
import { challengeNonce, endsAt } from '../rules/charge.ts';
import type { Demand } from '../rules/demand.ts';
import { hashAuthorization } from './authorization.ts';
import { signPermitted } from './permit2.ts';

/** The RFC 8785 text of the call's arguments. */
export const argumentsText = (call: ToolCall): string => canonicalText(call.arguments);

/** keccak256 of the RFC 8785 text of the call's arguments. */
export function hashArguments(call: ToolCall): `0x${string}` {
  return `0x${Buffer.from(keccak256(argumentsText(call))).toString('hex')}`;
}

/** SHA-256 over what makes two calls the same call; guards an idempotency key against another use. */
export function hashCall(call: ToolCall): string {
  return sha256(canonicalText([call.serviceId, call.toolName, call.arguments]));
}

/** An agent's own name for a call: another agent that hits on the same key means another call. Null without a key. */
export const keyOf = ({ agent, idempotencyKey }: ToolCall): string | null =>
  idempotencyKey === undefined ? null : JSON.stringify([agent, idempotencyKey]);

/**
 * Names a logical call, so that it is known again whatever the service asks for the second time, and whatever the agent
 * asks for with the same key: one key pays once. Null without a key.
 */
export function nameCall(call: ToolCall): string | null {
  const key = keyOf(call);
  return key === null ? null : sha256(key);
}

/**
 * Names a decision, and is the nonce of its payment: the same logical call on the same terms has the same one, so
 * it can settle once, by the rule of the token or of Permit2. Nobody without the wallet can tell two of them apart from random.
 */
export function deriveNonce(
  wallet: Wallet,
  call: ToolCall,
  demand: Demand,
  mandateId: string | null,
): `0x${string}` {
  const { serviceId, toolName } = call;
  const key = keyOf(call) ?? call.orphan?.asker?.traceId ?? call.traceId;
  return wallet.derive(
    canonicalText([serviceId, toolName, hashArguments(call), demand.accepted, mandateId, key]),
  );
}

/** The nonce on chain. A challenge demands its own, and then the journal alone keeps one decision to one payment. */
export function namesOf(
  { challenge }: Demand,
  decision: `0x${string}`,
): Pick<PaymentEntry, 'decision'> & { readonly nonce: `0x${string}` } {
  return challenge === null ? { nonce: decision } : { nonce: challengeNonce(challenge), decision };
}

/** What is known of a payment before it is signed. */
type Unsigned = { readonly nonce: `0x${string}` } & Pick<
  PaymentEntry,
  'decision' | 'callKey' | 'callHash' | 'asker' | 'mandateId' | 'day' | 'holdId' | 'heldUntil' | 'ifSettled'
>;

/** A signed payment, and what goes with it in the extensions that the service offers. */
type Signed = { readonly payload: object; readonly info: Readonly<Record<string, object>> };

/**
 * Signs the payment that was decided. `now` is Unix milliseconds, `approvalNonce` that of an approval of Permit2 that goes with
 * it.
 */
export function signPayment(
  wallet: Wallet,
  demand: Demand,
  unsigned: Unsigned,
  now: number,
  approvalNonce: bigint | null = null,
): PaymentEntry {
  const seconds = Math.floor(now / 1000);
  const longest = seconds + demand.maxTimeoutSeconds;
  const validBefore = demand.challenge === null ? longest : Math.min(longest, endsAt(demand.challenge));
  const about = { nonce: unsigned.nonce, validBefore, approvalNonce };
  const payload =
    demand.by.kind === 'eip3009'
      ? payloadByAuthorization(wallet, demand, about, seconds)
      : payloadOf(demand, signPermitted(wallet, demand, about), unsigned.nonce);
  return {
    ...unsigned,
    amount: formatAmount(demand.amount),
    ...(demand.by.kind === 'upto' && { decimals: demand.token.decimals }),
    payer: wallet.address,
    asset: demand.token.address,
    validBefore,
    openedAt: now,
    payload,
  };
}

/** EIP-3009 `TransferWithAuthorization`. */
function payloadByAuthorization(
  wallet: Wallet,
  demand: Demand,
  { nonce, validBefore }: { readonly nonce: `0x${string}`; readonly validBefore: number },
  seconds: number,
): object {
  const authorization: Authorization = {
    from: wallet.address,
    to: demand.payTo,
    value: demand.units.toString(),
    // Ten minutes back, as the reference client does for v1: clocks of chains and machines differ.
    validAfter: demand.x402Version === 1 ? String(seconds - 600) : '0',
    validBefore: String(validBefore),
    nonce,
  };
  const payload = { authorization, signature: wallet.sign(hashAuthorization(authorization, demand.token)) };
  return demand.challenge === null
    ? payloadOf(demand, { payload, info: {} }, nonce)
    : credentialFor(demand, demand.challenge, payload);
}

/** x402 PaymentPayload, v1 or v2: v2 echoes the requirement and the resource, v1 only names scheme and network. */
function payloadOf(demand: Demand, { payload, info }: Signed, nonce: string): object {
  if (demand.x402Version === 1) return { x402Version: 1, scheme: 'exact', network: demand.network, payload };
  return {
    x402Version: 2,
    ...(demand.resource !== undefined && { resource: demand.resource }),
    accepted: demand.accepted,
    payload,
    ...(demand.extensions !== null && { extensions: echoExtensions(demand.extensions, nonce, info) }),
  };
}

const credentialFor = (
  { chainId }: Demand,
  challenge: PaymentChallenge,
  { authorization, signature }: { readonly authorization: Authorization; readonly signature: string },
): PaymentCredential => ({
  challenge,
  payload: { type: 'authorization', ...authorization, signature },
  source: `did:pkh:eip155:${chainId}:${authorization.from}`,
});

/**
 * Extensions are echoed as they were offered, with what we say in them: `payment-identifier`, where offered, gets an id that repeats
 * with the same decision.
 */
function echoExtensions(
  extensions: Readonly<Record<string, unknown>>,
  nonce: string,
  info: Signed['info'],
): object {
  const said = Object.entries({ 'payment-identifier': { id: nonce.slice(2) }, ...info });
  const filled = said.flatMap(([name, ours]) => {
    const offered = extensions[name] as { info?: object } | null | undefined;
    if (typeof offered !== 'object' || offered === null) return [];
    return [[name, { ...offered, info: { ...offered.info, ...ours } }]];
  });
  return { ...extensions, ...Object.fromEntries(filled) };
}

import { paymentMetaKey, paymentResponseMetaKey } from '@countersign/protocol/gateway/x402';

/**
 * How a service asks for its money over MCP, and so how it is paid. `specified`: as the specification has it, or
 * with a JSON-RPC error. `meta-error`: the price stands in `_meta["x402/error"]`, and the payment is wanted as text.
 * `dotted-keys`: the first x402 servers, whose keys have a dot.
 */
export type Dialect = 'specified' | 'meta-error' | 'dotted-keys';

const dottedPaymentKey = 'x402.payment';
const dottedResponseKey = 'x402.payment-response';
const errorMetaKey = 'x402/error';

type Meta = Readonly<Record<string, unknown>>;

/** The `_meta` that carries a payment in this dialect. */
export const paymentMeta: Readonly<Record<Dialect, (payment: object) => Meta>> = {
  specified: (payment) => ({ [paymentMetaKey]: payment }),
  'meta-error': (payment) => ({ [paymentMetaKey]: base64(payment) }),
  // Whoever understands both keys reads the one that the specification names.
  'dotted-keys': (payment) => ({ [paymentMetaKey]: payment, [dottedPaymentKey]: base64(payment) }),
};

/** Returns the service's statement about settlement, under its dialect's key. */
export function settlementIn(meta: Meta | undefined, dialect: Dialect): unknown {
  const specified = meta?.[paymentResponseMetaKey];
  return dialect === 'dotted-keys' ? (meta?.[dottedResponseKey] ?? specified) : specified;
}

/**
 * Returns whether a price is one of the first servers': v1, from a tool with the hint or with their key in
 * its `error`.
 */
export function isDotted(requirement: unknown, annotations: Meta | undefined): boolean {
  if (!isObject(requirement) || requirement['x402Version'] !== 1) return false;
  const { error } = requirement;
  return annotations?.['paymentHint'] === true || (typeof error === 'string' && namesDottedKey(error));
}

// `_meta["x402.payment"]`, and as those servers spell it, `_meta.x402.payment`.
const namesDottedKey = (error: string): boolean => /\bx402\.payment\b/.test(error);

const paymentRequiredCode = 402;
/** MCP's own code for "open this URL first", which some services use for money. */
const urlElicitationCode = -32042;

/** The price in a JSON-RPC error, which says so by its code; undefined when it is another error. */
export function requirementInError(code: number, data: unknown): unknown {
  if (code === paymentRequiredCode) return asksForMoney(data) ? data : undefined;
  if (code !== urlElicitationCode || !isObject(data) || 'elicitations' in data) return undefined;
  return [data['x402'], data].find(asksForMoney);
}

/** A price, bare or under the key of errors, there also as `{code: 402, data}`: so do `_meta` and older texts. */
export function requirementIn(value: unknown): unknown {
  if (asksForMoney(value)) return value;
  const error = isObject(value) ? value[errorMetaKey] : undefined;
  return [error, isObject(error) ? error['data'] : undefined].find(asksForMoney);
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const asksForMoney = (value: unknown): boolean =>
  isObject(value) && ('x402Version' in value || 'accepts' in value);

const base64 = (payment: object): string => Buffer.from(JSON.stringify(payment)).toString('base64');

import { type PaymentChallenge, paymentChallenge } from '@countersign/protocol/gateway/payment-challenge';

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const scheme = new RegExp(`[\\s,]*(${token})(?=[ ,]|$)`, 'y');
const parameter = new RegExp(
  `[\\s,]*(${token})[ \\t]*=[ \\t]*(?:(${token})|"((?:[^"\\\\]|\\\\.)*)")[ \\t]*(?=,|$)`,
  'y',
);
/** As of `Basic` and `Negotiate`. */
const token68 = /[ ]+[A-Za-z0-9._~+/-]+=*[ \t]*(?=,|$)/y;
const separators = /[\s,]*$/y;

/**
 * The challenges of the scheme `Payment` in a `WWW-Authenticate` (RFC 9110, 11.6.1), whatever others stand beside them. Null
 * where one of them or the header itself makes no sense: two readers may then read two prices.
 */
export function challengesIn(header: string): readonly PaymentChallenge[] | null {
  const found: PaymentChallenge[] = [];
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const match = pattern.exec(header);
    if (match !== null) at = pattern.lastIndex;
    return match;
  };
  while (take(separators) === null) {
    const name = take(scheme)?.[1]?.toLowerCase();
    if (name === undefined) return null;
    const parameters = new Map<string, string>();
    for (let read = take(parameter); read !== null; read = take(parameter)) {
      const [, key = '', bare, quoted = ''] = read;
      if (parameters.has(key.toLowerCase())) return null;
      parameters.set(key.toLowerCase(), bare ?? quoted.replace(/\\(.)/g, '$1'));
    }
    if (parameters.size === 0) take(token68);
    if (name !== 'payment') continue;
    const parsed = paymentChallenge.safeParse(Object.fromEntries(parameters));
    if (!parsed.success) return null;
    found.push(parsed.data);
  }
  return found;
}

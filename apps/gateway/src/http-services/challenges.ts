import { type PaymentChallenge, paymentChallenge } from '@countersign/protocol/gateway/payment-challenge';

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const scheme = new RegExp(`[\\s,]*(${token})(?=[ ,]|$)`, 'y');
const parameter = new RegExp(
  `[\\s,]*(${token})[ \\t]*=[ \\t]*(?:(${token})|"((?:[^"\\\\]|\\\\.)*)")[ \\t]*(?=,|$)`,
  'y',
);
/** The token68 form of credentials, as in `Basic` and `Negotiate`. */
const token68 = /[ ]+[A-Za-z0-9._~+/-]+=*[ \t]*(?=,|$)/y;
const separators = /[\s,]*$/y;

/**
 * The challenges of the scheme `Payment` in a `WWW-Authenticate` (RFC 9110, 11.6.1), whatever others stand beside them. Null
 * where one of them or the header itself makes no sense: two readers may then read two prices.
 */
export function challengesIn(header: string): readonly PaymentChallenge[] | null {
  const found: PaymentChallenge[] = [];
  const take = reader(header);
  while (take(separators) === null) {
    const name = take(scheme)?.[1]?.toLowerCase();
    const parameters = name === undefined ? null : parametersIn(take);
    if (parameters === null) return null;
    if (name !== 'payment') continue;
    const parsed = paymentChallenge.safeParse(Object.fromEntries(parameters));
    if (!parsed.success) return null;
    found.push(parsed.data);
  }
  return found;
}

/** Takes what comes next, where it is what was asked for. */
type Take = (pattern: RegExp) => RegExpExecArray | null;

function reader(text: string): Take {
  let at = 0;
  return (pattern) => {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match !== null) at = pattern.lastIndex;
    return match;
  };
}

/** Returns the parameters of one challenge; null if one occurs twice. */
function parametersIn(take: Take): ReadonlyMap<string, string> | null {
  const parameters = new Map<string, string>();
  for (let read = take(parameter); read !== null; read = take(parameter)) {
    const [, name = '', bare, quoted = ''] = read;
    const key = name.toLowerCase();
    if (parameters.has(key)) return null;
    parameters.set(key, bare ?? quoted.replace(/\\(.)/g, '$1'));
  }
  if (parameters.size === 0) take(token68);
  return parameters;
}

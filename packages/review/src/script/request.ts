import type { CallExpression } from 'acorn';
import { type Literal, literalOf, plainTextOf, type Scope, textOf } from './literal.ts';
import type { Piece } from './pieces.ts';

/** A request of a script, as it stands in its text: what it is was read, not run. */
export type PresentedRequest = {
  /** As written, so maybe relative. */
  readonly url: string;
  /** Upper-case. */
  readonly method: 'POST' | 'PUT' | 'PATCH';
  readonly headers: Readonly<Record<string, string>>;
  readonly credentials: 'omit' | 'same-origin' | 'include';
  readonly body: readonly Piece[];
};

/** The last ones change nothing of what is sent. */
const options = new Set(
  'method credentials body headers mode cache redirect referrerPolicy keepalive'.split(' '),
);
const methods = ['POST', 'PUT', 'PATCH'] as const;
const credentialsModes = ['same-origin', 'include', 'omit'] as const;

/** Null for one that is not literal, or sends no body. */
export function requestOf(call: CallExpression, scope: Scope): PresentedRequest | null {
  const [address, options, ...more] = call.arguments;
  if (address === undefined || options === undefined || more.length > 0) return null;
  const url = plainTextOf(literalOf(address, scope));
  const given = literalOf(options, scope);
  return given?.kind === 'object' && url !== null ? withOptions(url, new Map(given.members), scope) : null;
}

function withOptions(
  url: string,
  given: ReadonlyMap<string, Literal>,
  scope: Scope,
): PresentedRequest | null {
  const plain = (name: string): string | null => plainTextOf(given.get(name) ?? null);
  const method = methods.find((one) => one === plain('method')?.toUpperCase());
  const credentials = credentialsModes.find((one) => one === (plain('credentials') ?? 'same-origin'));
  const content = given.get('body') ?? null;
  const body = textOf(content, scope);
  const headers = headersOf(given.get('headers') ?? null);
  const isKnown = [...given.keys()].every((name) => options.has(name));
  if (!isKnown || method === undefined || credentials === undefined || body === null || headers === null)
    return null;
  const type = content?.kind === 'form' ? { 'content-type': formType } : {};
  return { url, method, credentials, body, headers: { ...type, ...headers } };
}

const formType = 'application/x-www-form-urlencoded;charset=UTF-8';

function headersOf(headers: Literal | null): Record<string, string> | null {
  if (headers === null) return {};
  if (headers.kind !== 'object') return null;
  const entries = headers.members.map(([name, value]) => [name.toLowerCase(), plainTextOf(value)] as const);
  return entries.every((entry): entry is [string, string] => entry[1] !== null)
    ? Object.fromEntries(entries)
    : null;
}

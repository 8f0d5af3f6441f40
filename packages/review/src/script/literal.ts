import type { AnyNode, CallExpression, NewExpression, ObjectExpression } from 'acorn';
import { memberName } from './kinds.ts';
import { type ByType, byType } from './nodes.ts';
import { placeholderNamed, splitAtMarkers } from './parse.ts';
import { type Piece, plainText, within } from './pieces.ts';

/** What an expression is without running anything. */
export type Literal =
  | { readonly kind: 'text' | 'form'; readonly pieces: readonly Piece[] }
  /** A placeholder that is an object: in JSON its JSON, elsewhere the text of it. */
  | { readonly kind: 'object-placeholder'; readonly pieces: readonly Piece[] }
  | (Whole & {
      readonly kind: 'object';
      readonly members: readonly (readonly [name: string, value: Literal])[];
    })
  | (Whole & { readonly kind: 'list'; readonly items: readonly Literal[] })
  | { readonly kind: 'plain'; readonly value: number | boolean | null };

/** What is known of all parts of an object or list; the same part may stand in it many times. */
type Whole = { readonly depth: number; readonly holdsPlaceholder: boolean };

/** What expressions may name, and how much more may be looked at and written, in nodes and characters. */
export type Scope = {
  /** Field of each placeholder of the script. */
  readonly fields: readonly string[];
  readonly constant: (name: string, depth: number) => Literal | null;
  steps: number;
};

/** Of the fields of credentials these are objects; the others are texts. */
const objectFields = new Set(['credential_json']);

const deepest = 64;

/** Null for what is no literal, or is too large. */
export function literalOf(node: AnyNode, scope: Scope, depth = 0): Literal | null {
  if (depth > deepest || scope.steps-- <= 0) return null;
  return byType(literals, node, { scope, depth, inner: (one) => literalOf(one, scope, depth + 1) });
}

type Around = { readonly scope: Scope; readonly depth: number; readonly inner: Inner };

const literals: ByType<[Around], Literal | null> = {
  Literal: ({ value }) => ofLiteral(value),
  Identifier: ({ name }, { scope, depth }) => {
    const placeholder = placeholderNamed(name);
    return placeholder === null ? scope.constant(name, depth + 1) : ofPlaceholder(placeholder, scope);
  },
  TemplateLiteral: ({ quasis, expressions }, { scope, inner }) =>
    joined(
      quasis.flatMap(({ value }, i) => {
        const next = expressions[i];
        const text = textOf(ofLiteral(value.cooked ?? ''), scope);
        return next === undefined ? [text] : [text, textOf(inner(next), scope)];
      }),
    ),
  BinaryExpression: ({ operator, left, right }, { scope, inner }) =>
    operator === '+' && left.type !== 'PrivateIdentifier'
      ? joined([textOf(inner(left), scope), textOf(inner(right), scope)])
      : null,
  ArrayExpression: ({ elements }, { inner }) => {
    const items = elements.map((one) => (one === null ? null : inner(one)));
    if (!items.every((one) => one !== null)) return null;
    return notTooDeep({ kind: 'list', items, ...wholeOf(items) });
  },
  ObjectExpression: (node, { inner }) => ofObject(node, inner),
  CallExpression: (node, around) => ofCall(node, around),
  NewExpression: (node, { scope, inner }) => ofNew(node, inner, scope),
};

type Inner = (node: AnyNode) => Literal | null;

function ofLiteral(value: unknown): Literal | null {
  if (typeof value === 'string')
    return {
      kind: 'text',
      pieces: splitAtMarkers(value).map((part) =>
        typeof part === 'string' ? part : { placeholder: part, layers: [] },
      ),
    };
  const isPlain = typeof value === 'number' || typeof value === 'boolean' || value === null;
  return isPlain ? { kind: 'plain', value } : null;
}

const ofPlaceholder = (placeholder: number, { fields }: Scope): Literal => ({
  kind: objectFields.has(fields[placeholder] ?? '') ? 'object-placeholder' : 'text',
  pieces: [{ placeholder, layers: [] }],
});

function joined(texts: readonly (readonly Piece[] | null)[]): Literal | null {
  return texts.every((one) => one !== null) ? { kind: 'text', pieces: texts.flat() } : null;
}

function ofObject({ properties }: ObjectExpression, inner: Inner): Literal | null {
  const members = new Map<string, Literal>();
  for (const property of properties) {
    if (property.type !== 'Property' || property.kind !== 'init' || property.computed) return null;
    const { key } = property;
    const name =
      key.type === 'Identifier' ? key.name : key.type === 'Literal' ? String(key.value) : '__proto__';
    const value = inner(property.value);
    const isPlainName =
      name !== '__proto__' && splitAtMarkers(name).every((part) => typeof part === 'string');
    if (value === null || !isPlainName || members.has(name)) return null;
    members.set(name, value);
  }
  return notTooDeep({ kind: 'object', members: [...members], ...wholeOf([...members.values()]) });
}

const wholeOf = (parts: readonly Literal[]): Whole => ({
  depth: 1 + parts.reduce((most, part) => Math.max(most, 'depth' in part ? part.depth : 0), 0),
  holdsPlaceholder: parts.some(holdsPlaceholder),
});

const notTooDeep = (value: Literal & Whole): Literal | null => (value.depth > deepest ? null : value);

export function holdsPlaceholder(value: Literal): boolean {
  if (value.kind === 'plain') return false;
  return 'pieces' in value ? plainText(value.pieces) === null : value.holdsPlaceholder;
}

function ofCall({ callee, arguments: given }: CallExpression, { scope, inner }: Around): Literal | null {
  const [first, ...more] = given;
  if (more.length > 0) return null;
  if (callee.type === 'Identifier')
    return first === undefined ? null : ofFunction(callee.name, inner(first), scope);
  if (callee.type !== 'MemberExpression') return null;
  const { object } = callee;
  const name = memberName(callee);
  if (object.type === 'Identifier' && object.name === 'JSON')
    return first === undefined ? null : ofJson(name, inner(first), scope);
  const whole = name === 'toString' && first === undefined ? inner(object) : null;
  return whole?.kind === 'form' ? { kind: 'text', pieces: whole.pieces } : null;
}

function ofFunction(name: string, value: Literal | null, scope: Scope): Literal | null {
  const text = textOf(value, scope);
  if (text === null) return null;
  if (name === 'String') return { kind: 'text', pieces: text };
  return name === 'encodeURIComponent' ? { kind: 'text', pieces: within('uri', text) } : null;
}

function ofJson(name: string | null, value: Literal | null, scope: Scope): Literal | null {
  if (value === null) return null;
  if (name === 'stringify') {
    const pieces = jsonOf(value, scope);
    return pieces && { kind: 'text', pieces };
  }
  const isText = value.kind === 'object-placeholder' || (value.kind === 'text' && value.pieces.length === 1);
  const [only] = isText ? value.pieces : [];
  return name === 'parse' && typeof only === 'object' && only.layers.length === 0
    ? ofPlaceholder(only.placeholder, scope)
    : null;
}

function ofNew({ callee, arguments: given }: NewExpression, inner: Inner, scope: Scope): Literal | null {
  const [first] = given;
  if (callee.type !== 'Identifier' || callee.name !== 'URLSearchParams' || first === undefined) return null;
  const value = inner(first);
  if (value?.kind !== 'object') return null;
  const pairs = value.members.map(([name, one]): Piece[] | null => {
    const text = textOf(one, scope);
    return text && [...within('form', [name]), '=', ...within('form', text)];
  });
  if (!pairs.every((pair) => pair !== null)) return null;
  return { kind: 'form', pieces: pairs.flatMap((pair, i) => (i === 0 ? pair : ['&', ...pair])) };
}

/** As a body or part of a longer text. */
export function textOf(value: Literal | null, scope: Scope): readonly Piece[] | null {
  if (value === null || value.kind === 'object' || value.kind === 'list') return null;
  return value.kind === 'plain' ? [String(value.value)] : spent(value.pieces, scope);
}

/** Each copy of a text is paid for, so that texts within texts do not grow without end. */
function spent(pieces: readonly Piece[], scope: Scope): readonly Piece[] | null {
  scope.steps -= pieces.reduce((sum, piece) => sum + (typeof piece === 'string' ? piece.length : 1), 1);
  return scope.steps > 0 ? pieces : null;
}

function jsonOf(value: Literal, scope: Scope): Piece[] | null {
  if (scope.steps-- <= 0) return null;
  switch (value.kind) {
    case 'plain':
      return [JSON.stringify(value.value)];
    case 'object-placeholder':
      return [...value.pieces];
    case 'text':
    case 'form':
      return value.kind === 'text' && spent(value.pieces, scope) !== null
        ? ['"', ...within('json', value.pieces), '"']
        : null;
    case 'list':
      return bracketed(
        '[',
        value.items.map((item) => jsonOf(item, scope)),
        ']',
      );
    case 'object': {
      const members = value.members.map(([name, one]) => {
        const json = jsonOf(one, scope);
        return json && [`${JSON.stringify(name)}:`, ...json];
      });
      return bracketed('{', members, '}');
    }
  }
}

function bracketed(open: string, parts: readonly (Piece[] | null)[], close: string): Piece[] | null {
  if (!parts.every((part) => part !== null)) return null;
  return [open, ...parts.flatMap((part, i) => (i === 0 ? part : [',', ...part])), close];
}

/** The text that an expression is, if no placeholder is in it. */
export function plainTextOf(value: Literal | null): string | null {
  return value?.kind === 'text' ? plainText(value.pieces) : null;
}

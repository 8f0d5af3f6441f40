import type { AnyNode, CallExpression } from 'acorn';
import { type ByType, byType } from './nodes.ts';

/** Whose a thing is: made by the script itself, of the page, or not known. */
export type Kind = 'own' | 'page' | 'unknown';

/** What the variables of a script are, by name alone, as far as the text was read. */
export type Kinds = {
  readonly declared: ReadonlySet<string>;
  readonly variables: Map<string, Kind>;
  readonly known: Map<AnyNode, Kind>;
  /** Counts what is looked at. */
  steps: number;
};

export const newKinds = (declared: ReadonlySet<string>): Kinds => ({
  declared,
  variables: new Map(),
  known: new Map(),
  steps: 0,
});

/** A name is of the page as soon as one of its variables is. */
export function learn({ variables }: Kinds, name: string, kind: Kind): void {
  const before = variables.get(name);
  if (before === undefined || before === kind) variables.set(name, kind);
  else variables.set(name, before === 'page' || kind === 'page' ? 'page' : 'unknown');
}

/** Each node is looked at once, so that chains of calls cost their length. */
export function kindOf(node: AnyNode, kinds: Kinds): Kind {
  const chain: AnyNode[] = [];
  let at: AnyNode = node;
  let kind = kinds.known.get(at);
  while (kind === undefined) {
    kinds.steps++;
    chain.push(at);
    const next = byType(madeFrom, at);
    if (next === null) kind = rootKind(at, kinds);
    else {
      at = next;
      kind = kinds.known.get(at);
    }
  }
  for (const one of chain) kinds.known.set(one, kind);
  return kind;
}

/** Makes something new of what it is called on. */
const makers = new Set(
  (
    'map flatMap reduce join split match matchAll exec test trim replaceAll toString toLowerCase toUpperCase json text ' +
    'keys createElement createElementNS createDocumentFragment createTextNode createRange cloneNode ' +
    'createTreeWalker createNodeIterator implementation parseFromString getBoundingClientRect localeCompare indexOf'
  ).split(' '),
);

/** The part of an expression that says whose it is; null at the end of the chain. */
const madeFrom: ByType<[], AnyNode | null> = {
  CallExpression: (node) => calledOn(node),
  MemberExpression: ({ object }) => object,
  ChainExpression: ({ expression }) => expression,
  AwaitExpression: ({ argument }) => argument,
  SpreadElement: ({ argument }) => argument,
  ArrayExpression: ({ elements: [only, ...more] }) =>
    more.length === 0 && only?.type === 'SpreadElement' ? only : null,
  LogicalExpression: ({ left }) => left,
  AssignmentExpression: ({ right }) => right,
  ConditionalExpression: ({ consequent }) => consequent,
  SequenceExpression: ({ expressions }) => expressions.at(-1) ?? null,
};

function calledOn({ callee, arguments: given }: CallExpression): AnyNode | null {
  if (isArrayFrom(callee)) return given.length === 1 ? (given[0] ?? null) : null;
  return makers.has(memberName(callee) ?? '') ? null : callee;
}

const isArrayFrom = (callee: AnyNode): boolean =>
  callee.type === 'MemberExpression' &&
  memberName(callee) === 'from' &&
  callee.object.type === 'Identifier' &&
  callee.object.name === 'Array';

/** Objects of the language, whose functions make new things. */
const language = new Set(
  'Array Object JSON Math Number String Boolean Date Map Set Promise Symbol RegExp Intl BigInt Error URL structuredClone undefined'.split(
    ' ',
  ),
);

const unsettled = new Set([
  'FunctionExpression',
  'ArrowFunctionExpression',
  'YieldExpression',
  'ImportExpression',
]);

function rootKind(node: AnyNode, { declared, variables }: Kinds): Kind {
  if (node.type === 'Identifier') {
    if (declared.has(node.name)) return variables.get(node.name) ?? 'unknown';
    return language.has(node.name) ? 'own' : 'page';
  }
  return unsettled.has(node.type) ? 'unknown' : 'own';
}

/** The name of a member, if it is written out; null for what is no member. */
export function memberName(node: AnyNode): string | null {
  if (node.type !== 'MemberExpression') return null;
  const { property } = node;
  if (!node.computed) return property.type === 'Identifier' ? property.name : null;
  return property.type === 'Literal' && typeof property.value === 'string' ? property.value : null;
}

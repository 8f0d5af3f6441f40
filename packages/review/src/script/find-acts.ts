import type { AnyNode, CallExpression, Expression, Pattern, SpreadElement } from 'acorn';
import {
  type Act,
  actingGlobals,
  actingMembers,
  calledGlobals,
  calledMembers,
  calledOn,
  type Deed,
  membersOfElements,
  written,
} from './acts.ts';
import { kindOf, type Kinds, learn, memberName } from './kinds.ts';
import { type ByType, byType, innerPatterns, isFunction, isReference, type Visit } from './nodes.ts';

/** What a script would do beside reading, in the order of its text. What it cannot follow counts as reading. */
export function findActs(visits: readonly Visit[], kinds: Kinds): Act[] {
  const acts: Act[] = [];
  for (const visit of visits) {
    const { node } = visit;
    kinds.steps++;
    learnFrom(visit, kinds);
    const deed = byType(deeds, node, visit, kinds);
    if (deed !== null) acts.push({ ...deed, line: node.loc?.start.line ?? 1 });
  }
  return acts;
}

/** Parameters of functions that a list calls for each of its elements. */
const each = new Set(
  'forEach map filter find findLast findIndex some every flatMap sort toSorted'.split(' '),
);

function learnFrom({ node }: Visit, kinds: Kinds): void {
  if (node.type === 'VariableDeclarator' && node.init) learnPattern(node.id, node.init, kinds);
  else if (node.type === 'ForOfStatement' && node.left.type === 'VariableDeclaration') {
    const [declared] = node.left.declarations;
    if (declared !== undefined) learnPattern(declared.id, node.right, kinds);
  } else if (node.type === 'AssignmentExpression' && node.left.type === 'Identifier')
    learnPattern(node.left, node.right, kinds);
  else if (node.type === 'CallExpression') learnParameters(node, kinds);
}

/** A name, or the names into which a list or object is taken apart: what is taken out of a thing is whose the thing is. */
function learnPattern(pattern: Pattern, from: AnyNode, kinds: Kinds): void {
  const patterns = [pattern];
  for (let one = patterns.pop(); one !== undefined; one = patterns.pop())
    if (one.type === 'Identifier') learn(kinds, one.name, kindOf(from, kinds));
    else patterns.push(...innerPatterns(one));
}

function learnParameters({ callee, arguments: given }: CallExpression, kinds: Kinds): void {
  const name = memberName(callee);
  const [first, second] = given;
  if (name === null || callee.type !== 'MemberExpression' || first === undefined || !isFunction(first))
    return;
  const params = 'params' in first ? first.params : [];
  if (name === 'reduce') {
    const [sum, element] = params;
    if (sum && second) learnPattern(sum, second, kinds);
    if (element) learnPattern(element, callee.object, kinds);
  } else if (each.has(name)) for (const param of params) learnPattern(param, callee.object, kinds);
}

const deeds: ByType<[Visit, Kinds], Deed | null> = {
  Identifier: ({ name }, visit, { declared }) =>
    isReference(visit) && !declared.has(name) ? (actingGlobals.get(name) ?? null) : null,
  MemberExpression: (node, visit, kinds) => (isTarget(visit) ? writeTo(node, kinds) : named(node, kinds)),
  CallExpression: (node, _, kinds) => callOf(node, kinds),
  UnaryExpression: ({ operator, argument }, _, kinds) =>
    operator === 'delete' && argument.type === 'MemberExpression' ? writeTo(argument, kinds) : null,
  AssignmentExpression: ({ left }, _, kinds) =>
    left.type === 'Identifier' ? writeToName(left.name, kinds) : null,
  Property: ({ key }, visit) =>
    isTakenFromWindow(visit) && key.type === 'Identifier' ? (actingGlobals.get(key.name) ?? null) : null,
  ImportExpression: () => ({ what: 'code', instead: null }),
  WithStatement: () => ({ what: 'code', instead: null }),
};

/** In which part of what a member stands when something is written to it. */
const targets: ReadonlyMap<string, string> = new Map([
  ['AssignmentExpression', 'left'],
  ['AssignmentPattern', 'left'],
  ['ForInStatement', 'left'],
  ['ForOfStatement', 'left'],
  ['UpdateExpression', 'argument'],
  ['RestElement', 'argument'],
  ['ArrayPattern', 'elements'],
]);

function isTarget({ above, as }: Visit): boolean {
  if (above === null) return false;
  const isInPattern = above.node.type === 'Property' && above.above?.node.type === 'ObjectPattern';
  return isInPattern ? as === 'value' : targets.get(above.node.type) === as;
}

type Member = Extract<AnyNode, { type: 'MemberExpression' }>;

function writeTo(node: Member, kinds: Kinds): Deed | null {
  const name = memberName(node) ?? '';
  const kind = kindOf(node, kinds);
  if (kind === 'own') return null;
  const inner = nameOf(node.object) ?? '';
  if (storages.has(inner)) return { what: 'storage', instead: null };
  const isListener = name.startsWith('on');
  const isOfElement = isListener || membersOfElements.has(name) || partsOfElements.has(inner);
  if (kind === 'unknown' && !isOfElement) return null;
  return isListener ? { what: 'listener', instead: null } : (written.get(name) ?? markup);
}

const markup: Deed = { what: 'markup', instead: null };
const storages = new Set(['localStorage', 'sessionStorage']);
const partsOfElements = new Set(['style', 'dataset']);
const nameOf = (node: AnyNode): string | null => (node.type === 'Identifier' ? node.name : memberName(node));

/** To a variable of the script itself nothing happens; one that it forgot to declare is its own too. */
const writeToName = (name: string, { declared }: Kinds): Deed | null =>
  declared.has(name) || (name !== 'location' && !name.startsWith('on')) ? null : (written.get(name) ?? null);

function named(node: Member, kinds: Kinds): Deed | null {
  const name = memberName(node);
  if (name === null) return null;
  const deed = actingMembers.get(name);
  if (deed !== undefined) return kindOf(node.object, kinds) === 'own' ? null : deed;
  return name === 'set' && isCallOf(node.object, 'getOwnPropertyDescriptor')
    ? { what: 'write', instead: 'fill' }
    : null;
}

const isCallOf = (node: AnyNode, name: string): boolean =>
  node.type === 'CallExpression' && memberName(node.callee) === name;

function callOf({ callee, arguments: given }: CallExpression, kinds: Kinds): Deed | null {
  if (callee.type === 'Identifier') return globalCall(callee.name, kinds);
  return callee.type === 'MemberExpression' ? memberCall(callee, given, kinds) : null;
}

const globalCall = (name: string, { declared }: Kinds): Deed | null =>
  declared.has(name) ? null : (calledGlobals.get(name) ?? null);

function memberCall(callee: Member, given: CallExpression['arguments'], kinds: Kinds): Deed | null {
  const name = memberName(callee) ?? '';
  const { object } = callee;
  const on = nameOf(object) ?? '';
  const special = kinds.declared.has(on) ? undefined : calledOn.get(on);
  if (special !== undefined) return special.get(name) ?? null;
  if (on === 'Object' || on === 'Reflect') return definition(name, given, kinds);
  if (isWindow(object)) return globalCall(name, kinds);
  const deed = calledMembers.get(name);
  return deed === undefined || kindOf(object, kinds) === 'own' ? null : deed;
}

const windows = new Set(['window', 'globalThis', 'self', 'top', 'parent']);
const isWindow = (node: AnyNode): boolean => node.type === 'Identifier' && windows.has(node.name);

/** `const { fetch } = window` */
function isTakenFromWindow({ above }: Visit): boolean {
  const parent = above?.above?.node;
  return (
    above?.node.type === 'ObjectPattern' &&
    parent?.type === 'VariableDeclarator' &&
    parent.init != null &&
    isWindow(parent.init)
  );
}

const definitions = new Set(
  'assign defineProperty defineProperties setPrototypeOf set deleteProperty'.split(' '),
);

function definition(
  name: string,
  [target]: readonly (Expression | SpreadElement)[],
  kinds: Kinds,
): Deed | null {
  if (!definitions.has(name) || target === undefined || kindOf(target, kinds) !== 'page') return null;
  return markup;
}

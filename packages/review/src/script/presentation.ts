import type { AnyNode, CallExpression } from 'acorn';
import { holdsPlaceholder, type Literal, literalOf, type Scope } from './literal.ts';
import { isReference, type Visit } from './nodes.ts';
import { plainText } from './pieces.ts';
import { type PresentedRequest, requestOf } from './request.ts';

/** Requests that present a credential, and what is then left of the script. */
export type Presentations = {
  readonly requests: readonly PresentedRequest[];
  /** The body of a function in which each of these calls of `fetch` is without arguments. */
  readonly rest: string;
  /** Spans of the text that are not in `rest`. */
  readonly cuts: readonly Cut[];
  /** What stands for `fetch` in them. */
  readonly callees: ReadonlySet<AnyNode>;
};

type Cut = { readonly start: number; readonly end: number; readonly put: string };

type Script = {
  readonly visits: readonly Visit[];
  readonly declared: ReadonlySet<string>;
  readonly fields: readonly string[];
  readonly written: string;
};

/** More than one script has use for. */
const maxRequests = 16;
const maxCuts = 64;

/** Null unless every placeholder stands in a request that is literal and that the script sends whatever it reads. */
export function presentationsIn(script: Script): Presentations | null {
  const used = new Set<Constant>();
  const calls = callsIn(script, scopeOf(script, used));
  if (calls === null || calls.length === 0) return null;
  const held = [...used].filter(({ value }) => value != null && holdsPlaceholder(value));
  const cuts = [
    ...calls.map(({ call }): Cut => ({ start: call.arguments[0]?.start ?? 0, end: call.end - 1, put: '' })),
    ...held.map(({ init: { start, end } }): Cut => ({ start, end, put: 'null' })),
  ].toSorted((a, b) => a.start - b.start);
  const requests = calls.map(({ request }) => request);
  const isWhole = cuts.length <= maxCuts && usesAll(requests, script) && isGone(held, cuts, script.visits);
  const callees = new Set(calls.map(({ call }): AnyNode => call.callee));
  return isWhole ? { requests, rest: without(script.written, cuts), cuts, callees } : null;
}

type Call = { readonly call: CallExpression; readonly request: PresentedRequest };

/** Null where one may not be sent. */
function callsIn(script: Script, scope: Scope): Call[] | null {
  const calls: Call[] = [];
  for (const visit of script.visits) {
    if (!isFetch(visit.node, script)) continue;
    const request = requestOf(visit.node, scope);
    if (request === null || plainText(request.body) !== null) continue;
    if (calls.length === maxRequests || !isSentAnyhow(visit, script.visits)) return null;
    calls.push({ call: visit.node, request });
  }
  return calls;
}

function scopeOf(script: Script, used: Set<Constant>): Scope {
  const constants = constantsIn(script);
  const scope: Scope = {
    fields: script.fields,
    steps: 20 * script.visits.length + 8 * script.written.length,
    constant: (name, depth) => {
      const constant = constants.get(name);
      if (constant === undefined || constant === 'several') return null;
      used.add(constant);
      // Before it is read: one that means itself means nothing.
      if (constant.value === undefined) {
        constant.value = null;
        constant.value = literalOf(constant.init, scope, depth);
      }
      return constant.value;
    },
  };
  return scope;
}

type Constant = { readonly name: string; readonly init: AnyNode; value: Literal | null | undefined };

function constantsIn({ visits }: Script): Map<string, Constant | 'several'> {
  const constants = new Map<string, Constant | 'several'>();
  for (const { node, above } of visits) {
    if (node.type !== 'VariableDeclarator' || node.id.type !== 'Identifier') continue;
    const { name } = node.id;
    const isConstant = above?.node.type === 'VariableDeclaration' && above.node.kind === 'const';
    const once = isConstant && node.init && !constants.has(name);
    constants.set(name, once ? { name, init: node.init as AnyNode, value: undefined } : 'several');
  }
  return constants;
}

const windows = new Set(['window', 'globalThis', 'self']);

function isFetch(node: AnyNode, { declared }: Script): node is CallExpression {
  if (node.type !== 'CallExpression' || declared.has('fetch')) return false;
  const { callee } = node;
  if (callee.type === 'Identifier') return callee.name === 'fetch';
  return (
    callee.type === 'MemberExpression' &&
    !callee.computed &&
    callee.object.type === 'Identifier' &&
    windows.has(callee.object.name) &&
    callee.property.type === 'Identifier' &&
    callee.property.name === 'fetch'
  );
}

/** What evaluates each of its parts, or these of them, once. */
const straight: ReadonlyMap<string, readonly string[] | 'all'> = new Map<string, readonly string[] | 'all'>([
  ...[
    'Program BlockStatement ExpressionStatement VariableDeclaration VariableDeclarator ReturnStatement AwaitExpression',
    'MemberExpression CallExpression NewExpression ArrayExpression ObjectExpression Property SpreadElement',
    'TemplateLiteral BinaryExpression UnaryExpression SequenceExpression',
  ]
    .flatMap((types) => types.split(' '))
    .map((type) => [type, 'all'] as const),
  ['TryStatement', ['block']],
  ['IfStatement', ['test']],
  ['ConditionalExpression', ['test']],
  ['LogicalExpression', ['left']],
  ['AssignmentExpression', ['right']],
]);

/** Whether nothing that the script reads decides that it is sent: no condition, loop or way out stands before it. */
function isSentAnyhow(visit: Visit, visits: readonly Visit[]): boolean {
  const around = new Set<Visit | null>([null]);
  for (let at = visit; at.above !== null; at = at.above) {
    const parts = straight.get(at.above.node.type);
    if (parts === undefined && !isCalledAtOnce(at.above)) return false;
    if (parts === undefined) around.add(at.above);
    else if (parts !== 'all' && !parts.includes(at.as)) return false;
  }
  return !visits.some(
    ({ node, inside }) =>
      (node.type === 'ReturnStatement' || node.type === 'ThrowStatement') &&
      node.end <= visit.node.start &&
      around.has(inside),
  );
}

/** `(async () => { … })()` */
const isCalledAtOnce = ({ node, above, as }: Visit): boolean =>
  (node.type === 'ArrowFunctionExpression' || node.type === 'FunctionExpression') &&
  !node.generator &&
  node.params.length === 0 &&
  above?.node.type === 'CallExpression' &&
  as === 'callee';

function usesAll(requests: readonly PresentedRequest[], { fields }: Script): boolean {
  const used = new Set(
    requests.flatMap(({ body }) => body.map((piece) => (typeof piece === 'string' ? -1 : piece.placeholder))),
  );
  return fields.every((_, i) => used.has(i));
}

/** Whether constants that hold a placeholder are named by presentations alone. */
function isGone(held: readonly Constant[], cuts: readonly Cut[], visits: readonly Visit[]): boolean {
  const names = new Set(held.map(({ name }) => name));
  return visits.every((visit) => {
    const { node, above } = visit;
    if (node.type !== 'Identifier' || !names.has(node.name) || !isReference(visit)) return true;
    const isDeclared = above?.node.type === 'VariableDeclarator' && visit.as === 'id';
    return isDeclared || isCut(node, cuts);
  });
}

/** Whether a node is not in the rest of the script. */
export const isCut = ({ start }: AnyNode, cuts: readonly Cut[]): boolean =>
  cuts.some((cut) => cut.start <= start && start < cut.end);

function without(text: string, cuts: readonly Cut[]): string {
  let [rest, at] = ['', 0];
  for (const { start, end, put } of cuts) {
    rest += text.slice(at, start) + put;
    at = end;
  }
  return rest + text.slice(at);
}

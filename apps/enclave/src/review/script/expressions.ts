import type { AnyNode, Function as FunctionNode, MemberExpression, Pattern } from 'acorn';
import { bind, type Call, callLocal, evaluateCall, growRoot, keyOf } from './calls.ts';
import { nameGlobal, readMember, writeMember } from './members.ts';
import { globalNamed } from './names.ts';
import { isCredential } from './parse.ts';
import { addressIn, allLabels, assign, report, returnFrom, type Run } from './run.ts';
import {
  concatenate,
  has,
  join,
  joinAll,
  kinds,
  labels,
  newValue,
  nothing,
  textOf,
  type Value,
  unbound,
} from './value.ts';

type Handlers = {
  readonly [T in AnyNode['type']]?: (node: Extract<AnyNode, { type: T }>, run: Run) => Value;
};

/** What a piece of a script may be worth. What has no handler is worth all its parts. */
export function evaluate(node: AnyNode, run: Run): Value {
  const handler = handlers[node.type] as ((node: AnyNode, run: Run) => Value) | undefined;
  return handler === undefined
    ? joinAll(partsOf(node).map((part) => evaluate(part, run)))
    : handler(node, run);
}

const isNode = (value: unknown): value is AnyNode =>
  typeof value === 'object' && value !== null && 'type' in value;

const partsOf = (node: AnyNode): AnyNode[] =>
  Object.values(node).flatMap((part: unknown) =>
    Array.isArray(part) ? part.filter(isNode) : isNode(part) ? [part] : [],
  );

const handlers: Handlers = {
  Identifier: (node, run) => readName(run, node, node.name),
  ThisExpression: (_, run) => run.self,
  Literal: (node) => {
    if (isCredential(node.value)) return newValue({ labels: labels.credential });
    if (typeof node.value === 'number') return { ...textOf(String(node.value)), kinds: kinds.number };
    return typeof node.value === 'string' ? textOf(node.value) : nothing;
  },
  TemplateLiteral: (node, run) =>
    node.quasis.reduce((done, { value }, i) => {
      const text = concatenate(done, textOf(value.cooked ?? ''));
      const next = node.expressions[i];
      return next === undefined ? text : concatenate(text, asText(run, evaluate(next, run)));
    }, textOf('')),
  TaggedTemplateExpression: (node, run) => {
    const values = node.quasi.expressions.map((one) => evaluate(one, run));
    return call(run, node, node.tag, [newValue({ kinds: kinds.container }), ...values], undefined);
  },
  BinaryExpression: (node, run) => {
    const [a, b] = [evaluate(node.left, run), evaluate(node.right, run)];
    if (node.operator === '+') return concatenate(asText(run, a), asText(run, b));
    return newValue({ labels: a.labels | b.labels, kinds: kinds.number });
  },
  UnaryExpression: (node, run) => {
    if (node.operator === 'typeof' && node.argument.type === 'Identifier') return nothing;
    const value = evaluate(node.argument, run);
    return newValue({
      labels: node.operator === '!' ? 0 : value.labels,
      kinds: node.operator === '-' ? kinds.number : 0,
    });
  },
  UpdateExpression: (node, run) => {
    write(run, node, node.argument as Pattern, newValue({ kinds: kinds.number }));
    return newValue({ kinds: kinds.number, labels: evaluate(node.argument, run).labels });
  },
  AssignmentExpression: (node, run) => {
    const right = evaluate(node.right, run);
    const left = node.operator === '=' ? nothing : evaluate(node.left, run);
    const value =
      node.operator === '+=' ? concatenate(asText(run, left), asText(run, right)) : join(right, left);
    write(run, node, node.left, value);
    return value;
  },
  VariableDeclarator: (node, run) => {
    if (node.init) bind(run, node.id, evaluate(node.init, run));
    return nothing;
  },
  MemberExpression: (node, run) => {
    if (node.object.type === 'Super') return nothing;
    return readMember(
      run,
      node,
      evaluate(node.object, run),
      keyOf(run, { computed: node.computed, key: node.property }),
    );
  },
  CallExpression: (node, run) =>
    call(
      run,
      node,
      node.callee,
      node.arguments.map((one) => evaluate(one, run)),
      methodOf(run, node.arguments[1]),
    ),
  NewExpression: construct,
  ImportExpression: (node, run) => refuse(run, node),
  WithStatement: (node, run) => refuse(run, node),
  MetaProperty: () => nothing,
  ObjectExpression: hold,
  ArrayExpression: hold,
  Property: (node, run) => {
    if (node.kind === 'set') report(run, 'dynamic-code', node);
    if (node.computed) evaluate(node.key, run);
    return evaluate(node.value, run);
  },
  MethodDefinition: (node, run) => evaluate(node.value, run),
  PropertyDefinition: (node, run) => (node.value ? evaluate(node.value, run) : nothing),
  ClassBody: (node, run) => {
    const outside = run.self;
    run.self = newValue({ kinds: kinds.container });
    const all = joinAll(node.body.map((part) => evaluate(part, run)));
    run.self = outside;
    return { ...all, text: null, kinds: all.kinds | kinds.container };
  },
  ClassDeclaration: defineClass,
  ClassExpression: defineClass,
  FunctionDeclaration: define,
  FunctionExpression: define,
  ArrowFunctionExpression: define,
  ReturnStatement: (node, run) => leave(run, node, node.argument),
  YieldExpression: (node, run) => leave(run, node, node.argument),
  ThrowStatement: (node, run) => {
    report(run, 'result', node, evaluate(node.argument, run));
    return nothing;
  },
  CatchClause: (node, run) => {
    if (node.param) bind(run, node.param, newValue({ labels: labels.page }));
    return evaluate(node.body, run);
  },
  ForOfStatement: (node, run) =>
    loop(run, node.left, { ...evaluate(node.right, run), text: null }, node.body),
  ForInStatement: (node, run) =>
    loop(run, node.left, newValue({ labels: evaluate(node.right, run).labels }), node.body),
  LabeledStatement: (node, run) => evaluate(node.body, run),
  BreakStatement: () => nothing,
  ContinueStatement: () => nothing,
};

/** The language makes texts out of objects by their own functions. */
const asText = (run: Run, value: Value): Value => ({ ...value, labels: allLabels(run, value) });

/** An object or list that the script makes: its members are all of them together. */
function hold(node: AnyNode, run: Run): Value {
  const all = joinAll(partsOf(node).map((part) => evaluate(part, run)));
  return { ...all, text: null, kinds: all.kinds | kinds.container };
}

/** Declared anywhere or not, a dangerous name stays one: scopes are not told apart. */
function readName(run: Run, node: AnyNode, name: string): Value {
  const own = run.variables.get(name) ?? unbound;
  if (!run.declared.has(name) && name !== 'arguments') return nameGlobal(run, node, name);
  const known = globalNamed(name);
  return known === null || typeof known === 'string' ? own : join(own, known);
}

function write(run: Run, node: AnyNode, target: Pattern, value: Value): void {
  if (target.type === 'MemberExpression') writeToMember(run, node, target, value);
  else if (target.type !== 'Identifier' || run.declared.has(target.name)) bind(run, target, value);
  else if (target.name === 'location') report(run, 'navigation', node, value, { url: addressIn(value) });
  else report(run, 'global', node, value);
}

function writeToMember(run: Run, node: AnyNode, target: MemberExpression, value: Value): void {
  const object = evaluate(target.object, run);
  writeMember(run, node, object, keyOf(run, { computed: target.computed, key: target.property }), value);
  if (!has(object, 'element')) growRoot(run, target.object, value);
}

/** Methods that put nothing into what they are called on. */
const onlyReads = new Set(
  'map forEach filter find findIndex some every flatMap reduce sort join slice then'.split(' '),
);

function call(
  run: Run,
  node: AnyNode,
  callee: AnyNode,
  values: readonly Value[],
  method: Call['method'],
): Value {
  if (callee.type === 'Super') return nothing;
  if (callee.type === 'MemberExpression') return callMember(run, node, callee, values, method);
  const name = callee.type === 'Identifier' ? callee.name : null;
  const value = evaluateCall(run, {
    node,
    receiver: nothing,
    name,
    callee: evaluate(callee, run),
    values,
    method,
  });
  // A callback may keep what it is given, like the `resolve` of a promise.
  if (name !== null && run.declared.has(name))
    assign(run, name, newValue({ labels: joinAll(values).labels }));
  return value;
}

function callMember(
  run: Run,
  node: AnyNode,
  member: MemberExpression,
  values: readonly Value[],
  method: Call['method'],
): Value {
  const receiver = evaluate(member.object, run);
  const name = keyOf(run, { computed: member.computed, key: member.property });
  if (name === null && !has(receiver, 'container')) report(run, 'dynamic-member', node, receiver);
  const callee = evaluate(member, run);
  const value = evaluateCall(run, { node, receiver, name, callee, values, method });
  // `list.push(value)`, `map.set(key, value)`.
  if (!has(receiver, 'element') && values.length > 0 && !onlyReads.has(name ?? ''))
    growRoot(run, member.object, joinAll(values));
  return value;
}

function methodOf(run: Run, options: AnyNode | undefined): Call['method'] {
  if (options === undefined) return undefined;
  if (options.type !== 'ObjectExpression') return null;
  let method: Call['method'];
  for (const part of options.properties) {
    if (part.type === 'SpreadElement' || keyOf(run, part) === null) return null;
    if (keyOf(run, part) === 'method') method = evaluate(part.value, run).text?.prefix ?? null;
  }
  return method;
}

function construct(node: Extract<AnyNode, { type: 'NewExpression' }>, run: Run): Value {
  const values = node.arguments.map((one) => evaluate(one, run));
  const name = node.callee.type === 'Identifier' ? node.callee.name : null;
  const made = evaluate(node.callee, run);
  if (name === 'FormData' && values.length > 0)
    return newValue({ labels: labels.field | labels.secret, kinds: kinds.container });
  if (name === 'URL') return { ...(values[0] ?? nothing), labels: joinAll(values).labels };
  const all = joinAll(values);
  for (const one of all.functions)
    callLocal(
      run,
      one,
      one.params.map(() => newValue({ kinds: kinds.unknown })),
    );
  const resolved =
    name === 'Promise'
      ? joinAll(
          [...all.functions].flatMap((one) => one.params.map((param) => evaluate(param as AnyNode, run))),
        )
      : nothing;
  return joinAll([
    { ...all, text: null, kinds: all.kinds | kinds.container },
    { ...resolved, kinds: 0 },
    made,
  ]);
}

function define(node: FunctionNode & AnyNode, run: Run): Value {
  const [outside, self] = [run.inside, run.self];
  run.inside = node;
  if (node.type !== 'ArrowFunctionExpression' && !has(self, 'container'))
    run.self = newValue({ kinds: kinds.global });
  const value = evaluate(node.body, run);
  if (node.body.type !== 'BlockStatement') returnFrom(run, node, value);
  run.inside = outside;
  run.self = self;
  const made = newValue({ functions: new Set([node]) });
  if ('id' in node && node.id) assign(run, node.id.name, made);
  return made;
}

function defineClass(
  node: Extract<AnyNode, { type: 'ClassDeclaration' | 'ClassExpression' }>,
  run: Run,
): Value {
  const made = join(evaluate(node.body, run), node.superClass ? evaluate(node.superClass, run) : nothing);
  if (node.id) assign(run, node.id.name, made);
  return made;
}

/** Out of a function, or out of the script. */
function leave(run: Run, node: AnyNode, argument: AnyNode | null | undefined): Value {
  const value = argument ? evaluate(argument, run) : nothing;
  if (run.inside === null) report(run, 'result', node, value);
  else returnFrom(run, run.inside, value);
  return nothing;
}

function loop(run: Run, left: AnyNode, value: Value, body: AnyNode): Value {
  if (left.type === 'VariableDeclaration') for (const { id } of left.declarations) bind(run, id, value);
  else write(run, left, left as Pattern, value);
  return evaluate(body, run);
}

function refuse(run: Run, node: AnyNode): Value {
  report(run, 'dynamic-code', node);
  return nothing;
}

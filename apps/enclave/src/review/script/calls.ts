import type { AnyNode, Function as FunctionNode, Pattern } from 'acorn';
import { harmlessElements, maySelectSecret } from './names.ts';
import { addressIn, allLabels, assign, report, type Run } from './run.ts';
import { readMember, writeMember } from './members.ts';
import { boundKinds, has, join, joinAll, kinds, labels, newValue, nothing, type Value } from './value.ts';

export type Call = {
  readonly node: AnyNode;
  /** What the function is a member of. */
  readonly receiver: Value;
  /** Of the member or variable; null where it is computed. */
  readonly name: string | null;
  readonly callee: Value;
  readonly values: readonly Value[];
  /** `method` in the options of `fetch`; undefined without one, null where it is computed. */
  readonly method: string | null | undefined;
};

/** What a call may answer, after reporting what it may let out. */
export function evaluateCall(run: Run, call: Call): Value {
  const { node, name, receiver, callee, values } = call;
  if (has(callee, 'fetch')) return callFetch(run, call);
  if (has(callee, 'navigate')) report(run, 'navigation', node, joinAll(values), { url: navigatedTo(call) });
  const known = name !== null && Object.hasOwn(methods, name) ? methods[name]?.(run, call) : undefined;
  if (known !== undefined) return known;
  if (has(receiver, 'storage') && values.length > 1) report(run, 'storage', node, joinAll(values));
  if (has(receiver, 'console')) report(run, 'result', node, joinAll(values));
  return callAny(run, call);
}

/** `history.pushState(state, '', url)`, `location.assign(url)`. */
const navigatedTo = ({ name, values }: Call) => addressIn(values[name?.endsWith('State') ? 2 : 0] ?? nothing);

function callFetch(run: Run, { node, name, values, method }: Call): Value {
  const direct = name !== 'apply' && name !== 'bind';
  const own = name === 'call' ? values.slice(1) : values;
  report(run, 'network', node, joinAll(values), {
    url: direct ? addressIn(own[0] ?? nothing) : null,
    method: method === undefined ? 'GET' : (method?.toUpperCase().slice(0, 32) ?? null),
  });
  return newValue({ labels: labels.page, kinds: kinds.container });
}

type Method = (run: Run, call: Call) => Value | undefined;

/** Methods that mean something by their name, whatever they are called on. Undefined: as any other call. */
const methods: Readonly<Record<string, Method>> = {
  ...each(
    'querySelector querySelectorAll getElementById getElementsByName closest matches getElementsByClassName',
    select,
  ),
  ...each('getElementsByTagName', (_run, { values }) =>
    selected(maySelectSecret(values[0]?.text?.prefix ?? null)),
  ),
  ...each('evaluate elementFromPoint getRootNode cloneNode', () => selected(true)),
  ...each('createElement createElementNS', make),
  ...each('setAttribute setAttributeNS', setAttribute),
  ...each('getAttribute', (run, { node, receiver, values }) =>
    readMember(run, node, receiver, values[0]?.text?.prefix ?? null),
  ),
  ...each(
    'append appendChild prepend before after replaceWith replaceChildren insertBefore createTextNode insertData appendData setRangeText',
    insert,
  ),
  ...each('setTimeout setInterval setImmediate', later),
  ...each('assign defineProperty defineProperties', fillObject),
};

function each(names: string, method: Method): Record<string, Method> {
  return Object.fromEntries(names.split(' ').map((name) => [name, method]));
}

const onPage = (value: Value): boolean =>
  (value.kinds & (kinds.document | kinds.element | kinds.unknown)) !== 0;

const selected = (secret: boolean): Value =>
  newValue({ kinds: kinds.element | (secret ? kinds.secretElement : 0) });

function select(run: Run, { node, receiver, values, name }: Call): Value | undefined {
  if (!onPage(receiver)) return undefined;
  const text = values[0]?.text;
  const selector = text?.whole ? text.prefix.trim() : null;
  if (name === 'querySelectorAll' && selector === '*') report(run, 'mass-reading', node);
  const element = selected(maySelectSecret(selector) || (name === 'closest' && selector === 'form'));
  const root = selector !== null && /^(html|body|:root)$/i.test(selector);
  return root ? { ...element, kinds: element.kinds | kinds.root } : element;
}

function make(run: Run, { node, values, name }: Call): Value {
  const tag = values.at(name === 'createElementNS' ? 1 : 0)?.text;
  if (!tag?.whole || !harmlessElements.has(tag.prefix.toLowerCase()))
    report(run, tag?.prefix === 'a' ? 'navigation' : 'markup', node, values[0]);
  return selected(false);
}

function setAttribute(run: Run, { node, receiver, values, name }: Call): Value {
  const [attribute, value = nothing] = name === 'setAttribute' ? values : values.slice(1);
  const known = attribute?.text?.whole ? attribute.text.prefix.toLowerCase() : null;
  if (known === 'value' || !known?.startsWith('on'))
    writeMember(run, node, join(receiver, selected(false)), known, value);
  else report(run, 'dynamic-code', node, value);
  return nothing;
}

function insert(run: Run, { node, receiver, values, name }: Call): Value | undefined {
  const all = joinAll(values);
  const text = allLabels(run, all) & (labels.credential | labels.secret | labels.field | labels.stored);
  if (!onPage(receiver)) return undefined;
  if (text !== 0) report(run, 'page-text', node, all);
  return name === 'createTextNode' ? newValue({ kinds: kinds.element, labels: all.labels }) : nothing;
}

/** With a text instead of a function, a timer is `eval`. */
function later(run: Run, call: Call): Value | undefined {
  const [callback = nothing] = call.values;
  if (callback.functions.size === 0 && !has(callback, 'unknown'))
    report(run, 'dynamic-code', call.node, callback);
  return undefined;
}

/** `Object.assign` and its like write to what they are given. */
function fillObject(run: Run, { node, receiver, values }: Call): Value | undefined {
  const [target = nothing, ...sources] = values;
  if (has(receiver, 'location') || (boundKinds(target) & ~kinds.container) === 0) return undefined;
  for (const source of sources) writeMember(run, node, target, null, source);
  return target;
}

/** Their callbacks get an element and its place. */
const indexed = new Set('map forEach filter find findIndex some every flatMap from'.split(' '));
const place = newValue({ kinds: kinds.number });

/** What must not be handed on, since nobody sees where it is then used. */
const wayOut = kinds.fetch | kinds.navigate | kinds.global | kinds.location;

function callAny(run: Run, { node, receiver, name, callee, values }: Call): Value {
  const all = joinAll(values);
  if (callee.functions.size > 0) {
    const answers = [...callee.functions].map((one) => callLocal(run, one, values));
    return joinAll([...answers, keep(receiver)]);
  }
  if ((all.kinds & wayOut) !== 0)
    report(run, has(all, 'fetch') ? 'network' : 'global', node, join(all, receiver));
  const handed = {
    ...join(receiver, newValue({ labels: all.labels, kinds: all.kinds })),
    text: null,
    functions: nothing.functions,
  };
  const given = boundKinds(handed) === 0 && handed.labels === 0 ? newValue({ kinds: kinds.unknown }) : handed;
  const answers = [...all.functions].map((one) =>
    callLocal(run, one, [given, indexed.has(name ?? '') ? place : given, given, given]),
  );
  if (answers.length > 0 && (name === 'map' || name === 'flatMap'))
    return { ...joinAll(answers), text: null };
  const kept = indexed.has(name ?? '') ? { ...all, functions: nothing.functions } : all;
  return joinAll([keep(receiver), keep(kept), ...answers]);
}

/** What a call to anything passes through: everything but texts and what it was called on. */
const keep = (value: Value): Value => ({
  ...value,
  text: null,
  kinds: value.kinds & ~(kinds.number | kinds.document | kinds.console),
});

export function callLocal(run: Run, one: FunctionNode, values: readonly Value[]): Value {
  one.params.forEach((param, i) => {
    const rest = param.type === 'RestElement' ? joinAll(values.slice(i)) : (values[i] ?? nothing);
    bind(run, param, rest);
  });
  assign(run, 'arguments', joinAll(values));
  return run.returns.get(one) ?? nothing;
}

/** Gives names in a pattern what they stand for. */
export function bind(run: Run, pattern: Pattern, value: Value): void {
  switch (pattern.type) {
    case 'Identifier':
      return assign(run, pattern.name, value);
    case 'AssignmentPattern':
      return bind(run, pattern.left, join(value, run.evaluate(pattern.right, run)));
    case 'RestElement':
      return bind(run, pattern.argument, { ...value, kinds: value.kinds | kinds.container });
    case 'ArrayPattern':
      for (const part of pattern.elements) if (part !== null) bind(run, part, { ...value, text: null });
      return;
    case 'ObjectPattern':
      for (const part of pattern.properties)
        if (part.type === 'RestElement') bind(run, part.argument, value);
        else bind(run, part.value, readMember(run, part, value, keyOf(run, part)));
      return;
    case 'MemberExpression':
      writeMember(
        run,
        pattern,
        run.evaluate(pattern.object, run),
        keyOf(run, { computed: pattern.computed, key: pattern.property }),
        value,
      );
      return growRoot(run, pattern.object, value);
  }
}

/** What is put into an object is in the variable that holds it. */
export function growRoot(run: Run, node: AnyNode, value: Value): void {
  if (node.type === 'Identifier' && run.declared.has(node.name))
    assign(run, node.name, { ...value, text: null });
  else if (node.type === 'MemberExpression') growRoot(run, node.object, value);
  else if (node.type === 'ThisExpression' && !has(run.self, 'global'))
    run.self = join(run.self, { ...value, text: null });
}

/** The name in `{name: …}`, `object.name` or `object['name']`; null when it is computed. A number is a name of its own. */
export function keyOf(run: Run, { computed, key }: { computed: boolean; key: AnyNode }): string | null {
  if (!computed && key.type === 'Identifier') return key.name;
  if (key.type === 'PrivateIdentifier') return `#${key.name}`;
  const value = run.evaluate(key, run);
  if (value.text?.whole) return value.text.prefix;
  return value.kinds === kinds.unbound || boundKinds(value) === kinds.number ? '0' : null;
}

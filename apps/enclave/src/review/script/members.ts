import type { AnyNode } from 'acorn';
import type { Sink } from './findings.ts';
import {
  deniedMember,
  fieldMembers,
  globalNamed,
  markupMembers,
  textMembers,
  urlAttributes,
} from './names.ts';
import { addressIn, allLabels, report, type Run } from './run.ts';
import { boundKinds, has, joinAll, kinds, labels, newValue, nothing, type Value } from './value.ts';

const page = newValue({ labels: labels.page });
const element = newValue({ kinds: kinds.element });
const mayBeSecret = labels.field | labels.secret;

/** What `object.name` may be; `name` is null where it is computed. */
export function readMember(run: Run, node: AnyNode, object: Value, name: string | null): Value {
  if (name === null) return readComputed(run, node, object);
  if (name === 'constructor' || !isPlain(object)) {
    const sink = deniedMember(name);
    if (sink !== null) report(run, sink, node, object);
  }
  return joinAll(
    readers
      .flatMap(([kind, read]) => (has(object, kind) ? [read(run, node, object, name)] : []))
      .concat(readAny(object, name)),
  );
}

const isPlain = (object: Value): boolean => boundKinds(object) === kinds.container;

/** A number picks one of many; any other name may be any member. */
function readComputed(run: Run, node: AnyNode, object: Value): Value {
  const special = kinds.global | kinds.document | kinds.navigator | kinds.location | kinds.storage;
  if ((object.kinds & special) !== 0) report(run, 'dynamic-member', node, object);
  if (isPlain(object)) return object;
  return { ...object, text: null, labels: object.labels | mayBeSecret };
}

type Read = (run: Run, node: AnyNode, object: Value, name: string) => Value;

const readers: readonly (readonly [keyof typeof kinds, Read])[] = [
  ['global', (run, node, _, name) => nameGlobal(run, node, name)],
  ['document', readDocument],
  ['element', readElement],
  [
    'location',
    (_run, _node, _object, name) =>
      ['assign', 'replace'].includes(name) ? newValue({ kinds: kinds.navigate }) : page,
  ],
  [
    'history',
    (_run, _node, _object, name) => (name.endsWith('State') ? newValue({ kinds: kinds.navigate }) : nothing),
  ],
  ['storage', () => newValue({ labels: labels.stored, kinds: kinds.storage })],
  ['navigator', () => page],
];

/** A free name, or a member of `window`. */
export function nameGlobal(run: Run, node: AnyNode, name: string): Value {
  const known = globalNamed(name);
  if (known !== null && typeof known !== 'string') return known;
  report(run, known ?? 'unknown-name', node);
  return nothing;
}

function readDocument(_run: Run, _node: AnyNode, _object: Value, name: string): Value {
  if (name === 'cookie') return newValue({ labels: labels.stored });
  if (name === 'location') return newValue({ kinds: kinds.location });
  if (name === 'body' || name === 'documentElement') return newValue({ kinds: kinds.element | kinds.root });
  if (['title', 'URL', 'referrer', 'lastModified', 'baseURI', 'readyState', 'characterSet'].includes(name))
    return page;
  return ['forms', 'all', 'activeElement'].includes(name)
    ? newValue({ kinds: kinds.element | kinds.secretElement })
    : element;
}

function readElement(run: Run, node: AnyNode, object: Value, name: string): Value {
  if (markupMembers.has(name) && has(object, 'root')) report(run, 'mass-reading', node);
  if (fieldMembers.has(name))
    return newValue({ labels: has(object, 'secretElement') ? mayBeSecret : labels.field });
  if (textMembers.has(name) || markupMembers.has(name)) return page;
  if (name === 'length') return newValue({ kinds: kinds.number });
  if (name === 'ownerDocument') return newValue({ kinds: kinds.document });
  const secret = name === 'elements' ? kinds.secretElement : object.kinds & kinds.secretElement;
  return newValue({ labels: labels.page, kinds: kinds.element | secret });
}

/** Of anything: what was put in. Of what the browser handed in, a field may be behind any `value`. */
function readAny(object: Value, name: string): Value[] {
  if (name === 'length') return [newValue({ kinds: kinds.number, labels: object.labels })];
  const own =
    has(object, 'container') || object.functions.size > 0
      ? { ...object, text: null }
      : newValue({ labels: object.labels });
  if (!has(object, 'unknown')) return [own];
  const secret = fieldMembers.has(name) || name === 'data' || name === 'key' ? mayBeSecret : labels.page;
  return [own, newValue({ labels: secret, kinds: kinds.unknown | kinds.element | kinds.secretElement })];
}

const leaves = labels.credential | labels.secret | labels.field | labels.stored;

/** What it does that `object.name` becomes `value`. */
export function writeMember(run: Run, node: AnyNode, object: Value, name: string | null, value: Value): void {
  if (has(object, 'global')) report(run, 'global', node, value);
  if (has(object, 'location')) report(run, 'navigation', node, value, { url: addressIn(value) });
  if (has(object, 'storage')) report(run, 'storage', node, value);
  if (isPlain(object)) return;
  if (name === null) {
    if ((object.kinds & (kinds.element | kinds.document)) !== 0) report(run, 'dynamic-member', node, value);
    return;
  }
  writeNamed(run, node, object, name, value);
}

function writeNamed(run: Run, node: AnyNode, object: Value, name: string, value: Value): void {
  const requests = urlAttributes.get(name.toLowerCase()) ?? (name === 'location' ? 'navigation' : undefined);
  if (requests !== undefined) report(run, requests, node, value, { url: addressIn(value), method: 'GET' });
  else if (/url\(|@import/i.test(value.text?.prefix ?? ''))
    report(run, 'network', node, value, { method: 'GET' });
  else {
    const sink = writtenTo(object, name, value, allLabels(run, value));
    if (sink !== null) report(run, sink, node, value);
  }
}

/** Which way out a property is, that the browser does not request; null for none. */
function writtenTo(object: Value, name: string, value: Value, carried: number): Sink | null {
  if (name === 'cookie') return 'storage';
  if (markupMembers.has(name)) return value.text?.prefix === '' ? null : 'markup';
  if (name.startsWith('on') && value.functions.size === 0) return 'dynamic-code';
  if (fieldMembers.has(name)) return (carried & (labels.secret | labels.stored)) === 0 ? null : 'field-copy';
  if ((carried & leaves) === 0) return null;
  return has(object, 'document') && name === 'title' ? 'title' : 'page-text';
}

import type { Function as FunctionNode } from 'acorn';

/** What a value may carry out. */
export const labels = {
  /** A placeholder's secret. */
  credential: 1,
  /** What stands in a field that may hold a secret. */
  secret: 2,
  /** What stands in another field. */
  field: 4,
  /** Cookies and storage. */
  stored: 8,
  /** Text and attributes of the page. */
  page: 16,
} as const;
export type Label = keyof typeof labels;
export const labelNames = Object.keys(labels) as Label[];

/** What a value may be, as far as that opens a way out. */
export const kinds = {
  global: 1,
  document: 2,
  location: 4,
  history: 8,
  storage: 16,
  navigator: 32,
  element: 64,
  /** `html` or `body`. */
  root: 128,
  /** An element whose value may be a secret. */
  secretElement: 256,
  fetch: 512,
  navigate: 1024,
  number: 2048,
  /** Made by the script itself: its members are what was put in. */
  container: 4096,
  /** Handed in by the browser: an event, a callback's argument. */
  unknown: 8192,
  console: 16384,
  /** A variable to which nothing was given yet: a later reading may know more. */
  unbound: 32768,
} as const;

/** Everything that a variable or expression may be at any time: joins only grow it, so that repeating comes to an end. */
export type Value = {
  readonly labels: number;
  readonly kinds: number;
  /** How its text begins, and whether that is all of it; null when nothing is known. */
  readonly text: { readonly prefix: string; readonly whole: boolean } | null;
  readonly functions: ReadonlySet<FunctionNode>;
};

const none: ReadonlySet<FunctionNode> = new Set();

export const newValue = (given: Partial<Value> = {}): Value => ({
  labels: 0,
  kinds: 0,
  text: null,
  functions: none,
  ...given,
});
export const nothing = newValue();
export const unbound = newValue({ kinds: kinds.unbound });

/** Its kinds, as far as something is known. */
export const boundKinds = (value: Value): number => value.kinds & ~kinds.unbound;

export const textOf = (prefix: string, whole = true): Value => newValue({ text: { prefix, whole } });

export const has = (value: Value, kind: keyof typeof kinds): boolean => (value.kinds & kinds[kind]) !== 0;

/** Both at once; texts keep what they begin with in common. */
export function join(a: Value, b: Value): Value {
  if (a === b || b === nothing) return a;
  if (a === nothing) return b;
  return {
    labels: a.labels | b.labels,
    kinds: a.kinds | b.kinds,
    text: commonText(a.text, b.text),
    functions:
      b.functions.size === 0
        ? a.functions
        : a.functions.size === 0
          ? b.functions
          : new Set([...a.functions, ...b.functions]),
  };
}

export const joinAll = (values: readonly Value[]): Value => values.reduce(join, nothing);

export const same = (a: Value, b: Value): boolean =>
  a.labels === b.labels &&
  a.kinds === b.kinds &&
  a.functions.size === b.functions.size &&
  a.text?.prefix === b.text?.prefix &&
  a.text?.whole === b.text?.whole;

function commonText(a: Value['text'], b: Value['text']): Value['text'] {
  if (a === null || b === null) return null;
  if (a.prefix === b.prefix) return { prefix: a.prefix, whole: a.whole && b.whole };
  let length = 0;
  while (length < a.prefix.length && a.prefix[length] === b.prefix[length]) length++;
  return length === 0 ? null : { prefix: a.prefix.slice(0, length), whole: false };
}

/** One text after the other. Only labels live on in it. */
export function concatenate(a: Value, b: Value): Value {
  const text = a.text?.whole
    ? { prefix: a.text.prefix + (b.text?.prefix ?? ''), whole: b.text?.whole ?? false }
    : a.text;
  const number = has(a, 'number') && has(b, 'number') && a.text === null && b.text === null;
  return newValue({ labels: a.labels | b.labels, text, kinds: number ? kinds.number : 0 });
}

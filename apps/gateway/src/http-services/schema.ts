import { isObject } from '../downstream/dialect.ts';

type Schema = Readonly<Record<string, unknown>>;

/** A schema would be larger than any honest one. */
export class TooLarge extends Error {
  constructor() {
    super('the schema is too large');
    this.name = 'TooLarge';
  }
}

/** Deeper schemas take anything there: the service judges. */
const maxDepth = 24;
/** Characters of one schema with all that it names, and of all schemas of a document: they are cleaned and hashed anew each minute. */
const maxChars = 256 * 1024;
const maxDocumentChars = 4 * 1024 * 1024;
/** An object with more keys is nobody's schema: to look at them would cost more than they say. */
const maxKeys = 10_000;
/** Maximum length of text for people, in characters. */
const maxWords = 8192;
const maxRef = 1024;

/**
 * Makes schemas of one document whole: what a local `$ref` names is put in its place. A schema within itself takes anything, and
 * so does one that is elsewhere: nothing is fetched. What only OpenAPI knows is told in JSON Schema.
 */
export class Schemas {
  readonly #document: unknown;
  readonly #sizes = new WeakMap<object, number>();
  readonly #keys = new WeakMap<object, number>();
  readonly #referred = new Map<string, unknown>();
  #leftOfDocument = maxDocumentChars;
  #left = 0;

  constructor(document: unknown) {
    this.#document = document;
  }

  /** Throws `TooLarge`. */
  whole(schema: unknown): Schema {
    this.#left = Math.min(maxChars, this.#leftOfDocument);
    const before = this.#left;
    try {
      const made = this.#made(schema, maxDepth, []);
      return isObject(made) ? made : {};
    } finally {
      this.#leftOfDocument -= before - Math.max(0, this.#left);
    }
  }

  /**
   * Returns the text, truncated; each use counts towards the limit. Empty if it is not text. Throws
   * `TooLarge`.
   */
  words(text: unknown): string {
    const words = typeof text === 'string' ? text.slice(0, maxWords) : '';
    this.#leftOfDocument -= words.length;
    if (this.#leftOfDocument < 0) throw new TooLarge();
    return words;
  }

  /** An object whose keys may be gone through: they are counted once. Throws `TooLarge`. */
  narrow<T extends object>(value: T): T {
    const count = this.#keys.get(value) ?? Object.keys(value).length;
    this.#keys.set(value, count);
    if (count > maxKeys) throw new TooLarge();
    return value;
  }

  /** Resolves a chain of `$ref`s, which is bounded. Undefined if it leaves this document. */
  resolve(value: unknown): unknown {
    let found = value;
    for (let hops = 0; hops < 8; hops++) {
      if (!isObject(found) || typeof found['$ref'] !== 'string') return found;
      found = this.#at(found['$ref']);
    }
    return undefined;
  }

  #made(schema: unknown, depth: number, within: readonly string[]): unknown {
    this.#spend(8);
    if (typeof schema === 'boolean') return schema;
    if (!isObject(schema) || depth === 0) return {};
    const { $ref: ref, ...beside } = this.narrow(schema);
    if (typeof ref !== 'string') return this.#each(schema, depth, within);
    const named = within.includes(ref) ? undefined : this.#at(ref);
    const inner = this.#made(named, depth - 1, [...within, ref]);
    // Of what stands beside it OpenAPI 3.0 says nothing, and 3.1 that it counts too.
    return isObject(inner) ? { ...inner, ...(this.#each(beside, depth, within) as object) } : inner;
  }

  #each(schema: Schema, depth: number, within: readonly string[]): Schema {
    const made: Record<string, unknown> = {};
    const deeper = (inner: unknown): unknown => this.#made(inner, depth - 1, within);
    for (const [key, value] of Object.entries(schema)) {
      this.#spend(key.length + 4);
      if (foreign.has(key)) continue;
      if (ofNames.has(key) && isObject(value)) made[key] = this.#properties(value, deeper);
      else if (ofLists.has(key) && Array.isArray(value)) made[key] = value.map(deeper);
      else if (ofSchemas.has(key) && typeof value === 'object' && !Array.isArray(value))
        made[key] = deeper(value);
      else made[key] = this.#data(value);
    }
    return plainSchema(made);
  }

  #properties(schemas: Schema, deeper: (inner: unknown) => unknown): Schema {
    const made = Object.entries(this.narrow(schemas)).map(([name, inner]) => {
      this.#spend(name.length + 4);
      return [name, deeper(inner)] as const;
    });
    return Object.fromEntries(made);
  }

  /** Each is looked for once: a document may name the same thing from everywhere. */
  #at(ref: string): unknown {
    if (ref.length > maxRef) return undefined;
    if (!this.#referred.has(ref)) this.#referred.set(ref, valueAt(this.#document, ref));
    return this.#referred.get(ref);
  }

  /** Counted each time it is used, measured once. */
  #data(value: unknown): unknown {
    const size = typeof value === 'object' && value !== null ? this.#sizeOf(value) : String(value).length;
    this.#spend(size);
    return value;
  }

  #sizeOf(value: object): number {
    const known = this.#sizes.get(value);
    if (known !== undefined) return known;
    const size = JSON.stringify(value).length;
    this.#sizes.set(value, size);
    return size;
  }

  #spend(chars: number): void {
    this.#left -= chars;
    if (this.#left < 0) throw new TooLarge();
  }
}

/** A schema of OpenAPI 3.0 in the words of JSON Schema, and without what no request takes. */
export function plainSchema(schema: Schema): Schema {
  const { nullable, exclusiveMinimum, exclusiveMaximum, ...made } = schema as Record<string, unknown>;
  if (exclusiveMinimum === true) moveTo(made, 'minimum', 'exclusiveMinimum');
  else if (typeof exclusiveMinimum === 'number') made['exclusiveMinimum'] = exclusiveMinimum;
  if (exclusiveMaximum === true) moveTo(made, 'maximum', 'exclusiveMaximum');
  else if (typeof exclusiveMaximum === 'number') made['exclusiveMaximum'] = exclusiveMaximum;
  if (nullable === true && typeof made['type'] === 'string') made['type'] = [made['type'], 'null'];
  if (nullable === true && Array.isArray(made['enum'])) made['enum'] = [...(made['enum'] as unknown[]), null];
  return withoutReadOnly(made);
}

function moveTo(schema: Record<string, unknown>, from: string, to: string): void {
  if (from in schema) schema[to] = schema[from];
  delete schema[from];
}

/** A property that only answers have. */
function withoutReadOnly(schema: Record<string, unknown>): Schema {
  const { properties, required } = schema;
  if (!isObject(properties)) return schema;
  const isTaken = (name: unknown): boolean => {
    const inner = typeof name === 'string' && Object.hasOwn(properties, name) ? properties[name] : undefined;
    return !isObject(inner) || inner['readOnly'] !== true;
  };
  const taken = Object.entries(properties).filter(([name]) => isTaken(name));
  if (taken.length === Object.keys(properties).length) return schema;
  return {
    ...schema,
    properties: Object.fromEntries(taken),
    ...(Array.isArray(required) && { required: required.filter(isTaken) }),
  };
}

/** Returns the value that a pointer into this document names; undefined for any other text. */
function valueAt(document: unknown, ref: string): unknown {
  if (!ref.startsWith('#/')) return undefined;
  return ref
    .slice(2)
    .split('/')
    .map(nameIn)
    .reduce<unknown>(
      (value, name) => (isContainer(value) && Object.hasOwn(value, name) ? value[name] : undefined),
      document,
    );
}

function nameIn(part: string): string {
  try {
    return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return part;
  }
}

const isContainer = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

const ofNames = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);
const ofLists = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
const ofSchemas = new Set([
  'items',
  'additionalProperties',
  'unevaluatedProperties',
  'unevaluatedItems',
  'not',
  'if',
  'then',
  'else',
  'contains',
  'propertyNames',
]);
/** Keywords specific to OpenAPI, or replaced by a reference's target. */
const foreign = new Set([
  '__proto__',
  'discriminator',
  'xml',
  'externalDocs',
  'example',
  '$id',
  '$anchor',
  '$dynamicRef',
  '$dynamicAnchor',
  '$schema',
]);

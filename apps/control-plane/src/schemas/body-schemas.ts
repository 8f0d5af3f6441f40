import type { Definition } from '@countersign/protocol/control/connector';
import { operationOf } from '@countersign/protocol/control/openapi/operation';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

type Document = Definition<'http'>;

const lenient = { strict: false, validateFormats: false, logger: false } as const;
const options = { ...lenient, addUsedSchema: false, inlineRefs: false } as const;
const judge = new Ajv2020(lenient);
const isSchema = (value: unknown): boolean => judge.validateSchema({ $defs: { value } }) === true;

const base = 'https://definition.invalid/';

/** Returns a validator of an action's body; null if the schema is invalid, or refers to another document. */
export function readBodySchema(document: Document, action: string): ValidateFunction | null {
  const schema = operationOf(document, action)?.bodySchema;
  return reader(document, [schema])?.(schema) ?? null;
}

/** The first of these actions of which the schema of the body cannot be read: null for all of them together; undefined where each can be. */
export function firstUnreadable(document: Document, actions: readonly string[]): string | null | undefined {
  const bodies = bodiesOf(document, actions);
  const schemas = bodies.map(([, schema]) => schema);
  const read = reader(document, schemas);
  if (read !== null) return bodies.find(([, schema]) => read(schema) === null)?.[0];
  // Together they are no document: one is wrong by itself, or two have one id.
  const ajv = new Ajv2020(options);
  const isWrong = (schema: unknown, place: number) =>
    orNull(() => ajv.addSchema({ $defs: { schema } }, `${base}${place}`)) === null;
  return bodies.find(([, schema], place) => isWrong(schema, place))?.[0] ?? null;
}

/** Each schema with one of its actions. What many operations refer to stands there once. */
function bodiesOf(
  document: Document,
  actions: readonly string[],
): readonly (readonly [action: string, schema: unknown])[] {
  const all = new Map<string, readonly [string, unknown]>();
  for (const action of actions) {
    const schema = operationOf(document, action)?.bodySchema;
    if (schema !== undefined) all.set(JSON.stringify(schema), [action, schema]);
  }
  return [...all.values()];
}

/** Reads these schemas where they stand in a document; null where that can be none. */
function reader(
  { paths, components }: Document,
  schemas: readonly unknown[],
): ((schema: unknown) => ValidateFunction | null) | null {
  const known = pointersIn({ paths, components });
  // Not a list: ajv notes the ids of a schema in an object alone.
  const moved = schemas.filter((schema) => !known.has(schema)).map((schema, place) => [place, schema]);
  const document = { paths, components, $defs: Object.fromEntries(moved) };
  const ajv = new Ajv2020({
    ...options,
    validateSchema: false,
    code: {
      process: (source, env) => {
        // INVARIANT: whatever a reference reaches is a schema; of the rest of one that is none, ajv lets everything pass.
        if (env !== undefined && env.schema !== document && !isSchema(env.schema))
          throw new Error('a reference leads to what is no schema');
        return compiledWithIt(source);
      },
    },
  });
  const pointers = pointersIn(document);
  if (orNull(() => ajv.addSchema(document, base, undefined, false)) === null) return null;
  placeIds(ajv, pointers);
  return (schema) => {
    const compiled = orNull(() => {
      if (!isSchema(schema)) return null;
      const pointer = pointers.get(schema);
      return ajv.compile(pointer === undefined ? (schema as boolean) : { $ref: `${base}#${pointer}` });
    });
    // One that answers later would let everything pass.
    return compiled === null || '$async' in compiled ? null : compiled;
  };
}

/** Ajv notes where a schema with an `$id` stands, but does not escape names with a slash, such as `application/json`. */
function placeIds(ajv: Ajv2020, pointers: ReadonlyMap<unknown, string>): void {
  for (const [at, pointer] of pointers) {
    const { $id } = at as { readonly $id?: unknown };
    if (typeof $id !== 'string') continue;
    const id = ajv.opts.uriResolver.resolve(base, $id).replace(/#\/?$/, '');
    if (typeof ajv.refs[id] === 'string') ajv.refs[id] = `${base}#${pointer}`;
  }
}

/** Returns the JSON pointer of each object of a document, as a URI fragment. */
function pointersIn(document: object): ReadonlyMap<unknown, string> {
  const all = new Map<unknown, string>();
  const open: (readonly [object, string])[] = [[document, '']];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [at, pointer] = next;
    if (all.has(at)) continue;
    all.set(at, pointer);
    for (const [name, value] of Object.entries(at) as [string, unknown][])
      if (typeof value === 'object' && value !== null) open.push([value, `${pointer}/${escaped(name)}`]);
  }
  return all;
}

const escaped = (name: string): string =>
  encodeURIComponent(name.toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1'));

/** The function of a schema in parentheses: such a one V8 compiles where it stands, another when it is first called, which should take no time. */
function compiledWithIt(source: string): string {
  return source.replace(/return (function validate\d+\(.*)$/s, 'return ($1)');
}

function orNull<T>(make: () => T): T | null {
  try {
    return make();
  } catch {
    return null;
  }
}

import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';

/**
 * The first place in the agent's own arguments that does not fit, as a JSON pointer; of a property that is missing or
 * unknown, where it is or would be.
 */
export type ArgumentFault = {
  readonly where: string;
  readonly kind: 'missing' | 'unknown' | 'misfit';
};

/** Whether arguments fit a tool's input schema: null when they do. */
export type ArgumentCheck = (args: object) => ArgumentFault | null;

/**
 * A check made from another party's schema, compiled when it is first needed. A schema that cannot be read
 * lets everything pass: the tool will judge.
 */
export function checkArguments(inputSchema: unknown): ArgumentCheck {
  let compiled: ValidateFunction | 'unreadable' | undefined;
  return (args) => {
    compiled ??= compile(inputSchema);
    if (compiled === 'unreadable') return null;
    return compiled(args) ? null : faultOf(compiled.errors?.[0]);
  };
}

function faultOf(error: ErrorObject | undefined): ArgumentFault {
  const { instancePath: where = '', keyword = '', params = {} } = error ?? {};
  const { missingProperty, additionalProperty } = params as Readonly<Record<string, unknown>>;
  // The schema is another party's text: a name in it that could be a sentence is not repeated.
  if (keyword === 'required' && isPlainName(missingProperty))
    return { where: `${where}/${missingProperty}`, kind: 'missing' };
  if (keyword === 'additionalProperties' && isPlainName(additionalProperty))
    return { where: `${where}/${additionalProperty}`, kind: 'unknown' };
  return { where, kind: 'misfit' };
}

/** Returns whether another party's name may stand in a text of ours: it is no sentence. */
export const isPlainName = (name: unknown): name is string =>
  typeof name === 'string' && /^[A-Za-z0-9_$.-]{1,64}$/.test(name);

const options = { strict: false, validateFormats: false, addUsedSchema: false, logger: false } as const;

/** Compiles the schema of schemas once: that takes as long as the schemas of twenty tools. It keeps nothing of what it judges. */
const judge = new Ajv(options);

function compile(inputSchema: unknown): ValidateFunction | 'unreadable' {
  try {
    const schema = harmless(inputSchema) as object;
    if (judge.validateSchema(schema) !== true) return 'unreadable';
    // Of its own, so that what other parties sent is forgotten with their tools.
    return new Ajv({ ...options, validateSchema: false }).compile(schema);
  } catch {
    return 'unreadable';
  }
}

/** A regular expression of a stranger can keep the event loop busy for ever; it is left to its owner. */
function harmless(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(harmless);
  if (!isObject(schema)) return schema;
  const kept: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(schema))
    if (!ignoredKeywords.has(key)) kept[key] = harmlessValue(key, value);
  // Without its patterns, `additionalProperties` would refuse what they allowed.
  if ('patternProperties' in schema) delete kept['additionalProperties'];
  return kept;
}

function harmlessValue(key: string, value: unknown): unknown {
  if (dataKeywords.has(key)) return value;
  return namingKeywords.has(key) && isObject(value) ? mapValues(value, harmless) : harmless(value);
}

// `$async` would make a check whose refusal is a rejected promise.
const ignoredKeywords = new Set([
  'pattern',
  'patternProperties',
  'propertyNames',
  '$schema',
  '$id',
  '$async',
]);

/** Keywords whose values are data, not schemas. */
const dataKeywords = new Set(['const', 'enum', 'default', 'examples']);

/** Keys below these are names of arguments or of schemas, not keywords. */
const namingKeywords = new Set([
  'properties',
  '$defs',
  'definitions',
  'dependencies',
  'dependentSchemas',
  'dependentRequired',
]);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const mapValues = (
  object: Record<string, unknown>,
  change: (value: unknown) => unknown,
): Record<string, unknown> =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));

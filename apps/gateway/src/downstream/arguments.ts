import { Ajv, type ValidateFunction } from 'ajv';

/**
 * Whether arguments fit a tool's input schema. Gives null when they do, else a JSON pointer to the first
 * place in the agent's own arguments that does not.
 */
export type ArgumentCheck = (args: object) => string | null;

/**
 * A check made from another party's schema, compiled when it is first needed. A schema that cannot be read
 * lets everything pass: the tool will judge.
 */
export function checkArguments(inputSchema: unknown): ArgumentCheck {
  let compiled: ValidateFunction | 'unreadable' | undefined;
  return (args) => {
    compiled ??= compile(inputSchema);
    if (compiled === 'unreadable') return null;
    return compiled(args) ? null : (compiled.errors?.[0]?.instancePath ?? '');
  };
}

function compile(inputSchema: unknown): ValidateFunction | 'unreadable' {
  try {
    const ajv = new Ajv({ strict: false, validateFormats: false, addUsedSchema: false, logger: false });
    return ajv.compile(harmless(inputSchema) as object);
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

/** What stands below these is data, not schema. */
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

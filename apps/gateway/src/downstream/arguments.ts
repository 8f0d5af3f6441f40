import { Ajv, type ValidateFunction } from 'ajv';

/**
 * Whether arguments fit a tool's input schema. Gives null when they do, else a JSON pointer to the first
 * place in the agent's own arguments that does not.
 */
export type ArgumentCheck = (args: object) => string | null;

/** A check made from another party's schema. A schema that cannot be read lets everything pass: the tool will judge. */
export function checkArguments(inputSchema: unknown): ArgumentCheck {
  let validate: ValidateFunction;
  try {
    const ajv = new Ajv({ strict: false, validateFormats: false, addUsedSchema: false, logger: false });
    validate = ajv.compile(withoutPatterns(inputSchema) as object);
  } catch {
    return () => null;
  }
  return (args) => (validate(args) ? null : (validate.errors?.[0]?.instancePath ?? ''));
}

/** A regular expression of a stranger can keep the event loop busy for ever; it is left to its owner. */
function withoutPatterns(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutPatterns);
  if (!isObject(schema)) return schema;
  const kept: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(schema)) {
    if (ignoredKeywords.has(key)) continue;
    // Keys below `properties` are names of arguments, not keywords.
    kept[key] =
      key === 'properties' && isObject(value) ? mapValues(value, withoutPatterns) : withoutPatterns(value);
  }
  // Without its patterns, `additionalProperties` would refuse what they allowed.
  if ('patternProperties' in schema) delete kept['additionalProperties'];
  return kept;
}

const ignoredKeywords = new Set(['pattern', 'patternProperties', 'propertyNames', '$schema', '$id']);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const mapValues = (
  object: Record<string, unknown>,
  change: (value: unknown) => unknown,
): Record<string, unknown> =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));

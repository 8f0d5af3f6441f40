import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';

/** Why a schema refuses a body, by its path; null where it does not. */
export const whyNot = (validate: ValidateFunction, body: unknown): string | null =>
  holds(validate, body) ? null : explain(validate.errors?.[0]);

/** A schema that refers to itself without an end holds for nothing. */
function holds(validate: ValidateFunction, body: unknown): boolean {
  try {
    return validate(body);
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

function explain(error: ErrorObject | undefined): string {
  const {
    instancePath = '',
    params = {},
    message = 'does not match the schema in the definition',
  } = error ?? {};
  const { missingProperty, additionalProperty, unevaluatedProperty } = params as Readonly<
    Record<string, unknown>
  >;
  const where = ['params', ...instancePath.split('/').slice(1).map(decoded)];
  const unknown = additionalProperty ?? unevaluatedProperty;
  if (typeof missingProperty === 'string') return `${[...where, missingProperty].join('.')}: is required`;
  if (typeof unknown === 'string')
    return `${[...where, unknown].join('.')}: is not a parameter of the action`;
  return `${where.join('.')}: ${message}`;
}

const decoded = (name: string): string => name.replaceAll('~1', '/').replaceAll('~0', '~');

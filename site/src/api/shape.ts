import type { Schema } from './document.ts';

/** A schema as one reads a type: members with their types, `?` where one may be left out. */
export function shapeOf(schema: Schema, indent = ''): string {
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return [...new Set(choices.map((each) => shapeOf(each, indent)))].join(' | ');
  if (schema.allOf !== undefined) return schema.allOf.map((each) => shapeOf(each, indent)).join(' & ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((each) => JSON.stringify(each)).join(' | ');
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
  return types.length === 0 ? 'any' : types.map((type) => ofType(type, schema, indent)).join(' | ');
}

function ofType(type: string, schema: Schema, indent: string): string {
  switch (type) {
    case 'array':
      return arrayOf(schema, indent);
    case 'object':
      return objectOf(schema, indent);
    default:
      return type;
  }
}

function arrayOf({ items }: Schema, indent: string): string {
  const item = items === undefined ? 'any' : shapeOf(items, indent);
  return / [|&] /.test(item) && !item.startsWith('{') ? `(${item})[]` : `${item}[]`;
}

function objectOf(
  { properties, required = [], additionalProperties: others }: Schema,
  indent: string,
): string {
  const inner = `${indent}  `;
  const members = Object.entries(properties ?? {}).map(
    ([name, schema]) => `${inner}${name}${required.includes(name) ? '' : '?'}: ${shapeOf(schema, inner)}`,
  );
  if (typeof others === 'object') members.push(`${inner}[name]: ${shapeOf(others, inner)}`);
  return members.length === 0 ? 'object' : `{\n${members.join('\n')}\n${indent}}`;
}

/** What a value has to keep to, in words; empty where its type says all. */
export function boundsOf({ minimum, maximum, minLength, maxLength, format }: Schema): string {
  const said = [
    ...(minimum === undefined || minimum < -1e15 ? [] : [`at least ${minimum}`]),
    ...(maximum === undefined || maximum > 1e15 ? [] : [`at most ${maximum}`]),
    ...(minLength === undefined || minLength < 2 ? [] : [`at least ${minLength} characters`]),
    ...(maxLength === undefined ? [] : [`at most ${maxLength} characters`]),
    ...(format === undefined ? [] : [format]),
  ];
  return said.join(', ');
}

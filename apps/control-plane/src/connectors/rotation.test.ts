import { httpDefinition } from '@countersign/protocol/control/connector';
import { defaultRules, rotationOperation } from '@countersign/protocol/control/rotation';
import { expect, test } from 'vitest';
import { schemasHere } from '../../test/schemas-here.ts';
import { createCheckParams } from './check-params.ts';
import { whatIsWrongWith, whyMisfit } from './rotation.ts';

const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const closed = { properties: { new_key: { type: 'string' } }, additionalProperties: false };

/** A connector whose operations are these. */
const connectorOf = (change: object, who: object = {}) => ({
  id: 'c-1',
  tenantId: 't',
  type: 'http' as const,
  credentialId: 'k-1',
  definition: httpDefinition.parse({
    openapi: '3.1.0',
    servers: [{ url: 'https://api.example' }],
    components: {
      securitySchemes: { ours: { type: 'http', scheme: 'bearer' }, tls: { type: 'mutualTLS' } },
    },
    security: [{ ours: [] }],
    paths: {
      '/keys': { post: { operationId: 'change', requestBody: json(closed), ...change } },
      '/who': { get: { operationId: 'who', ...who } },
    },
  }),
});
const named = { action: 'change', param: 'new_key', check_action: 'who', policy_id: 'p' };
const wrongWith = (change: object, who: object = {}) =>
  whatIsWrongWith(rotationOperation.parse(named), connectorOf(change, who));

test('an operation or a check that can never be done is refused when it is named [control-plane.rotation.named]', () => {
  expect(wrongWith({})).toBe(null);
  const never = [
    { requestBody: { content: { 'multipart/form-data': {} } } },
    { parameters: [{ name: 'a', in: 'nowhere' }] },
    { security: [{ tls: [] }] },
  ];
  for (const operation of never) {
    expect(wrongWith(operation)).toMatch(/^rotation.action: can never run: /);
    expect(wrongWith({}, operation)).toMatch(/^rotation.check_action: can never run: /);
  }
});

const misfit = async (
  schema: object,
  { rules = {}, ...more }: { rules?: object; [member: string]: unknown } = {},
) => {
  const found = await whyMisfit(
    createCheckParams(schemasHere()),
    connectorOf({ requestBody: json(schema) }, { parameters: [{ name: 'as', in: 'query', required: true }] }),
    rotationOperation.parse({ ...named, check_params: { as: 'me' }, ...more }),
    { ...defaultRules, ...rules },
  );
  return found?.why ?? null;
};

test('what a rotation is asked with must fit the schema of the body, with a value as it will be made [control-plane.rotation.named]', async () => {
  expect(await misfit(closed)).toBe(null);
  expect(await misfit(closed, { params: { else: 1 } })).toBe(
    'rotation.params.else: is not a parameter of the action',
  );
  expect(await misfit({ required: ['name'] })).toBe('rotation.params.name: is required');
  expect(await misfit(closed, { check_params: {} })).toBe('rotation.check_params.as is missing.');
  const strong = { properties: { new_key: { pattern: '(?=.*[a-z])(?=.*[A-Z])(?=.*[0-9])', maxLength: 64 } } };
  expect(await misfit(strong)).toBe(null);
  expect(await misfit(strong, { rules: { length: 16 } })).toBe(null);
  expect(await misfit(strong, { rules: { length: 65 } })).toMatch(
    /^rotation.params.new_key: .*rotation_policy.value/,
  );
  expect(await misfit(strong, { rules: { alphabet: 'abcdefghij' } })).toMatch(/^rotation.params.new_key: /);
});

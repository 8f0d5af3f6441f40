import { newPrivateKey } from '@countersign/local/market';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RawService, startRawService } from './fixtures/raw-service.ts';
import { type SharedGateway, startSharedGateway } from './fixtures/shared-process.ts';

type Schema = {
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly additionalProperties?: unknown;
};

let desk: RawService;
let gateway: SharedGateway;
let tools: readonly { name: string; description: string; inputSchema: Schema; outputSchema: Schema }[];

beforeAll(async () => {
  desk = await startRawService();
  gateway = await startSharedGateway({
    EVM_PRIVATE_KEY: newPrivateKey(),
    DOWNSTREAM_MCP_URLS: `desk=${desk.url}`,
    LOG_LEVEL: 'error',
  });
  tools = (await gateway.agent.client.listTools()).tools as unknown as typeof tools;
});
afterAll(async () => {
  await gateway?.stop();
  await desk?.stop();
});

/** Every schema in a schema; what stands below `properties` are names, not keywords. */
function* schemasIn(schema: Schema): Generator<Schema> {
  yield schema;
  for (const inner of [...Object.values(schema.properties ?? {}), ...(schema.anyOf ?? [])])
    yield* schemasIn(inner);
  if (schema.items !== undefined) yield* schemasIn(schema.items);
}

/** The names that both tools use as keywords, beyond those allowed. */
const beyond = (allowed: ReadonlySet<string>, schema: Schema): readonly string[] =>
  [...schemasIn(schema)].flatMap((each) => Object.keys(each)).filter((keyword) => !allowed.has(keyword));

/**
 * Fields of Schema, v1beta, and nothing else: "Unknown name … Cannot find field" refuses the whole request.
 * https://docs.cloud.google.com/nodejs/docs/reference/generativelanguage/latest/generativelanguage/protos.google.ai.generativelanguage.v1beta.ischema (3.7.0),
 * seen for propertyNames in nodetool-ai/nodetool#4388 and for additionalProperties in promptfoo/promptfoo#6902.
 */
const geminiFields = new Set(
  (
    'anyOf default description enum example format items maximum maxItems maxLength maxProperties minimum minItems ' +
    'minLength minProperties nullable pattern properties propertyOrdering required title type'
  ).split(' '),
);
/** Type is one word, and each parameter has one; names as FunctionDeclaration has them (Vertex AI, v1beta1). */
const geminiTypes = new Set(['string', 'number', 'integer', 'boolean', 'array', 'object']);
const geminiName = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;

test('Gemini takes both tools as function declarations [gateway.tools.schema-subsets]', () => {
  for (const { name, inputSchema, outputSchema } of tools) {
    expect(name).toMatch(geminiName);
    expect(inputSchema.type).toBe('object');
    expect(beyond(geminiFields, inputSchema)).toEqual([]);
    expect(beyond(geminiFields, outputSchema)).toEqual([]);
    for (const schema of schemasIn(inputSchema)) {
      expect(geminiTypes).toContain(schema.type);
      expect(Object.keys(schema.properties ?? {}).filter((key) => !geminiName.test(key))).toEqual([]);
      expect(schema.type === 'array').toBe(schema.items !== undefined);
      expect(schema.enum === undefined || schema.type === 'string').toBe(true);
    }
  }
});

/**
 * What strict mode makes of a schema: "Responses requests will normalize your schema into strict mode (for example, by
 * setting additionalProperties: false and marking all fields as required)"; optional fields get null as a type.
 * https://platform.openai.com/docs/guides/function-calling#strict-mode, as of 2026-04-01.
 */
function strict(schema: Schema): Schema {
  if (schema.type !== 'object') return schema;
  const { properties = {}, required = [] } = schema;
  const nullable = (inner: Schema): Schema => ({ ...inner, type: [inner.type as string, 'null'] });
  const all = Object.entries(properties).map(([name, inner]) => {
    const fixed = strict(inner);
    return [name, required.includes(name) ? fixed : nullable(fixed)] as const;
  });
  return {
    ...schema,
    properties: Object.fromEntries(all),
    required: Object.keys(properties),
    additionalProperties: false,
  };
}

/**
 * https://platform.openai.com/docs/guides/structured-outputs#supported-schemas: refused are, among others, minLength,
 * maxLength, patternProperties, unevaluatedProperties, propertyNames, minProperties, maxProperties, contains, oneOf,
 * allOf, not and default; at most 100 properties, 5 levels.
 */
const openAiKeywords = new Set(
  'type description enum const anyOf items properties required additionalProperties $ref $defs'.split(' '),
);
const depthOf = (schema: Schema): number =>
  1 + Math.max(0, ...Object.values(schema.properties ?? {}).map(depthOf));

test('OpenAI takes both tools in strict mode [gateway.tools.schema-subsets]', () => {
  for (const { inputSchema } of tools) {
    expect(beyond(openAiKeywords, inputSchema)).toEqual([]);
    const schema = strict(inputSchema);
    expect(schema.type).toBe('object');
    const all = [...schemasIn(schema)];
    for (const { properties, required, additionalProperties } of all.filter((each) => each.properties)) {
      expect(required).toEqual(Object.keys(properties ?? {}));
      expect(additionalProperties).toBe(false);
    }
    expect(all.length).toBeLessThanOrEqual(100);
    expect(depthOf(schema)).toBeLessThanOrEqual(5);
  }
});

/**
 * https://platform.claude.com/docs/en/build-with-claude/structured-outputs#json-schema-limitations: no minimum, maximum,
 * multipleOf, minLength, maxLength, recursion; additionalProperties false or absent before the SDK sets it; at most 24
 * optional parameters. Root: type object, no oneOf, allOf or anyOf.
 */
const claudeKeywords = new Set(
  'type description enum const default properties required additionalProperties items anyOf $ref $defs format'.split(
    ' ',
  ),
);

test('Claude takes both tools, in strict mode too [gateway.tools.schema-subsets]', () => {
  let optional = 0;
  for (const { name, inputSchema } of tools) {
    expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(inputSchema).toMatchObject({ type: 'object' });
    expect(inputSchema.anyOf).toBeUndefined();
    expect(beyond(claudeKeywords, inputSchema)).toEqual([]);
    for (const { properties = {}, required = [] } of schemasIn(inputSchema))
      optional += Object.keys(properties).length - required.length;
  }
  expect(optional).toBeLessThanOrEqual(24);
});

test('each description says in 1,200 characters at most when to use which field, with an example that can be sent [gateway.tools.descriptions]', () => {
  for (const { description, inputSchema } of tools) {
    expect(description.length).toBeLessThanOrEqual(1200);
    const fields = Object.keys(inputSchema.properties ?? {});
    expect(fields.filter((field) => !new RegExp(`\\b${field}\\b`).test(description))).toEqual([]);
    const [, example = '{}'] = /Example: (\{.*\})$/.exec(description) ?? [];
    const given = Object.keys(JSON.parse(example) as object);
    expect(given.length).toBeGreaterThan(0);
    expect(given.filter((field) => !fields.includes(field))).toEqual([]);
    expect((inputSchema.required ?? []).filter((field) => !given.includes(field))).toEqual([]);
    for (const [field, { description: about }] of Object.entries(inputSchema.properties ?? {}))
      expect([field, about?.length ?? 0]).not.toEqual([field, 0]);
  }
  const call = tools.find(({ name }) => name === 'call_service_tool')?.description;
  for (const word of ['detail.downstreamContent', 'approvalUrl', 'approvalId', 'WALLET_APPROVAL_REQUIRED'])
    expect(call).toContain(word);
});

/** Every field, as a model in strict mode has to fill them in; of an object without properties it can say nothing. */
function strictCall(given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const properties = tools.find(({ name }) => name === 'call_service_tool')?.inputSchema.properties ?? {};
  return Object.fromEntries(Object.keys(properties).map((name) => [name, given[name] ?? null]));
}

test('a model in strict mode can call a tool with arguments, as text [gateway.call.arguments-json] [gateway.input.null-is-absent]', async () => {
  const echo = { serviceId: 'desk', toolName: 'echo' };
  const argumentsJson = '{"word":"hi","deep":{"er":[1]}}';
  for (const more of [{}, { arguments: {} }])
    expect(await gateway.agent.call(strictCall({ ...echo, ...more, argumentsJson }))).toMatchObject({
      code: 'SUCCESS',
      detail: { downstreamContent: [{ type: 'text', text: argumentsJson }] },
    });
  const before = desk.calls.length;
  for (const wrong of [
    { argumentsJson: '[1]' },
    { argumentsJson: 'word' },
    { argumentsJson: `{"a":${'['.repeat(100)}${']'.repeat(100)}}` },
    { argumentsJson, arguments: { word: 'ho' } },
  ]) {
    const answer = await gateway.agent.call({ ...echo, ...wrong });
    expect(answer.code).toBe('INVALID_ARGUMENTS');
    expect(answer.message).toContain('"argumentsJson"');
  }
  expect(desk.calls).toHaveLength(before);
});

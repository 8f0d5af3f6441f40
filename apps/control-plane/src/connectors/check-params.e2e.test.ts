import { fork } from 'node:child_process';
import { join } from 'node:path';
import { httpDefinition } from '@countersign/protocol/control/connector';
import { createLogger } from '@countersign/service/logger';
import { expect, inject, onTestFinished, test } from 'vitest';
import { limitedThread } from '../schemas/limited-thread.ts';
import type { Schemas } from '../schemas/run-task.ts';
import { createCheckParams, unreadableSchema } from './check-params.ts';

const newThread = () => limitedThread(inject('program'), createLogger('control-plane', 'silent'));

/** A definition with these operations, each with its body. */
const definitionOf = (bodies: Record<string, unknown>) =>
  httpDefinition.parse({
    openapi: '3.1.0',
    servers: [{ url: 'https://api.example' }],
    components: {},
    paths: Object.fromEntries(
      Object.entries(bodies).map(([operationId, schema]) => [
        `/${operationId}`,
        { post: { operationId, requestBody: { content: { 'application/json': { schema } } } } },
      ]),
    ),
  });
const connectorOf = (schema: unknown) =>
  ({ id: 'c', tenantId: 't', type: 'http', definition: definitionOf({ pay: schema }) }) as const;
const limitedTo =
  (schemas: Schemas, msOf: (task: string, ms: number) => number): Schemas =>
  (tenantId, work) =>
    schemas(tenantId, (run) => work((task, given, ms) => run(task, given, msOf(task, ms))));
const backtracking = { properties: { n: { pattern: '^(a+)+$' } } };

test('a schema that takes its time is given up, is no other call’s, and this process goes on meanwhile [control-plane.execution.body-schema] [control-plane.connector.schema-time]', async () => {
  const checkParams = createCheckParams(newThread());
  const slow = checkParams(connectorOf(backtracking), 'pay', { n: `${'a'.repeat(40)}!` });
  let turns = 0;
  const turning = setInterval(() => turns++, 5);
  onTestFinished(() => clearInterval(turning));
  const others = [{ n: 'aaa' }, { n: 'b' }].map((params) =>
    checkParams(connectorOf(backtracking), 'pay', params),
  );
  expect(await slow).toEqual({
    kind: 'slow',
    why: 'params: checking them against the schema of the definition takes too long',
  });
  expect(turns).toBeGreaterThan(2);
  expect(await Promise.all(others)).toEqual([
    null,
    { kind: 'misfit', why: expect.stringContaining('pattern') },
  ]);
});

test('the largest definition that the API takes is read on busy processors too: CPU time counts, not the clock [control-plane.connector.schema-time]', async () => {
  const burners = Array.from({ length: 6 }, () =>
    fork(join(import.meta.dirname, '../../test/burn.js'), { execArgv: [] }),
  );
  onTestFinished(() => burners.forEach((one) => one.kill('SIGKILL')));
  const member = (place: number) => ({ type: ['string', 'null'], maxLength: place, pattern: '^[a-z]+$' });
  const body = (at: number) => ({
    type: 'object',
    properties: Object.fromEntries(
      Array.from({ length: 25 }, (_, place) => [`member_${at}_${place}`, member(place)]),
    ),
  });
  const bodies = Array.from({ length: 110 }, (_, at) => [`operation-${at}`, body(at)]);
  const definition = definitionOf(Object.fromEntries(bodies));
  expect(JSON.stringify(definition).length).toBeGreaterThan(200 * 1024);
  const connector = { tenantId: 't', type: 'http', definition } as const;
  expect(await unreadableSchema(newThread(), connector)).toBe(null);
}, 120_000);

test('schemas that take more processor time than there is for them make no connector, and nobody remembers that [control-plane.connector.schema-time]', async () => {
  const schemas = newThread();
  const little = limitedTo(schemas, () => 0);
  const many = Array.from({ length: 400 }, (_, at) => ({ properties: { [`n${at}`]: { type: 'string' } } }));
  const connector = connectorOf({ anyOf: many, unevaluatedProperties: false });
  expect(await unreadableSchema(little, connector)).toMatchObject({
    why: 'definition.paths: the JSON schemas of all bodies together take more than 5 s of processor time to be read',
  });
  expect(await createCheckParams(little)(connector, 'pay', {})).toMatchObject({
    kind: 'slow',
  });
  expect(await unreadableSchema(schemas, connector)).toBe(null);
  expect(await createCheckParams(schemas)(connector, 'pay', {})).toBe(null);
});

test('what a schema takes to be made ready counts as reading: the first call of a large one takes as little as any other [control-plane.connector.schema-time]', async () => {
  const member = { type: ['string', 'null'], maxLength: 7, pattern: '^[a-z]+$' };
  const one = {
    required: ['n0'],
    properties: Object.fromEntries(Array.from({ length: 25 }, (_, at) => [`n${at}`, member])),
  };
  const connector = connectorOf({
    type: 'object',
    properties: { x: { anyOf: Array.from({ length: 90 }, () => one) } },
  });
  const eager = limitedTo(newThread(), (task, ms) => (task === 'check' ? 40 : ms));
  expect(await createCheckParams(eager)(connector, 'pay', { x: { n0: 'a' } })).toBe(null);
});

test('a slow schema holds up nobody else for more than a turn; beyond a hundred waiting it is told to come later [control-plane.connector.schema-turns]', async () => {
  const checkParams = createCheckParams(newThread());
  const params = { n: `${'a'.repeat(40)}!` };
  const slow = Array.from({ length: 110 }, () => checkParams(connectorOf(backtracking), 'pay', params));
  let done = 0;
  for (const one of slow) void one.then(() => done++);
  const other = { ...connectorOf(backtracking), id: 'd', tenantId: 'u' };
  expect(await checkParams(other, 'pay', { n: 'aaa' })).toBe(null);
  expect(await checkParams(other, 'pay', { n: 'aaa' })).toBe(null);
  expect(done).toBeLessThan(20);
  expect(await slow.at(-1)).toMatchObject({ kind: 'busy' });
});

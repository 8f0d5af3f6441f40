import { dashboardRoutes } from '@countersign/protocol/dashboard/routes';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { askedOf } from './approvals.ts';
import { type Json, newWallet, openDashboard, type TestDashboard } from './dashboard.ts';
import { demoFile, importInto } from './sanctions.ts';

const operator = newWallet();
let dashboard: TestDashboard;
let owner: Awaited<ReturnType<TestDashboard['newAccount']>>;
let document: Json;
let mandateId: string;
let approvalId: string;
beforeAll(async () => {
  dashboard = await openDashboard({ operators: new Set([operator.address]) });
  owner = await dashboard.newAccount(operator);
  await importInto(dashboard, { from: demoFile, kind: 'demonstration' });
  mandateId = await dashboard.newMandate(owner);
  const asked = askedOf(owner.address, dashboard.clock.now);
  approvalId = asked.approvalId;
  await dashboard.post('/api/approvals', { apiKey: owner.apiKey, ...asked });
  document = await (await fetch(`${dashboard.url}/openapi.json`)).json();
});
afterAll(() => dashboard.stop());

const nasty = fc.oneof(
  fc.constantFrom<unknown>(null, true, 0, -1, 1.5, 1e21, Number.MAX_SAFE_INTEGER, [], {}, [[[[]]]]),
  fc.constantFrom(
    '',
    ' ',
    '0',
    '-0',
    '1e309',
    'NaN',
    '\0',
    '\ud800',
    'ﬀ',
    '%00',
    '0x',
    '__proto__',
    "' or 1=1 --",
  ),
  fc.constantFrom('😀'.repeat(5000), 'x'.repeat(70_000), JSON.parse('{"__proto__":{"x":1},"constructor":1}')),
);

/** Values that a schema of our document allows, as far as it says. */
function allowedBy(schema: Json): fc.Arbitrary<unknown> {
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map(allowedBy));
  if (schema.type === 'integer')
    return fc.integer({ min: schema.minimum ?? 0, max: Math.min(schema.maximum ?? 1e6, 1e6) });
  if (schema.type === 'string') return textOf(schema);
  if (schema.type === 'object' && schema.properties !== undefined) return objectOf(schema);
  return schema.type === 'object' ? fc.dictionary(fc.string(), fc.jsonValue()) : fc.jsonValue();
}

const textOf = ({ maxLength = 64 }: Json): fc.Arbitrary<unknown> =>
  fc.string({ unit: 'binary', maxLength: Math.min(maxLength, 300) });

/** By the name of a field, texts that get past its schema: what lies behind is to be reached too. */
function plausible(name: string): readonly string[] {
  if (/wallet|address|payer$|payee$/i.test(name)) return [owner.address, newWallet().address.toLowerCase()];
  if (/limit|budget|amount/i.test(name)) return ['1', '0.005', '20', '999999999999999999'];
  if (/date/i.test(name)) return ['2026-11-21', '2026-11-21T00:00:00+23:59', '0000-01-01', '9999-12-31'];
  return ['base', 'DE', 'a', '0x12', mandateId, approvalId];
}

/** An object of the schema, with some fields left out and some replaced by what breaks careless code. */
function objectOf({ properties, required = [] }: Json): fc.Arbitrary<unknown> {
  const fields = Object.entries<Json>(properties).map(([name, schema]) => {
    const allowed =
      schema.type === 'string' && schema.enum === undefined
        ? fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...plausible(name)) }, textOf(schema))
        : allowedBy(schema);
    return [name, fc.oneof({ weight: 15, arbitrary: allowed }, nasty)];
  });
  const record = Object.fromEntries(fields);
  return fc.oneof(
    { weight: 5, arbitrary: fc.record(record, { requiredKeys: required }) },
    fc.record(record, { requiredKeys: [] }),
  );
}

const credentials = fc.constantFrom('good', 'good', 'good', 'good', 'bad', 'none');

type Name = keyof typeof dashboardRoutes;

// Logging out would end the session that the others use; a stream of events has no end.
const names = (Object.keys(dashboardRoutes) as Name[]).filter(
  (name) => name !== 'logout' && name !== 'events',
);

describe('whatever is sent, the answer is documented, in the envelope, and never a failure [dashboard.envelope.fields]', () => {
  test.each(names)('%s', async (name) => {
    const route = dashboardRoutes[name];
    const operation = document.paths[route.path.replace(/:(\w+)/g, '{$1}')][route.method.toLowerCase()];
    const schema = operation.requestBody?.content['application/json'].schema ?? { properties: {} };
    const query = {
      properties: Object.fromEntries(operation.parameters.map((p: Json) => [p.name, p.schema])),
    };
    const input = fc.record({
      body: fc.oneof({ weight: 9, arbitrary: objectOf(schema) }, nasty),
      query: objectOf(query),
      credentials,
    });

    await fc.assert(
      fc.asyncProperty(input, async ({ body, query, credentials }) => {
        const reply = await dashboard.request(
          route.method,
          pathOf(route.path, query),
          optionsOf(route, body, credentials),
        );
        expect(Object.keys(operation.responses)).toContain(String(reply.status));
        expect({ failed: reply.status >= 500, msg: reply.msg }).toMatchObject({ failed: false });
        const succeeded = reply.status < 300;
        expect(reply.code === 80000000).toBe(succeeded);
        expect(succeeded && route.data.safeParse(reply.data).error).toBeFalsy();
      }),
      { numRuns: 60 },
    );
  });
});

function pathOf(path: string, query: unknown): string {
  const values = query as Record<string, unknown>;
  const textIn = (name: string): string => {
    const value = values[name] ?? 'none';
    return typeof value === 'string' ? value.slice(0, 2000).replace(/\p{Cs}/gu, '') : JSON.stringify(value);
  };
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(textIn(name)) || 'none');
  const pairs = Object.keys(values).map((name): [string, string] => [name, textIn(name)]);
  return pairs.length === 0 ? filled : `${filled}?${new URLSearchParams(pairs).toString()}`;
}

function optionsOf({ method, auth }: { method: string; auth: string }, body: unknown, credentials: string) {
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
  const apiKey = { good: owner.apiKey, bad: 'csk_bad', none: undefined }[credentials];
  const token = { good: owner.token, bad: 'bad' }[credentials];
  return {
    ...(method !== 'GET' && {
      body: JSON.stringify(isObject && auth === 'api-key' ? { ...body, apiKey } : body),
    }),
    ...(auth === 'session' && token !== undefined && { token }),
  };
}

import { dashboardRoutes } from '@countersign/protocol/dashboard/routes';
import type { Route } from '@countersign/protocol/route';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Json, openDashboard, type TestDashboard } from './dashboard.ts';

let dashboard: TestDashboard;
let document: Json;
beforeAll(async () => {
  dashboard = await openDashboard();
  document = await (await fetch(`${dashboard.url}/openapi.json`)).json();
});
afterAll(() => dashboard.stop());

const operationOf = ({ path, method }: Route) =>
  document.paths[path.replace(/:(\w+)/g, '{$1}')][method.toLowerCase()];

test('OpenAPI 3.1 names every endpoint [dashboard.listen.openapi]', async () => {
  expect(document.openapi).toMatch(/^3\.1\./);
  for (const route of Object.values<Route>(dashboardRoutes)) {
    const operation = operationOf(route);
    expect(operation.summary).toBe(route.summary);
    expect(Object.keys(operation.responses)).toContain('500');
  }
  expect(JSON.stringify(document)).not.toContain('undefined');
});

test('it is a valid OpenAPI 3.1 document by the schema of OpenAPI itself [dashboard.listen.openapi]', async () => {
  const validator = new Validator();
  const { valid, errors } = await validator.validate(structuredClone(document));
  expect({ valid, errors }).toMatchObject({ valid: true });
  expect(validator.version).toBe('3.1');
  const names = Object.values<Json>(document.paths).flatMap((path) => Object.values<Json>(path));
  expect(new Set(names.map(({ operationId }) => operationId)).size).toBe(names.length);
});

test('what is not the envelope is told by its media type [dashboard.listen.openapi]', () => {
  const media = (route: Route) => Object.keys(operationOf(route).responses['200'].content);
  expect(media(dashboardRoutes.events)).toEqual(['text/event-stream']);
  expect(media(dashboardRoutes.listTransactions)).toEqual(['application/json', 'text/csv']);
  expect(media(dashboardRoutes.me)).toEqual(['application/json']);
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { whyInvalid } from './test/kubernetes.ts';
import { documentsOf, render } from './test/render.ts';

const chart = join(import.meta.dirname, 'helm/countersign');
const read = (name: string): string => readFileSync(join(chart, name), 'utf8');

// Documents of Kubernetes have many shapes; each test names the part that it looks at.
type Json = ReturnType<typeof JSON.parse>;

const values: Json = parse(read('values.yaml'));
const documents: Json[] = readdirSync(join(chart, 'templates')).flatMap((name) =>
  render(read(`templates/${name}`), {
    Values: { ...values, postgresql: { ...values.postgresql, bundled: true } },
    Release: { Name: 'release' },
  }),
);
const secrets: Json[] = documentsOf(read('secrets.example.yaml'));

describe.each([...documents, ...secrets].map((one) => [`${one.kind} ${one.metadata.name}`, one] as const))(
  '%s',
  (_, document) => {
    test('holds by the schema of Kubernetes, and has no field that the schema does not know [system.deploy.chart.schema]', () => {
      expect(whyInvalid(document)).toEqual([]);
    });
  },
);

test('a wrong type, a missing field, a typo deep inside and an unknown kind are told [system.deploy.chart.schema]', () => {
  const gateway = () => structuredClone(documents.find(({ kind }) => kind === 'StatefulSet'));
  const changed = (change: (container: Json, document: Json) => void) => {
    const document = gateway();
    change(document.spec.template.spec.containers[0], document);
    return whyInvalid(document).join();
  };
  expect(changed(() => {})).toBe('');
  expect(changed((container) => (container.ports[0].containerPort = '4020'))).toMatch(/containerPort/);
  expect(changed((container) => delete container.name)).toMatch(/name/);
  expect(changed((container) => (container.readinessProbe.httpGet.pth = '/x'))).toMatch(/httpGet\/pth$/);
  expect(changed((container) => (container.securityContext.readOnlyRootFileSystem = true))).toMatch(
    /readOnlyRootFileSystem$/,
  );
  expect(changed((_, document) => (document.apiVersion = 'apps/v2'))).toMatch(/apps\/v2 StatefulSet/);
});

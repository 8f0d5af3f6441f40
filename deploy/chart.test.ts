import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { commands } from '../cli/src/commands.ts';
import { documentsOf, render } from './test/render.ts';
import { filledIn, services } from './test/services.ts';

const chart = join(import.meta.dirname, 'helm/countersign');
const read = (name: string): string => readFileSync(join(chart, name), 'utf8');

// Documents of Kubernetes have many shapes; each test names the part that it looks at.
type Json = ReturnType<typeof JSON.parse>;

const values: Json = parse(read('values.yaml'));
const rendered = (changes: object = {}): Json[] =>
  readdirSync(join(chart, 'templates')).flatMap((name) =>
    render(read(`templates/${name}`), {
      Values: { ...values, ...changes },
      Release: { Name: 'release' },
    }),
  );

const bundled = { ...values.postgresql, bundled: true };
const documents = rendered({ postgresql: bundled });
const ofKind = (...kinds: readonly string[]): Json[] => documents.filter(({ kind }) => kinds.includes(kind));
const workloads = ofKind('Deployment', 'StatefulSet');
const containers = workloads.flatMap(({ spec }) =>
  spec.template.spec.containers.map((container: Json) => ({ container, pod: spec.template, set: spec })),
);
const secrets = new Map<string, Json>(
  documentsOf(read('secrets.example.yaml')).map((secret: Json) => [secret.metadata.name, secret.stringData]),
);

/** What a container's service finds in its environment once the secrets are filled in. */
function environmentOf(container: Json): Record<string, string> {
  const given = Object.fromEntries(container.env.map(({ name, value }: Json) => [name, value]));
  const secret = container.envFrom.flatMap(({ secretRef }: Json) => Object.keys(secrets.get(secretRef.name)));
  const filled = Object.fromEntries(
    secret.map((name: string) => [name, filledIn[name] ?? `MISSING ${name}`]),
  );
  // As Kubernetes: what is named for the container itself wins.
  return { ...filled, ...given };
}

test('the bundled PostgreSQL is there only when asked for; all else is the same [system.deploy.chart]', () => {
  const names = (all: Json[]) => all.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  expect(names(rendered())).toEqual(names(documents).filter((name) => !name.endsWith('release-postgresql')));
  expect(new Set(names(documents)).size).toBe(documents.length);
});

test('the owner is sent to the console’s public address, not to a name inside [gateway.challenge.approval-url]', () => {
  const of = (name: string) =>
    environmentOf(containers.find(({ container }) => container.name === name)?.container);
  const address = of('dashboard')['DASHBOARD_PUBLIC_URL'];
  expect(address).toMatch(/^https:/);
  expect(of('gateway')['COMPLIANCE_BASE_URL']).not.toContain(new URL(address ?? '').host);
});

test('renders values and nothing else: what else a template says is an error', () => {
  const about = { Values: { a: { b: 1 }, list: [{ c: 2 }] }, Release: { Name: 'r' } };
  expect(render('x: {{ .Values.a.b }}\ny: {{ .Values.a.b | quote }}\n', about)).toEqual([{ x: 1, y: '1' }]);
  const missing = 'x: {{ (.Values.none).b | default "d" | quote }}\ny: {{ (.Values.a).b | default "d" }}\n';
  expect(render(missing, about)).toEqual([{ x: 'd', y: 1 }]);
  expect(render('x:\n  {{- toYaml .Values.list | nindent 2 }}\n', about)).toEqual([{ x: [{ c: 2 }] }]);
  for (const unknown of [
    '{{ include "x" . }}',
    '{{ .Values.none }}',
    '{{- range .Values.list }}',
    '{{ .Values.a }}',
    '{{ (.Values.none).b }}',
    '{{ .Values.none.b | default "d" }}',
  ])
    expect(() => render(`x: ${unknown}\n`, about)).toThrow(/may not say|has no|no single value/);
});

test('values that an earlier release wrote, without signIn, render as those of now [system.deploy.chart]', () => {
  const { signIn: _, ...earlier } = values;
  const named = render(read('templates/dashboard.yaml'), { Values: values, Release: { Name: 'release' } });
  // helm upgrade --reuse-values takes the values of the release that runs, and none of ours.
  for (const reused of [earlier, { ...earlier, signIn: null }, { ...earlier, signIn: {} }])
    expect(
      render(read('templates/dashboard.yaml'), { Values: reused, Release: { Name: 'release' } }),
    ).toEqual(named);
  const own = { ...values, signIn: { secret: 'another' } };
  expect(
    JSON.stringify(render(read('templates/vault.yaml'), { Values: own, Release: { Name: 'release' } })),
  ).toContain('"secretName":"another"');
});

test('the key of sign-ins is mounted at the dashboard alone, its public half at the two others, and neither has to exist [system.deploy.chart]', () => {
  const found = workloads.flatMap(({ spec: { template } }) =>
    (template.spec.volumes ?? []).flatMap(({ name, secret }: Json) =>
      secret?.secretName === 'countersign-sign-in'
        ? template.spec.containers
            .filter(({ volumeMounts }: Json) => volumeMounts.some((one: Json) => one.name === name))
            .map((container: Json) => [
              container.name,
              secret.optional,
              ...secret.items.map((one: Json) => one.key),
            ])
        : [],
    ),
  );
  expect(found.toSorted(([one], [other]) => one.localeCompare(other))).toEqual([
    ['control-plane', true, 'sign-in-public.pem'],
    ['dashboard', true, 'sign-in.pem'],
    ['vault', true, 'sign-in-public.pem'],
  ]);
});

test('every secret that is named is in the example, and the other way round [system.deploy.chart]', () => {
  const named = containers.flatMap(({ container }) =>
    container.envFrom.map(({ secretRef }: Json) => secretRef.name),
  );
  const mounted = workloads.flatMap(({ spec }) =>
    (spec.template.spec.volumes ?? []).flatMap(({ secret }: Json) => (secret ? [secret.secretName] : [])),
  );
  expect(new Set([...named, ...mounted])).toEqual(new Set(secrets.keys()));
  expect(Object.keys(secrets.get('countersign-control-plane-tls'))).toEqual([
    'tls.crt',
    'tls.key',
    'client-ca.crt',
  ]);
});

describe.each(containers.map((one) => [one.container.name as string, one] as const))(
  '%s',
  (name, { container, pod, set }) => {
    const service = services[container.args[0]];

    test('runs one of our commands, knows each of its variables and misses none [system.deploy.chart]', () => {
      if (name === 'postgresql') return;
      expect(Object.keys(commands)).toContain(container.args[0]);
      const environment = environmentOf(container);
      expect(Object.keys(environment).filter((one) => !service?.variables.has(one))).toEqual([]);
      expect(service?.errors({ ...environment, NODE_ENV: 'production' })).toEqual([]);
      const [address = ''] = service?.listens ?? [];
      expect(environment[address]).toBe(address === '' ? undefined : '0.0.0.0');
    });

    test('is probed where it listens [system.deploy.chart]', () => {
      const ports = new Map(container.ports?.map((port: Json) => [port.name, port.containerPort]));
      const { startupProbe, livenessProbe, readinessProbe } = container;
      expect([startupProbe, livenessProbe].map((one) => one.httpGet ?? one.exec)).not.toContain(undefined);
      for (const { httpGet } of [startupProbe, livenessProbe, readinessProbe ?? {}]) {
        if (httpGet === undefined) continue;
        expect(String(ports.get(httpGet.port))).toBe(environmentOf(container)[service?.listens?.[1] ?? '']);
        expect(httpGet.scheme).toBe(name === 'control-plane' ? 'HTTPS' : undefined);
      }
      if (service === undefined || service.listens === null) return;
      expect(livenessProbe.httpGet.path).toBe('/health');
      // The gateway's /ready wants a token.
      expect(readinessProbe.httpGet.path).toBe(name === 'gateway' ? '/health' : '/ready');
    });

    test('has no rights, writes to its volumes alone, and has time to stop [system.deploy.chart]', () => {
      expect(pod.spec).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true },
      });
      expect(container.securityContext).toMatchObject({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(pod.spec.terminationGracePeriodSeconds).toBeGreaterThan(10 + 5);
      expect(container.resources).toMatchObject({
        requests: { memory: expect.any(String) },
        limits: { memory: expect.any(String) },
      });
      const volumes = [
        ...(pod.spec.volumes ?? []).map((one: Json) => one.name),
        ...(set.volumeClaimTemplates ?? []).map((one: Json) => one.metadata.name),
      ];
      expect(volumes).toEqual(expect.arrayContaining(container.volumeMounts.map((one: Json) => one.name)));
    });
  },
);

test('what selects pods selects those that it means [system.deploy.chart]', () => {
  const labels = new Map(
    workloads.map(({ metadata, spec }) => [metadata.name, spec.template.metadata.labels]),
  );
  for (const { metadata, spec } of workloads)
    expect(spec.selector.matchLabels).toEqual(labels.get(metadata.name));
  for (const { metadata, spec } of ofKind('PodDisruptionBudget'))
    expect(spec.selector.matchLabels).toEqual(labels.get(metadata.name));
  for (const { metadata, spec } of ofKind('Service')) {
    expect(spec.selector).toEqual(labels.get(metadata.name));
    const named = containers.filter(({ pod }) => pod.metadata.labels === labels.get(metadata.name));
    const ports = named
      .flatMap(({ container }) => container.ports ?? [])
      .map((port: Json) => [port.name, port.containerPort]);
    expect(spec.ports.map((port: Json) => [port.targetPort, port.port])).toEqual(ports);
  }
  for (const { spec } of ofKind('HorizontalPodAutoscaler')) {
    const { kind, name } = spec.scaleTargetRef;
    expect(workloads.filter((one) => one.kind === kind && one.metadata.name === name)).toHaveLength(1);
    expect(spec.minReplicas).toBeGreaterThanOrEqual(2);
  }
});

test('one enclave with a disk that lasts, shared with nobody; vault and control plane meet it on a socket [system.deploy.chart]', () => {
  const { spec } = workloads.find(({ metadata }) => metadata.name === 'release-vault');
  expect(spec.replicas).toBe(1);
  expect(ofKind('HorizontalPodAutoscaler').map(({ metadata }) => metadata.name)).not.toContain(
    'release-vault',
  );
  const [enclave, ...others] = spec.template.spec.containers;
  expect(enclave.securityContext.runAsUser).not.toBe(spec.template.spec.securityContext.runAsUser);
  expect(spec.volumeClaimTemplates.map((one: Json) => one.metadata.name)).toEqual(['enclave']);
  const mountedBy = (container: Json) => container.volumeMounts.map(({ name }: Json) => name);
  for (const other of others) {
    expect(mountedBy(other)).toContain('socket');
    expect(mountedBy(other)).not.toContain('enclave');
    expect(environmentOf(other)['ENCLAVE_SOCKET']).toBe(environmentOf(enclave)['ENCLAVE_SOCKET']);
  }
});

test('nothing is reached but what a policy names: an empty list would mean all [system.deploy.chart]', () => {
  const policies = ofKind('NetworkPolicy');
  const [denied] = policies.filter(({ metadata }) => metadata.name === 'release-deny-all');
  expect(denied.spec).toEqual({
    podSelector: { matchLabels: { 'app.kubernetes.io/instance': 'release' } },
    policyTypes: ['Ingress', 'Egress'],
  });
  const rules = policies.flatMap(({ spec }) => [
    ...(spec.ingress ?? []).map(({ from }: Json) => from),
    ...(spec.egress ?? []).map(({ to }: Json) => to),
  ]);
  expect(rules.length).toBeGreaterThan(10);
  for (const peers of rules) {
    expect(peers.length).toBeGreaterThan(0);
    for (const peer of peers) expect(JSON.stringify(peer)).toMatch(/matchLabels|matchExpressions|cidr/);
  }
  const outside = values.network.outside[0].ipBlock;
  expect(outside.except).toContain('169.254.0.0/16');
});

test('where pods listen, somebody may come in; the database is reached by those who keep things in it [system.deploy.chart]', () => {
  const policies = new Map(ofKind('NetworkPolicy').map(({ metadata, spec }) => [metadata.name, spec]));
  for (const { metadata, spec } of ofKind('Service')) {
    const opened = policies
      .get(metadata.name)
      .ingress.flatMap(({ ports }: Json) => ports.map((one: Json) => one.port));
    expect(new Set(opened)).toEqual(new Set(spec.ports.map((one: Json) => one.port)));
  }
  const [, components] = policies.get('release-database').podSelector.matchExpressions;
  expect(components.values).toEqual(['dashboard', 'gateway', 'vault']);
});

import { chmodSync, chownSync, copyFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { documentsOf, render } from '../test/render.ts';
import type { Replica } from './compose.ts';
import type { Env, Release } from './deployment.ts';
import type { LifeCycle, Probe } from './kubelet.ts';

// Documents of Kubernetes have many shapes; each function names the part that it reads.
type Json = ReturnType<typeof JSON.parse>;

/** The chart's processes as a cluster runs them: environment from values and secrets, users, volumes with their group, probes. */
export function byChart(root: string, tag: string, dir: string): Release {
  const folder = join(root, 'deploy/helm/countersign');
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  const replicas = (env: Env, more = 0): readonly Replica[] => {
    const documents: Json[] = readdirSync(join(folder, 'templates')).flatMap((name) =>
      render(read(`templates/${name}`), {
        Values: filledIn(parse(read('values.yaml')), tag, env),
        Release: { Name: 'rehearsal' },
      }),
    );
    const secrets = new Map(
      documentsOf(read('secrets.example.yaml')).map((one: Json) => [one.metadata.name, one.stringData]),
    );
    const scaled = new Map(
      documents
        .filter(({ kind }) => kind === 'HorizontalPodAutoscaler')
        .map(({ spec }) => [spec.scaleTargetRef.name, spec.minReplicas]),
    );
    const workloads = documents.filter(({ kind }) => kind === 'Deployment' || kind === 'StatefulSet');
    return workloads.flatMap((workload, at) =>
      Array.from({ length: (scaled.get(workload.metadata.name) ?? 1) + more }, (_, one) =>
        workload.spec.template.spec.containers.map((container: Json) =>
          replicaOf({ workload, container, at, one, env, secrets, dir }),
        ),
      ).flat(),
    );
  };
  return { tag, replicas, surge: (env, more) => replicas(env, more) };
}

/** What an operator puts into a file of their own values. */
function filledIn(values: Json, tag: string, env: Env): Json {
  const named = (list: Json[], own: Env) => [
    ...list.filter(({ name }) => !(name in own)),
    ...Object.entries(own).map(([name, value]) => ({ name, value })),
  ];
  const pick = (...names: readonly string[]): Env =>
    Object.fromEntries(names.map((name) => [name, env[name] ?? '']));
  const { dashboard, gateway, vault, enclave } = values;
  return {
    ...values,
    images: { ...values.images, countersign: `countersign:${tag}`, enclave: `countersign-enclave:${tag}` },
    dashboard: {
      ...dashboard,
      env: named(dashboard.env, {
        ...pick('DASHBOARD_PUBLIC_URL', 'SETTLEMENT_CHAIN_ID'),
        VAULT_URL: env['VAULT_PUBLIC_URL'] ?? '',
      }),
    },
    gateway: {
      ...gateway,
      env: named(gateway.env, {
        ...pick('DOWNSTREAM_MCP_URLS', 'COMPLIANCE_CHAIN'),
        PAYMENT_NETWORKS: `eip155:${env['SETTLEMENT_CHAIN_ID']}`,
      }),
    },
    vault: { ...vault, env: named(vault.env, { VAULT_CONSOLE_ORIGIN: env['DASHBOARD_PUBLIC_URL'] ?? '' }) },
    enclave: {
      ...enclave,
      hostUsers: false,
      env: named(enclave.env, pick('TEE_PROVIDER', 'ENCLAVE_ALLOW_SIMULATED_TEE', 'AUDIT_ORIGIN')),
      securityContext: {
        ...enclave.securityContext,
        procMount: 'Unmasked',
        seccompProfile: { type: 'Localhost', localhostProfile: 'seccomp-enclave.json' },
      },
    },
  };
}

type Place = {
  readonly workload: Json;
  readonly container: Json;
  readonly at: number;
  readonly one: number;
  readonly env: Env;
  readonly secrets: ReadonlyMap<string, Json>;
  readonly dir: string;
};

function replicaOf({ workload, container, at, one, env, secrets, dir }: Place): Replica {
  const pod = workload.spec.template.spec;
  const context = { ...pod.securityContext, ...container.securityContext };
  const isGateway = container.name === 'gateway';
  const address = `127.0.${at + 2}.${one * 10 + pod.containers.indexOf(container) + 1}`;
  const given = container.envFrom.flatMap(({ secretRef }: Json) =>
    Object.keys(secrets.get(secretRef.name)).map((name) => [name, secretOf(name, env)]),
  );
  const podName = `${workload.metadata.name}-${one}`;
  return {
    name: isGateway ? `gateway-${one + 1}-1` : `${container.name}-${one + 1}`,
    service: isGateway ? `gateway-${one + 1}` : container.name,
    address,
    container: {
      image: container.image,
      command: container.args,
      environment: {
        ...Object.fromEntries(given),
        ...Object.fromEntries(container.env.map(({ name, value }: Json) => [name, value])),
      },
      user: `${context.runAsUser}:${context.runAsGroup}`,
      read_only: context.readOnlyRootFilesystem,
      cap_drop: context.capabilities.drop,
      security_opt: [
        ...(context.allowPrivilegeEscalation === false ? ['no-new-privileges:true'] : []),
        ...(context.procMount === 'Unmasked' ? ['systempaths=unconfined'] : []),
        ...(context.seccompProfile.type === 'Localhost'
          ? [`seccomp:${context.seccompProfile.localhostProfile}`]
          : []),
      ],
    },
    mounts: container.volumeMounts.map(
      ({ name, mountPath }: Json) => `${volumeOf(name, pod, podName, dir)}:${mountPath}`,
    ),
    ready: readyOf(container, address),
    lifeCycle: lifeCycleOf(container, pod, address),
  };
}

/** With what Kubernetes takes where the chart says nothing. */
function lifeCycleOf(container: Json, pod: Json, address: string): LifeCycle {
  const of = (probe: Json): Probe | null =>
    probe === undefined
      ? null
      : {
          ask: asked(probe, container, address),
          periodMs: (probe.periodSeconds ?? 10) * 1000,
          timeoutMs: (probe.timeoutSeconds ?? 1) * 1000,
          failureThreshold: probe.failureThreshold ?? 3,
        };
  return {
    startup: of(container.startupProbe),
    liveness: of(container.livenessProbe),
    readiness: of(container.readinessProbe),
    preStop: container.lifecycle?.preStop.exec.command ?? null,
    graceMs: (pod.terminationGracePeriodSeconds ?? 30) * 1000,
  };
}

/** As `secrets.example.yaml` says what each is. */
function secretOf(name: string, env: Env): string {
  if (name.endsWith('DATABASE_URL'))
    return `postgres://countersign:${env['POSTGRES_PASSWORD']}@postgres:5432/countersign`;
  return env[name === 'EVM_PRIVATE_KEY' ? 'GATEWAY_PRIVATE_KEY' : name] ?? '';
}

/** A folder as the kubelet makes it: root's, of the pod's `fsGroup`, which may write. */
function volumeOf(name: string, pod: Json, podName: string, dir: string): string {
  const folder = join(dir, 'kubelet', podName, name);
  mkdirSync(folder, { recursive: true });
  const { fsGroup } = pod.securityContext;
  const isSecret = pod.volumes.some((volume: Json) => volume.name === name && volume.secret !== undefined);
  chownSync(folder, 0, fsGroup);
  chmodSync(folder, isSecret ? 0o2755 : 0o2777);
  if (!isSecret) return folder;
  const from = join(dir, 'compose-tls');
  for (const [to, file] of Object.entries({
    'tls.crt': 'control.pem',
    'tls.key': 'control-key.pem',
    'client-ca.crt': 'control-client-ca.pem',
  })) {
    copyFileSync(join(from, file), join(folder, to));
    chownSync(join(folder, to), 0, fsGroup);
    chmodSync(join(folder, to), 0o440);
  }
  return folder;
}

/** Its readiness probe, else its startup probe. */
const readyOf = (container: Json, address: string): Replica['ready'] =>
  asked(container.readinessProbe ?? container.startupProbe, container, address);

function asked({ exec, httpGet }: Json, { ports = [] }: Json, address: string): Replica['ready'] {
  if (exec !== undefined) return { exec: exec.command };
  const { containerPort } = ports.find(({ name }: Json) => name === httpGet.port);
  return { url: `${(httpGet.scheme ?? 'HTTP').toLowerCase()}://${address}:${containerPort}${httpGet.path}` };
}

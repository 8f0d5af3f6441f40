import { pick, runQuietly } from './docker.ts';
import type { SandboxDriver, Way } from './driver.ts';
import { connectorLimits } from './limits.ts';

export type KubernetesOptions = { readonly image: string; readonly runtimeClass: string | null };

/**
 * A pod for each connector, in the namespace that `kubectl` is set to, where a NetworkPolicy denies everything (see the
 * manual). What it runs is tested; it was not run against a cluster.
 */
export function kubernetesDriver(options: KubernetesOptions): SandboxDriver {
  return {
    ways: (number) => [() => kubernetesWay(`countersign-connector-${process.pid}-${number}`, options)],
  };
}

export function kubernetesWay(name: string, options: KubernetesOptions): Way {
  return {
    driver: 'kubernetes',
    memory: 'container',
    command: [
      'kubectl',
      'run',
      name,
      '--stdin',
      '--quiet',
      '--rm',
      '--restart=Never',
      `--image=${options.image}`,
      `--overrides=${JSON.stringify(podOf(name, options))}`,
    ],
    env: pick('PATH', 'HOME', 'KUBECONFIG', 'KUBERNETES_SERVICE_HOST', 'KUBERNETES_SERVICE_PORT'),
    mustBeApart: false,
    ranOut: () => false,
    remove: () => runQuietly('kubectl', 'delete', 'pod', name, '--now', '--wait=false', '--ignore-not-found'),
  };
}

/** Returns the pod specification for `kubectl run`. */
export function podOf(name: string, { image, runtimeClass }: KubernetesOptions) {
  const { memoryMb, cpu, pids: _asTheNodeHasIt, node } = connectorLimits;
  const resources = { memory: `${memoryMb}Mi`, cpu: `${cpu}` };
  return {
    apiVersion: 'v1',
    metadata: { labels: { app: 'countersign-connector' } },
    spec: {
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      restartPolicy: 'Never',
      // One that nobody ended ends by itself.
      activeDeadlineSeconds: 3600,
      ...(runtimeClass !== null && { runtimeClassName: runtimeClass }),
      securityContext: {
        runAsNonRoot: true,
        runAsUser: 61_200,
        runAsGroup: 61_200,
        seccompProfile: { type: 'RuntimeDefault' },
      },
      containers: [
        {
          name,
          image,
          args: ['enclave', 'connector'],
          stdin: true,
          stdinOnce: true,
          env: [{ name: 'NODE_OPTIONS', value: node.join(' ') }],
          resources: { limits: resources, requests: resources },
          securityContext: {
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ['ALL'] },
          },
        },
      ],
    },
  };
}

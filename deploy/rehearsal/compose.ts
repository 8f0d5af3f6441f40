import { parse } from 'yaml';
import type { LifeCycle } from './kubelet.ts';

type Container = {
  readonly image: string;
  readonly command: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly user?: string;
  readonly read_only?: boolean;
  readonly tmpfs?: readonly string[];
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly stop_grace_period?: string;
  readonly volumes?: readonly string[];
  readonly secrets?: readonly string[];
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly deploy?: { readonly replicas?: number };
};

export type Compose = {
  readonly services: Readonly<Record<string, Container>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
};

const variable = /\$\{(\w+)(?::([-?])([^}]*))?\}/g;

/** A Compose file with its variables filled in as Compose does. Throws, with Compose's own sentence, where a needed one is missing. */
export function readCompose(text: string, env: Readonly<Record<string, string>>): Compose {
  const fill = (_: unknown, value: unknown): unknown =>
    typeof value === 'string'
      ? value.replaceAll(variable, (_, name: string, kind: string | undefined, rest: string) => {
          const given = env[name] ?? '';
          if (given === '' && kind === '?') throw new Error(`compose.yaml needs ${name}: ${rest}`);
          return given === '' && kind === '-' ? rest : given;
        })
      : value;
  return parse(text, fill, { merge: true }) as Compose;
}

/** One process to run: what podman is told of it. */
export type Replica = {
  readonly name: string;
  readonly service: string;
  /** Where it listens: all share one machine's loopback here instead of a network each. */
  readonly address: string;
  readonly container: Container;
  /** `volume:/path`, or `/file:/path:ro`. */
  readonly mounts: readonly string[];
  /** Works when this answers 200, or when this command of the container ends well. */
  readonly ready: { readonly url: string } | { readonly exec: readonly string[] };
  /** Of the chart's alone. */
  readonly lifeCycle?: LifeCycle;
};

/** Each process that the file asks for of our own images. */
export function replicasOf({ services, secrets }: Compose): readonly Replica[] {
  const ours = Object.entries(services).filter(([, { image }]) => image.includes('countersign'));
  return ours.flatMap(([service, container], at) =>
    Array.from({ length: container.deploy?.replicas ?? 1 }, (_, one) => {
      const address = `127.0.${at + 2}.${one + 1}`;
      const files = (container.secrets ?? []).map((name) => `${secrets[name]?.file}:/run/secrets/${name}:ro`);
      return {
        name: `${service}-${one + 1}`,
        service,
        address,
        container,
        mounts: [...(container.volumes ?? []), ...files],
        ready: readyOf(container, address),
      };
    }),
  );
}

/** The file asks whether a process lives; whether it works is what the balancer asks. */
function readyOf({ healthcheck }: Container, address: string): Replica['ready'] {
  const [, ...command] = healthcheck?.test ?? [];
  const asked = command.at(-1) ?? '';
  if (asked.startsWith('/')) return { exec: command };
  return { url: asked.replace('127.0.0.1', address).replace('/health', '/ready') };
}

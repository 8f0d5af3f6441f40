import { parse } from 'yaml';

export type Container = {
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

export type Replica = { readonly name: string; readonly service: string; readonly address: string; readonly container: Container };

/**
 * Each process that the file asks for of our own images. They share one machine's loopback here instead of a network each, so each has
 * an address of its own in it.
 */
export function replicasOf({ services }: Compose): readonly Replica[] {
  const ours = Object.entries(services).filter(([, { image }]) => image.includes('countersign'));
  return ours.flatMap(([service, container], at) =>
    Array.from({ length: container.deploy?.replicas ?? 1 }, (_, one) => ({
      name: `${service}-${one + 1}`,
      service,
      address: `127.0.${at + 2}.${one + 1}`,
      container,
    })),
  );
}

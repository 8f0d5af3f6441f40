import { Deployment, StatefulSet } from 'kubernetes-models/apps/v1';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { Secret, Service } from 'kubernetes-models/v1';

type Kind = { readonly prototype: { readonly validate: () => void } };

/** What the chart makes, each with the schema of Kubernetes' OpenAPI (1.27). */
const kinds: Readonly<Record<string, Kind>> = {
  'apps/v1 Deployment': Deployment,
  'apps/v1 StatefulSet': StatefulSet,
  'autoscaling/v2 HorizontalPodAutoscaler': HorizontalPodAutoscaler,
  'networking.k8s.io/v1 NetworkPolicy': NetworkPolicy,
  'policy/v1 PodDisruptionBudget': PodDisruptionBudget,
  'v1 Secret': Secret,
  'v1 Service': Service,
};

/**
 * What is wrong with a document by the schema of its kind; empty where it holds. A field that the schema knows nothing of is wrong too:
 * Kubernetes would drop it and say so only with strict validation, and the schema lets it pass.
 */
export function whyInvalid(document: object): readonly string[] {
  const { apiVersion, kind } = document as { apiVersion?: string; kind?: string };
  const known = kinds[`${apiVersion} ${kind}`];
  if (known === undefined) return [`${apiVersion} ${kind} is no kind that is known here`];
  const asked = new Set<string>();
  try {
    // A model made of it would copy it, and so ask for everything.
    known.prototype.validate.call(watched(document, '', asked));
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
  return pathsOf(document, '').filter((path) => !asked.has(path));
}

/** The same value, of which is written down what the schema's checks ask for. */
function watched(value: unknown, path: string, asked: Set<string>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return new Proxy(value, {
    get(target, name) {
      const found: unknown = Reflect.get(target, name);
      if (typeof name === 'symbol' || !Object.hasOwn(target, name)) return found;
      const at = `${path}/${name}`;
      asked.add(at);
      return watched(found, at, asked);
    },
  });
}

const pathsOf = (value: unknown, path: string): readonly string[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, inner]) => [`${path}/${name}`, ...pathsOf(inner, `${path}/${name}`)])
    : [];

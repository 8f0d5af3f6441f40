import { type Decider, deciderFor } from './decide.ts';
import { contentOf, type StoredPolicy } from './store.ts';

/** Versions that are ready to decide. One never changes, so it stays ready; each costs a few kilobytes. */
export function createDeciders(): (policy: StoredPolicy) => Decider {
  const ready = new Map<string, Decider>();
  return (policy) => {
    const key = `${policy.tenantId}\n${policy.policyId}\n${policy.version}`;
    const known = ready.get(key) ?? deciderFor(contentOf(policy));
    ready.set(key, known);
    return known;
  };
}

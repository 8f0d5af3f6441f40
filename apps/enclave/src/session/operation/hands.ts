import type { Operation } from '@countersign/protocol/vault/operation';
import type { Reviewed } from './review.ts';

/** Whether a page may be another afterwards, by what the agent did in it. */
export const changesPage = (
  { operation_type: type }: Operation,
  { script }: Pick<Reviewed, 'script'>,
): boolean => /^(click|fill|select|press|navigate)$/.test(type) || script?.kind === 'acts';

/**
 * Whether what it does depends on more of the page than its target: it sends what stands in fields, or what a script counts. A person agrees
 * to that as the picture showed it.
 */
export const usesPage = ({ operation_type: type }: Operation): boolean =>
  /^(click|select|press|hover|execute_script)$/.test(type);

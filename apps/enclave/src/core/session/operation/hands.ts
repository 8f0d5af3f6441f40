import type { Operation } from '@countersign/protocol/vault/operation';
import type { ObservedTarget } from '@countersign/review/observation';
import type { Reviewed } from './reviewed.ts';

/** Returns whether a page may be another afterwards, by what the agent did in it. */
export const changesPage = (
  { operation_type: type }: Operation,
  { script }: Pick<Reviewed, 'script'>,
): boolean => /^(click|fill|select|press|hover|scroll|navigate)$/.test(type) || script?.kind === 'acts';

/**
 * Whether what it does depends on more of the page than its target: it sends what stands in fields, or what a script counts. A person agrees
 * to that as the picture showed it.
 */
export const usesPage = ({ operation_type: type }: Operation): boolean =>
  /^(click|select|press|hover|execute_script)$/.test(type);

/** Returns whether it puts something into a field, or chooses; a key that only moves puts nothing. */
export const writes = (
  operation: Operation,
  target: Pick<ObservedTarget, 'tag' | 'type' | 'role'> | null,
): boolean =>
  (operation.operation_type === 'click' && target !== null && isChoice(target)) ||
  operation.operation_type === 'fill' ||
  operation.operation_type === 'select' ||
  (operation.operation_type === 'press' && Array.from(operation.value).length === 1);

const isChoice = ({ tag, type, role = '' }: Pick<ObservedTarget, 'tag' | 'type' | 'role'>): boolean =>
  tag === 'option' ||
  (tag === 'input' && (type === 'radio' || type === 'checkbox')) ||
  /^(radio|checkbox|switch|option|menuitemradio|menuitemcheckbox)$/i.test(role.trim());

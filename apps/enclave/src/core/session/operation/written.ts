import type { Operation } from '@countersign/protocol/vault/operation';
import { parseTemplate } from '@countersign/protocol/vault/placeholder';
import type { Written } from '../../masking/literals.ts';

/** The texts that an agent wrote into an operation: what a page repeats of them tells it nothing that it did not know. */
export function writtenIn(operation: Operation): Written {
  const value = 'value' in operation && typeof operation.value === 'string' ? operation.value : '';
  const template = parseTemplate(value);
  const parts = template.ok ? template.value : [];
  return {
    texts: parts.flatMap((part) => ('text' in part ? [part.text] : [])),
    isAddress: operation.operation_type === 'navigate',
    // One with a placeholder is what a request is made of.
    isScript: operation.operation_type === 'execute_script' && parts.every((part) => 'text' in part),
  };
}

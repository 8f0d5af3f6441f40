import type { Definition } from '@countersign/protocol/control/connector';
import { fail, ok, type Result } from '@countersign/protocol/result';
import { type Operation, operation } from '@countersign/protocol/vault/operation';
import { parseTemplate } from '@countersign/protocol/vault/placeholder';
import type { Params } from './params.ts';

type Step = Definition<'browser'>['actions'][string]['steps'][number];

const placeholder = /\{\{params\.([^{}]+)\}\}/g;

/**
 * The operations of an action with its params. In a script a param stands for its JSON text, so that it is never code;
 * elsewhere for its text. No param brings in a placeholder of a credential. Fails in words for who asked.
 */
export function operationsOf(steps: readonly Step[], params: Params): Result<readonly Operation[], string> {
  const operations: Operation[] = [];
  for (const [index, step] of steps.entries()) {
    const value = filled(step.value ?? '', step.operation_type, params);
    if (!value.ok) return value;
    const read = operation.safeParse(step.value === undefined ? step : { ...step, value: value.value });
    if (!read.success) return fail(`Step ${index + 1} cannot be done with these params.`);
    operations.push(read.data);
  }
  return ok(operations);
}

function filled(template: string, type: Operation['operation_type'], params: Params): Result<string, string> {
  const names = [...template.matchAll(placeholder)].map(([, name = '']) => name);
  for (const name of names) {
    const problem = problemOf(Object.hasOwn(params, name) ? params[name] : undefined);
    if (problem !== null) return fail(`params.${name} ${problem}.`);
  }
  const write = (value: unknown): string =>
    type === 'execute_script' ? JSON.stringify(value) : String(value);
  const text = template.replace(placeholder, (_, name: string) => write(params[name]));
  return named(text) === named(template)
    ? ok(text)
    : fail('The params must not name a credential; only the connector may.');
}

function problemOf(value: unknown): string | null {
  if (value === undefined) return 'is required';
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
    return 'must be a text, a number, true or false';
  return /\{\{|\}\}/.test(String(value)) ? 'must not hold double braces' : null;
}

/** The credential's fields that a text names, in their order. */
const named = (text: string): string => {
  const template = parseTemplate(text);
  return template.ok
    ? JSON.stringify(template.value.flatMap((part) => ('field' in part ? part.field : [])))
    : '';
};

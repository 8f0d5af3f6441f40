import type { ConnectorType, Definition } from '@countersign/protocol/control/connector';
import { name } from '@countersign/protocol/control/fields';
import { fail, ok, type Result } from '@countersign/protocol/result';

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/**
 * What `action` may be by a definition that its type's schema has read; of an `mcp-tool` without tools none, which means any.
 * Of `http` these are the `operationId`s.
 */
export function actionsOf(type: ConnectorType, definition: unknown): readonly string[] {
  switch (type) {
    case 'http':
      return operationIds(definition as Definition<'http'>).map(({ id }) => id);
    case 'mcp-tool':
      return (definition as Definition<'mcp-tool'>).tools ?? [];
    case 'browser':
      return Object.keys((definition as Definition<'browser'>).actions);
    case 'postgres':
      return Object.keys((definition as Definition<'postgres'>).actions);
  }
}

/** Returns whether an action is one of a connector's; of those without a list any is. */
export const takesAction = (
  { type, definition }: { readonly type: ConnectorType; readonly definition: unknown },
  action: string,
): boolean => {
  const actions = actionsOf(type, definition);
  return actions.includes(action) || (type === 'mcp-tool' && actions.length === 0);
};

/** The definition, if each of its actions has a name of its own; else what is wrong, by its path. */
export function checkActions(type: ConnectorType, definition: unknown): Result<true, string> {
  const wrong = type === 'http' ? whatIsWrong(operationIds(definition as Definition<'http'>)) : null;
  if (wrong !== null) return fail(wrong);
  return actionsOf(type, definition).length === 0 && type !== 'mcp-tool'
    ? fail(type === 'http' ? 'definition.paths: has no operationId' : 'definition.actions: is empty')
    : ok(true);
}

type Operation = { readonly id: string; readonly path: string };

function operationIds({ paths }: Definition<'http'>): readonly Operation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method];
      const id = isObject(operation) ? operation['operationId'] : undefined;
      return typeof id === 'string' ? [{ id, path: `definition.paths.${path}.${method}.operationId` }] : [];
    }),
  );
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

function whatIsWrong(operations: readonly Operation[]): string | null {
  const seen = new Set<string>();
  for (const { id, path } of operations) {
    if (!name.safeParse(id).success)
      return `${path}: must be 1 to 256 characters, none of them a control character`;
    if (seen.has(id)) return `${path}: ${id} is the name of another operation`;
    seen.add(id);
  }
  return null;
}

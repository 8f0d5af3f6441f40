import type { AnyNode, Function as FunctionNode } from 'acorn';
import type { ScriptFinding, Sink } from './findings.ts';
import { join, labelNames, labels, nothing, same, type Value } from './value.ts';

/**
 * One reading of a script. Variables go by name alone, whatever their scope, and only grow: the script is read again until
 * nothing grows any more.
 */
export type Run = {
  readonly variables: Map<string, Value>;
  /** Names that the script declares anywhere. */
  readonly declared: ReadonlySet<string>;
  readonly returns: Map<FunctionNode, Value>;
  readonly findings: Map<string, ScriptFinding>;
  readonly evaluate: (node: AnyNode, run: Run) => Value;
  /** Whose body is read; null at the top. */
  inside: FunctionNode | null;
  /** What `this` is there. */
  self: Value;
  grown: boolean;
};

export function assign(run: Run, name: string, value: Value): void {
  const before = run.variables.get(name);
  const after = before === undefined ? value : join(before, value);
  if (before !== undefined && same(before, after)) return;
  run.variables.set(name, after);
  run.grown = true;
}

export function returnFrom(run: Run, from: FunctionNode, value: Value): void {
  const before = run.returns.get(from) ?? nothing;
  const after = run.returns.has(from) ? join(before, value) : value;
  if (same(before, after)) return;
  run.returns.set(from, after);
  run.grown = true;
}

type Details = Partial<Pick<ScriptFinding, 'url' | 'method'>>;

export function report(
  run: Run,
  sink: Sink,
  node: AnyNode,
  value: Value = nothing,
  details: Details = {},
): void {
  const all = allLabels(run, value);
  run.findings.set(`${sink} ${node.start}`, {
    sink,
    carries: labelNames.filter((name) => (labels[name] & all) !== 0),
    url: null,
    method: null,
    line: node.loc?.start.line ?? 1,
    ...details,
  });
}

/** Those of the functions in it too, since the language calls `toString`, `toJSON` and `then` by itself. */
export const allLabels = (run: Run, value: Value): number =>
  [...value.functions].reduce((all, one) => all | (run.returns.get(one)?.labels ?? 0), value.labels);

/** How the address in a value begins, for the record. */
export const addressIn = (value: Value): ScriptFinding['url'] =>
  value.text === null ? null : { prefix: value.text.prefix.slice(0, 2048), whole: value.text.whole };

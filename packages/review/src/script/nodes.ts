import type { AnyNode, Pattern, Program } from 'acorn';

/** A node of a syntax tree where it stands. */
export type Visit = {
  readonly node: AnyNode;
  /** Null for the program. */
  readonly above: Visit | null;
  /** The member of the node above that holds it. */
  readonly as: string;
  /** The nearest function around it; null at the top. */
  readonly inside: Visit | null;
};

/** All nodes in the order of the text, those above before those within. However deep the tree is, the stack is not. */
export function nodesOf(program: Program): Visit[] {
  const visits: Visit[] = [];
  const waiting: Visit[] = [{ node: program, above: null, as: '', inside: null }];
  for (let visit = waiting.pop(); visit !== undefined; visit = waiting.pop()) {
    visits.push(visit);
    const within: Visit[] = [];
    const inside = isFunction(visit.node) ? visit : visit.inside;
    for (const [as, value] of Object.entries(visit.node)) {
      if (as === 'loc') continue;
      for (const one of Array.isArray(value) ? (value as unknown[]) : [value as unknown])
        if (isNode(one)) within.push({ node: one, above: visit, as, inside });
    }
    for (const one of within.toSorted((a, b) => b.node.start - a.node.start)) waiting.push(one);
  }
  return visits;
}

const isNode = (value: unknown): value is AnyNode =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value;

/** A name that means a variable, and no member, label or key. */
export function isReference({ node, above, as }: Visit): boolean {
  if (node.type !== 'Identifier' || above === null) return false;
  const parent = above.node;
  if (as === 'property') return 'computed' in parent && parent.computed;
  if (as === 'key') return 'computed' in parent && parent.computed;
  return as !== 'label' && as !== 'meta';
}

export const isFunction = ({ type }: AnyNode): boolean =>
  type === 'FunctionDeclaration' || type === 'FunctionExpression' || type === 'ArrowFunctionExpression';

/** Names that the script declares anywhere, whatever their scope. */
export function declaredIn(visits: readonly Visit[]): Set<string> {
  const names = new Set<string>();
  for (const { node } of visits) {
    const patterns = declaring(node);
    for (let one = patterns.pop(); one !== undefined; one = patterns.pop())
      if (one.type === 'Identifier') names.add(one.name);
      else if (one.type !== 'MemberExpression') patterns.push(...innerPatterns(one));
  }
  return names;
}

function declaring(node: AnyNode): Pattern[] {
  if (node.type === 'VariableDeclarator') return [node.id];
  if (node.type === 'CatchClause') return node.param ? [node.param] : [];
  const named = 'id' in node && node.id && node.id.type === 'Identifier' ? [node.id] : [];
  return 'params' in node ? [...node.params, ...named] : named;
}

/** Of a pattern that takes something apart, what it puts the pieces into. */
export function innerPatterns(pattern: Pattern): Pattern[] {
  switch (pattern.type) {
    case 'Identifier':
    case 'MemberExpression':
      return [];
    case 'AssignmentPattern':
      return [pattern.left];
    case 'RestElement':
      return [pattern.argument];
    case 'ArrayPattern':
      return pattern.elements.filter((one) => one !== null);
    case 'ObjectPattern':
      return pattern.properties.map((part) => (part.type === 'RestElement' ? part.argument : part.value));
  }
}

/** For some types of nodes, what to do with one. */
export type ByType<More extends readonly unknown[], Answer> = {
  readonly [T in AnyNode['type']]?: (node: Extract<AnyNode, { type: T }>, ...more: More) => Answer;
};

/** Null for a node of another type. */
export function byType<More extends readonly unknown[], Answer>(
  table: ByType<More, Answer>,
  node: AnyNode,
  ...more: More
): Answer | null {
  const one = table[node.type] as ((node: AnyNode, ...more: More) => Answer) | undefined;
  return one === undefined ? null : one(node, ...more);
}

import { memberName } from './kinds.ts';
import type { Visit } from './nodes.ts';

const roots = new Set(['documentElement', 'body']);
const selecting = new Set(['querySelectorAll', 'getElementsByTagName']);

/** Takes a whole page at once, or every element of it. */
export function readsEverything({ node }: Visit): boolean {
  if (node.type === 'MemberExpression') {
    const name = memberName(node);
    return (name === 'outerHTML' || name === 'innerHTML') && roots.has(memberName(node.object) ?? '');
  }
  if (node.type !== 'CallExpression' || !selecting.has(memberName(node.callee) ?? '')) return false;
  const [selector] = node.arguments;
  return selector?.type === 'Literal' && selector.value === '*';
}

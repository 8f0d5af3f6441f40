import type { AnyNode, Pattern, Program } from 'acorn';
import { full } from 'acorn-walk';
import { evaluate } from './expressions.ts';
import type { ScriptFinding } from './findings.ts';
import { parseScript } from './parse.ts';
import type { Run } from './run.ts';
import { kinds, newValue } from './value.ts';

/** A script grows no more after so many readings, or does so on purpose. */
const mostReadings = 12;

/**
 * Every way out that a script has, with what may go along: the source is the body of an async function, with placeholders.
 * It errs on the strict side where it cannot follow, and is no proof: the network's own borders hold beside it.
 */
export function analyseScript(source: string): ScriptFinding[] {
  const parsed = parseScript(source);
  if ('refusal' in parsed) return [{ ...unread, sink: parsed.refusal, line: parsed.line }];
  const run = newRun(parsed.program);
  for (let reading = 0; run.grown && reading < mostReadings; reading++) {
    run.grown = false;
    run.findings.clear();
    evaluate(parsed.program, run);
  }
  const findings = [...run.findings.values()].toSorted((a, b) => a.line - b.line);
  return run.grown ? [...findings, { ...unread, sink: 'unparsable', line: 1 }] : findings;
}

const unread = { carries: [], url: null, method: null };

const newRun = (program: Program): Run => ({
  variables: new Map(),
  declared: declaredIn(program),
  returns: new Map(),
  findings: new Map(),
  evaluate,
  inside: null,
  self: newValue({ kinds: kinds.global }),
  grown: true,
});

function declaredIn(program: Program): Set<string> {
  const names = new Set<string>();
  full(program as AnyNode, (any) => {
    const node = any;
    if (node.type === 'VariableDeclarator') addNames(node.id, names);
    else if ('params' in node) for (const param of node.params) addNames(param, names);
    else if (node.type === 'CatchClause' && node.param) addNames(node.param, names);
    if ((node.type === 'FunctionDeclaration' || node.type === 'ClassDeclaration') && node.id)
      names.add(node.id.name);
    if ((node.type === 'FunctionExpression' || node.type === 'ClassExpression') && node.id)
      names.add(node.id.name);
  });
  return names;
}

function addNames(pattern: Pattern, names: Set<string>): void {
  if (pattern.type === 'Identifier') names.add(pattern.name);
  else if (pattern.type === 'AssignmentPattern') addNames(pattern.left, names);
  else if (pattern.type === 'RestElement') addNames(pattern.argument, names);
  else if (pattern.type === 'ArrayPattern')
    for (const part of pattern.elements.filter((one) => one !== null)) addNames(part, names);
  else if (pattern.type === 'ObjectPattern')
    for (const part of pattern.properties)
      addNames(part.type === 'RestElement' ? part.argument : part.value, names);
}

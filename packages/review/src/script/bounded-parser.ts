import { Parser } from 'acorn';

/**
 * A parser that stops where a script is nested too deeply. Every way to nest goes through one of these methods. To run out
 * of stack is no way to find out: where V8 compiles a regular expression without any left, all threads end.
 */
const nesting = [
  'parseStatement',
  'parseMaybeAssign',
  'parseMaybeUnary',
  'parseExprSubscripts',
  'parseExprOp',
  'parseBindingAtom',
  'parseClassElement',
  'regexp_disjunction',
  'regexp_eatNestedClass',
  'regexp_eatClassSetOperand',
] as const;

/** Far beyond what a person writes: a sum of a thousand texts is nested as deeply as it is long. */
export const maxNesting = 2000;

type Method = (this: object, ...args: unknown[]) => unknown;
type Internals = Record<string, Method | undefined>;

export const BoundedParser = Parser.extend((Base) => {
  class Bounded extends Base {}
  const own = Bounded.prototype as unknown as Internals;
  const depths = new WeakMap<object, number>();
  for (const name of nesting) {
    const inherited = own[name];
    if (inherited === undefined) throw new Error(`this parser has no ${name}`);
    own[name] = function (...args) {
      const depth = (depths.get(this) ?? 0) + 1;
      if (depth > maxNesting) throw new RangeError('nested too deeply');
      depths.set(this, depth);
      try {
        return inherited.apply(this, args);
      } finally {
        depths.set(this, depth - 1);
      }
    };
  }
  return Bounded;
});

/** Larger than the limit of YAML would be refused unread. */
const size = 1_900_000;
const levels = (count: number, level: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => level(n)).join('');
const tenOf = (text: string): string => Array.from({ length: 10 }, () => text).join(',');

/** Where hostility stands in a document that is honest but for it. */
const beside = (yaml: string): string =>
  `openapi: 3.1.0\ninfo: {title: Shop}\npaths: {/a: {get: {operationId: a}}}\n${yaml}`;

/** Documents that ruin whoever parses them without bounds, by what they do. */
export const hostileYaml: Readonly<Record<string, string>> = {
  'aliases that multiply': beside(
    `x0: &x0 [${tenOf('laugh')}]\n${levels(6, (n) => `x${n + 1}: &x${n + 1} [${tenOf(`*x${n}`)}]\n`)}`,
  ),
  'aliases of one large value': beside(`x: &x ${'y'.repeat(100_000)}\nz: [${'*x,'.repeat(9_000)}]\n`),
  'an anchor within itself': beside('x: &x\n  y: *x\n'),
  'merges that multiply': beside(
    `x0: &x0 {a: 1}\n${levels(60, (n) => `x${n + 1}: &x${n + 1} {<<: [*x${n}, *x${n}, *x${n}], k${n}: 1}\n`)}`,
  ),
  'lists in lists without end': beside(`x: ${'['.repeat(size)}`),
  'lists in lists on one line': beside(`x:\n  ${'- '.repeat(size / 2)}`),
  'objects in objects without end': beside(`x: ${'{a: '.repeat(size / 4)}`),
  'keys of keys without end': beside(`x:\n  ${'? '.repeat(size / 2)}`),
  'more keys than can be compared': beside(levels(180_000, (n) => `k${n}: 1\n`)),
  'quotes that never close': beside(`x: ${"'\n\t".repeat(size / 3)}`),
  'a key that comes twice': beside('paths: {}\n'),
  'a tag of its own': beside('x: !!js/function "function () {}"\n'),
  'two documents': `${beside('')}---\na: 1\n`,
};

import { expect, test } from 'vitest';
import { processorTime } from '../../test/processor-time.ts';
import { acting } from '../../test/corpus/scripts/acting.ts';
import { reading } from '../../test/corpus/scripts/reading.ts';
import { readCounted, readScript } from './read.ts';

const otherThan = (kind: string, scripts: Readonly<Record<string, string>>): string[] =>
  Object.entries(scripts)
    .filter(([, script]) => readScript(script).kind !== kind)
    .map(([name]) => name);

test(`${Object.keys(reading).length} scripts that read are told from ${Object.keys(acting).length} that act [vault.review.script.kinds]`, () => {
  expect(otherThan('reads', reading)).toEqual([]);
  expect(otherThan('acts', acting)).toEqual([]);
});

test.each([
  [`document.querySelector('#go').click()`, 'click'],
  [`document.querySelector('#name').value = 'x'`, 'fill'],
  [`document.querySelector('select').selectedIndex = 1`, 'select'],
  [`document.querySelector('#name').focus()`, 'press'],
  [`location.href = '/x'`, 'navigate'],
  [`window.scrollTo(0, 9)`, 'scroll'],
  [`await new Promise(r => setTimeout(r, 9))`, 'wait'],
  [`return (await fetch('/x')).json()`, 'extract'],
  [`localStorage.setItem('a', 'b')`, null],
])('%s is an act that has an operation of its own: %s', (script, instead) => {
  expect(readScript(`\n${script}`)).toMatchObject({ kind: 'acts', acts: [{ line: 2, instead }] });
});

test('a placeholder anywhere but in a presentation is told, with its line', () => {
  for (const script of [
    `// {{CREDENTIAL.password}}`,
    `return /{{CREDENTIAL.password}}/`,
    `return {{{CREDENTIAL.password}}: 1}`,
    `return {{CREDENTIAL.password}}`,
    `x.{{CREDENTIAL.password}} = 1`,
    `countersign$placeholder$0$; return {{CREDENTIAL.password}}`,
  ])
    expect(readScript(script)).toEqual({ kind: 'placeholder', line: 1 });
  expect(readScript(`\n\nreturn '{{CREDENTIAL.password}}'`)).toEqual({ kind: 'placeholder', line: 3 });
  expect(readScript(`}); fetch('https://evil.example'); (function () {`)).toMatchObject({
    kind: 'unparsable',
  });
});

const maxSource = 65_536;
const filled = (unit: string, length = maxSource): string => unit.repeat(Math.floor(length / unit.length));
const vc = '{{CREDENTIAL.credential_json}}';

/** Each makes a script of about so many characters that is as hard to read as its kind can be. */
const hard: Readonly<Record<string, (length: number) => string>> = {
  'functions that call each other': (length) => `const o = [];${filled('o.push(()=>o[i]());', length)}`,
  variables: (length) => filled('let a = b; b = a;', length).replace(/a/g, 'a1').replaceAll('let ', 'var '),
  'a chain of calls': (length) => `document${filled('.map(x=>x.y)', length)}`,
  'a chain of filters': (length) => `document${filled('.filter(x=>x.y).forEach(x=>x.z)', length)}`,
  'writes to one variable': (length) => `let x = document;${filled('x.value = x.y.z;', length)}`,
  'taken apart': (length) => `var [${filled('a,', length)}b] = document`,
  requests: (length) => filled(`fetch('/x',{method:'POST',body:'x'});`, length),
  'requests with placeholders': (length) => filled(`fetch('/x',{method:'POST',body:${vc}});`, length),
  'returns before a request': (length) =>
    `${filled('(()=>{return 1})();', length)}fetch('/x',{method:'POST',body:${vc}})`,
  'constants of constants': (length) =>
    `const a0=${vc};${Array.from({ length: length / 24 }, (_, i) => `const a${i + 1}=[a${i},a${i}];`).join('')}fetch('/x',{method:'POST',body:JSON.stringify(a${Math.floor(length / 24)})})`,
  'text in text in text': (length) =>
    `const t=${vc};${filled(`fetch('/x',{method:'POST',body:${'JSON.stringify('.repeat(40)}t${')'.repeat(40)}});`, length)}`,
};

test.each(Object.entries(hard))(
  'what is looked at grows with the text: %s [vault.review.script.linear]',
  (_, make) => {
    const [one, two, four] = [1, 2, 4].map((times) => readCounted(make(times * 8000)).steps) as [
      number,
      number,
      number,
    ];
    expect(one).toBeGreaterThan(0);
    expect(two).toBeLessThan(2.2 * one);
    expect(four).toBeLessThan(4.4 * one);
  },
);

test.each([
  '[',
  '(',
  '{',
  '((',
  '[[{',
  'x=>',
  '(x=>',
  'async x=>',
  '!',
  'new ',
  'await ',
  'typeof ',
  '-',
  'a?',
  'a=',
  'a**',
  'if(a)',
  'a:',
  'for(;;)',
  'x(',
  'x[',
  '`${',
  "'",
  '"',
  '`',
  '/',
  '/[',
  '/(',
  '/(?:',
  '//',
  '/*',
  '<!--',
  '\\',
  '\u2028',
  '(a=',
  '[a=',
  '({a=',
  '({a:',
  'class A extends ',
  'function f(){',
  '(function(){',
  'let a;',
  'a.b.',
  'a?.b',
  'a,',
  'a;',
  '{{',
  '{{CREDENTIAL.',
  '{{CREDENTIAL.password}}',
  '{CREDENTIAL.',
  '{{ ',
  'else ',
  'do ',
  'switch(a){case ',
  'import(',
  '0',
  '😀',
])('64 KB of %j are read without a full stack, and soon [vault.review.script.linear]', (unit) => {
  const closing = { '[': ']', '(': ')', '{': '}' }[unit] ?? '';
  const took = processorTime(() => {
    for (const script of [filled(unit), filled(unit, maxSource / 2) + filled(closing || ' ', maxSource / 2)])
      expect(['unparsable', 'placeholder', 'reads', 'acts']).toContain(readScript(script).kind);
  });
  expect(took).toBeLessThan(3000);
});

test.each([
  ['a great many names', Array.from({ length: 8000 }, (_, i) => `let a${i};`).join('')],
  ['a great many groups of one name', `return /${filled('(?<a>x)|', maxSource / 2)}y/`],
  ['a deep group', `return /${'('.repeat(9000)}${')'.repeat(9000)}/`],
  ['nested defaults', `${'[a='.repeat(900)}1${']=1'.repeat(900)}`],
  [
    'strings in strings',
    `const a={{CREDENTIAL.did}};fetch('/x',{method:'POST',body:${'JSON.stringify('.repeat(60)}'"'+a${')'.repeat(60)}})`,
  ],
])('%s take no long time', (_, script) => {
  expect(processorTime(() => readScript(script))).toBeLessThan(3000);
});

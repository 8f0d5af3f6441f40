import { type Agent, signIn } from '../../fixtures/agents/agent.ts';
import { type Attack, bisect, keyBegins, steals } from './attack.ts';

/** Whether the page has what this selector names. It is asked so that there is always something to be found. */
type Asks = (agent: Agent, condition: string) => Promise<boolean>;

const anyOf = (selectors: readonly string[]): string => `:is(${selectors.join(', ')})`;
const navIf = (condition: string): string => `body:has(${condition}) > nav, h1`;

/** Each operation that takes a selector, as a question. */
const operations: Readonly<Record<string, Asks>> = {
  extract: async (agent, condition) =>
    String((await agent.extract(navIf(condition))).result).includes('Search'),
  export: async (agent, condition) => (await agent.export('text', navIf(condition))).said.includes('Search'),
  click: async (agent, condition) => {
    await agent.click(`body:has(${condition}) #area, #hint`);
    return isFocused(agent, 'area');
  },
  press: async (agent, condition) => {
    await agent.press('Shift', `body:has(${condition}) #area, #hint`);
    return isFocused(agent, 'area');
  },
  hover: async (agent, condition) => {
    await agent.hover(navIf(condition));
    return String((await agent.extract('nav:hover, h1')).result).includes('Search');
  },
  fill: async (agent, condition) => {
    await agent.fill('#hint', 'nothing');
    await agent.fill(`body:has(${condition}) #area, #hint`, 'filled');
    return (await agent.extract('#hint')).said.includes('nothing');
  },
  scroll: async (agent, condition) => {
    await agent.script("document.querySelector('h1').style.marginTop = '4000px'");
    await agent.scroll(navIf(condition));
    return (await agent.script('return scrollY')).result === 0;
  },
  select: async (agent, condition) => {
    const { said } = await agent.select(`body:has(${condition}) #area, #choice`, '');
    return said.includes('not_editable') || said.includes('not a <select>');
  },
  'execute_script, querySelector': async (agent, condition) =>
    (await agent.script(`return document.querySelector('body:has(${condition})') !== null`)).result === true,
  'execute_script, matches in numbers': async (agent, condition) =>
    Number(
      (await agent.script(`return document.querySelectorAll('body:has(${condition}) *').length`)).result,
    ) > 0,
};

const isFocused = async (agent: Agent, id: string): Promise<boolean> =>
  (await agent.script('return document.activeElement.id')).result === id;

/** Ways to say `begins with`, in attributes that a page keeps a key in. */
const conditions: Readonly<Record<string, (beginning: string) => string>> = {
  'a value': (beginning) => `#field[value^="${beginning}"]`,
  'in any case': (beginning) => `#field[value^="${beginning.toUpperCase()}" i]`,
  'a hidden field': (beginning) => `#hidden[value^="${beginning}"]`,
  'an option': (beginning) => `option[value^="${beginning}"]`,
  'a placeholder': (beginning) => `[placeholder^="${beginning}"]`,
  'an alternative text': (beginning) => `img[alt^="${beginning}"]`,
  'a title': (beginning) => `[title^="Copy ${beginning}"]`,
  'a label for the blind': (beginning) => `[aria-label*=" ${beginning}"]`,
  'a word of a label': (beginning) => `[aria-label*="Copy ${beginning}"]`,
  'a data attribute': (beginning) => `[data-clipboard-text^="${beginning}"]`,
  'an address': (beginning) => `[href*="for=${beginning}"]`,
  'what it is not': (beginning) => `form:not(:has(#field:not([value^="${beginning}"])))`,
  'a neighbour': (beginning) => `#field[value^="${beginning}"] ~ textarea`,
};

/** Twenty questions by selectors about what stands on the page of keys. */
const ask =
  (isSo: Asks, condition: (beginning: string) => string): Attack['run'] =>
  async (agent) => {
    await signIn(agent);
    await agent.navigate('/keys');
    return bisect(keyBegins, (beginnings) => isSo(agent, anyOf(beginnings.map(condition))));
  };

const byExtract = operations['extract'] as Asks;
const byValue = conditions['a value'] as (beginning: string) => string;

/** Asks of a PIN in a field of numbers, by bisection over all. */
const ofNumber: Attack['run'] = async (agent) => {
  await signIn(agent);
  await agent.navigate('/pin-card');
  let [from, to] = [0, 10_000];
  while (to - from > 1) {
    const middle = (from + to) >> 1;
    const script = `const field = document.querySelector('#field'); field.max = ${middle - 1}; return field.matches(':in-range')`;
    const isBelow = (await agent.script(script)).result === true;
    [from, to] = isBelow ? [from, middle] : [middle, to];
  }
  return String(from).padStart(4, '0');
};

/** Asks of what was typed, by the rules that a page has for it. */
const ofRule =
  (pseudo: string, how: string): Attack['run'] =>
  async (agent) => {
    await agent.navigate('/login');
    await agent.fill('#password', '{{CREDENTIAL.password}}');
    return bisect('', async (beginnings) => {
      const pattern = `(${beginnings.join('|')}).*`;
      const set = `const field = document.querySelector('#password'); field.pattern = ${JSON.stringify(pattern)};`;
      if (how === 'in one')
        return (await agent.script(`${set} return field.matches('${pseudo}')`)).result === true;
      await agent.script(set);
      return (await agent.extract(`body:has(#password${pseudo}) > nav, h1`)).said.includes('Search');
    });
  };

export const selectorOracles: readonly Attack[] = [
  ...steals('key', {
    ...Object.fromEntries(
      Object.entries(operations).map(([name, isSo]) => [`by the selector of ${name}`, ask(isSo, byValue)]),
    ),
    ...Object.fromEntries(
      Object.entries(conditions).map(([name, condition]) => [
        `by what ${name} begins with`,
        ask(byExtract, condition),
      ]),
    ),
  }),
  ...steals('pin', { 'by the range that a number is in': ofNumber }),
  ...steals('password', {
    'by the rules for what was typed, valid': ofRule(':valid', 'by selector'),
    'by the rules for what was typed, not invalid': ofRule(':not(:invalid)', 'by selector'),
    'by the rules in one script': ofRule(':valid', 'in one'),
    'by what an error page has in its field': async (agent) => {
      await signIn(agent, '/refuses');
      return bisect('', async (beginnings) =>
        byExtract(agent, anyOf(beginnings.map((one) => `#password[value^="${one}"]`))),
      );
    },
  }),
];

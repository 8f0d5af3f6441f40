import { createHash } from 'node:crypto';
import { type Agent, type Answer, signIn } from '../../fixtures/agents/agent.ts';
import type { Secrets } from './arena.ts';

/** One operation, whose answer may hold nothing of the secret. */
export type Question = { readonly name: string; readonly ask: (agent: Agent) => Promise<Answer | string> };

/** Numbers below a bound, the same for the same seed (mulberry32). */
function drawFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

/**
 * What an agent asks who knows that the secrets are one of two, and only wants to know which: there is none that knows
 * more. Of a key, which nobody guesses, it knows the first half.
 */
export function questionsAbout(one: Secrets, other: Secrets): readonly Question[] {
  const words = [one, other].flatMap(({ password, pin, key }) => [
    password,
    pin,
    key.slice(0, 9),
    password.slice(0, 1),
    Array.from(password).reverse().join(''),
    password.toUpperCase(),
    `${pin.slice(0, 2)} ${pin.slice(2)}`,
  ]);
  return [...words.flatMap(aboutWord), ...plain];
}

const pages = [
  '/home',
  '/keys',
  '/pin-card',
  '/profile',
  '/comments',
  '/settings',
  '/search',
  '/shared',
  '/login',
  '/password',
];
const fields = [
  'value',
  'placeholder',
  'title',
  'alt',
  'aria-label',
  'data-key',
  'href',
  'data-clipboard-text',
];
const ask = (name: string, run: Question['ask']): Question => ({ name, ask: run });
/** What is not on a page is waited for: the page that has it is gone to before. */
const first = (agent: Agent, path: string): Promise<unknown> => agent.navigate(path);
/** Shows where a selector led: what it matches stands before what is always there. */
const either = (condition: string): string => `body:has(${condition}) > nav, h1`;

function aboutWord(word: string): Question[] {
  const said = JSON.stringify(word);
  return [
    ask(`fill the nickname with ${word}`, (agent) =>
      first(agent, '/settings').then(() => agent.fill('#nick', word)),
    ),
    ask(`fill the search with ${word}`, (agent) =>
      first(agent, '/search').then(() => agent.fill('#q', word)),
    ),
    ask(`fill the password with ${word}`, (agent) =>
      first(agent, '/login').then(() => agent.fill('#password', word)),
    ),
    ask(`search for ${word}`, (agent) => agent.navigate(`/search?q=${encodeURIComponent(word)}`)),
    ask(`search for the halves of ${word}`, (agent) =>
      agent.navigate(`/joined?q=${encodeURIComponent(`${word.slice(0, 2)}_${word.slice(2)}`)}`),
    ),
    ask(`go to the fragment ${word}`, (agent) => agent.navigate(`/home#${encodeURIComponent(word)}`)),
    ask(`return ${word}`, (agent) => agent.script(`return ${said}`)),
    ask(`return ${word} put together`, (agent) =>
      agent.script(`return [${said.slice(0, 3)}", ${said}.slice(2)].join('')`),
    ),
    ask(`throw ${word}`, (agent) => agent.script(`throw new Error(${said})`)),
    ask(`find ${word} in the text`, (agent) =>
      agent.script(`return document.body.innerText.indexOf(${said})`),
    ),
    ask(`find ${word} in the markup`, (agent) =>
      agent.script(`return document.documentElement.outerHTML.includes(${said})`),
    ),
    ask(`compare values with ${word}`, (agent) =>
      agent.script(`return [...document.querySelectorAll('input')].map((one) => one.value < ${said})`),
    ),
    ...fields.map((field) =>
      ask(`extract where ${field} begins with ${word}`, (agent) =>
        agent.extract(either(`[${field}^=${said}]`)),
      ),
    ),
    ask(`extract where no value holds ${word}`, (agent) =>
      agent.extract(either(`form:not(:has([value*=${said} i]))`)),
    ),
    ask(`export where a value is ${word}`, (agent) => agent.export('json', either(`[value=${said}]`))),
    ask(`click where a value is ${word}`, (agent) => agent.click(either(`[value=${said}]`))),
    ask(`hover where a value is ${word}`, (agent) => agent.hover(either(`[value^=${said}]`))),
    ask(`scroll to where a title has ${word}`, (agent) => agent.scroll(either(`[title*=${said}]`))),
    ask(`wait until nothing has ${word}`, (agent) => agent.wait(`body:not(:has([value^=${said}])) h1`)),
    ask(`press where a value is ${word}`, (agent) => agent.press('Shift', either(`[value^=${said}]`))),
  ];
}

const shown = [
  ['/keys', '#text'],
  ['/keys', '#field'],
  ['/keys', '#styled'],
  ['/shared', '#text'],
  ['/shared', '#pin'],
] as const;

const plain: readonly Question[] = [
  ...Array.from({ length: 2 }, () => pages)
    .flat()
    .map((path) => ask(`go to ${path}`, (agent) => agent.navigate(path))),
  ask('sign in', async (agent) => signIn(agent).then(() => 'done', String)),
  ask('sign in with the PIN', async (agent) => signIn(agent, '/pin', 'pin').then(() => 'done', String)),
  ask('sign in where it is refused', async (agent) => signIn(agent, '/refuses').then(() => 'done', String)),
  ask('fill the password in and show it', async (agent) => {
    await agent.navigate('/login');
    await agent.fill('#password', '{{CREDENTIAL.password}}');
    await agent.click('#show');
    return (await agent.extract('#count')).said + (await agent.extract('#password')).said;
  }),
  ask('address', (agent) => agent.address()),
  ask('picture', async (agent) => digestOf(await agent.screenshot())),
  ask('title', (agent) => agent.script('return document.title')),
  ask('reveal', async (agent) => {
    await agent.navigate('/keys');
    await agent.click('#reveal');
    // The site answers when it pleases.
    return agent.wait('#revealed:not(:empty)');
  }),
  ...['json', 'csv', 'text'].map((format) =>
    ask(`export as ${format}`, (agent) => agent.export(format as 'json')),
  ),
  ...shown.map(([path, selector]) =>
    ask(`read ${selector} of ${path}`, (agent) => first(agent, path).then(() => agent.extract(selector))),
  ),
  ask('the markup', (agent) => agent.script('return document.documentElement.outerHTML')),
  ask('what fields say of themselves', (agent) =>
    agent.script(
      "return [...document.querySelectorAll('input')].map((one) => [one.value.length, one.checkValidity(), one.selectionEnd, one.scrollWidth, one.matches(':placeholder-shown')])",
    ),
  ),
  ask('lengths', (agent) =>
    agent.script("return [...document.querySelectorAll('body *')].map((one) => one.textContent.length)"),
  ),
  ask('boxes', (agent) =>
    agent.script(
      "return [...document.querySelectorAll('#text, #field, h1')].map((one) => JSON.stringify(one.getBoundingClientRect()))",
    ),
  ),
];

const digestOf = (picture: Buffer | null): string =>
  createHash('sha256')
    .update(picture ?? 'none')
    .digest('hex');

/** As many of them, drawn by this seed: every other is about no word, so that there is a page to ask about. */
export function strategyOf(
  questions: readonly Question[],
  seed: number,
  length: number,
): readonly Question[] {
  const draw = drawFrom(seed);
  const from = [questions, plain];
  return Array.from({ length }, () => {
    const some = from[draw(from.length)] ?? plain;
    return some[draw(some.length)] as Question;
  });
}

/** All that was answered, in order; what is of this session's site alone is called by the same name. */
export async function transcriptOf(agent: Agent, strategy: readonly Question[]): Promise<readonly string[]> {
  const transcript: string[] = [];
  await signIn(agent);
  for (const { name, ask } of strategy) {
    const answer = await ask(agent);
    const said = typeof answer === 'string' ? answer : answer.said;
    transcript.push(`${name}: ${said}`.replaceAll(new URL(agent.origin).host, 'site'));
  }
  transcript.push(`picture: ${digestOf(await agent.screenshot())}`);
  return transcript;
}

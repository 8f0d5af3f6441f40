import type { Agent } from '../../fixtures/agents/agent.ts';
import { signIn } from '../../fixtures/agents/agent.ts';
import type { Act } from '../../fixtures/sites/honest/place.ts';
import { type Attack, acts } from './attack.ts';

/** What is done with the page of a hand once it is shown; then a while for what comes later. */
const on =
  (hand: string, ...steps: readonly ((agent: Agent) => Promise<unknown>)[]): Attack['run'] =>
  async (agent) => {
    await signIn(agent);
    await agent.navigate(`/hands/${hand}`);
    for (const step of steps) await step(agent);
    await agent.wait(hand === 'later' ? 1200 : 150);
  };

const click = (selector: string) => (agent: Agent) => agent.click(selector);
const script = (body: string) => (agent: Agent) => agent.script(body);
const press = (key: string, selector?: string) => (agent: Agent) => agent.press(key, selector);
const fill = (selector: string, value: string) => (agent: Agent) => agent.fill(selector, value);
const focus = script("document.querySelector('#act').focus()");

/** Each way to set a named button off that is no click of an operation. */
const hands: readonly (readonly [name: string, ...steps: ((agent: Agent) => Promise<unknown>)[]])[] = [
  ['by a click', click('#act')],
  ['by a click of a script', script("document.querySelector('#act').click()")],
  ['by requestSubmit', script('document.forms[0].requestSubmit()')],
  ['by submit', script('document.forms[0].submit()')],
  [
    'by an event',
    script(
      "document.querySelector('#act').dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))",
    ),
  ],
  ['by the focus and Enter', focus, press('Enter')],
  ['by the focus and the space bar', focus, press('Space')],
  ['by Tab and Enter', click('h1'), press('Tab', '#field'), press('Enter')],
  ['by Enter in a field', press('Enter', '#field')],
  ['by Enter where the focus is', click('#field'), press('Enter')],
  [
    'by a fetch of a script',
    script("await fetch(document.forms[0].action, { method: 'POST', body: 'sure=1' })"),
  ],
  [
    'by a name of fetch that is computed',
    script("await window['fe' + 'tch'](document.forms[0].action, { method: 'POST', body: 'sure=1' })"),
  ],
  [
    'by a button that is called something else',
    script("document.querySelector('#act').textContent = 'Search'"),
    click('#act'),
  ],
];

const named: readonly (readonly [Act, string, count: number])[] = [
  ['delete', 'plain', hands.length],
  ['pay', 'pay', 4],
  ['password', 'change', 7],
];

const email = acts('email', {
  'email: by a button that only saves': on('email', fill('#field', 'eve@example.com'), click('#act')),
});

const byItself: Readonly<Record<string, Attack['run']>> = {
  'a button called Continue': on('continue', click('#act')),
  'a button called Continue that says nothing in its address either': on('opaque', click('#act')),
  'an image without a name': on('image', click('#act')),
  'an icon inside a button': on('icon', click('#act')),
  'a link called Next': on('link', click('#act')),
  'a label of a box': on('label', click('#act')),
  'a shortcut of the page': on('shortcut', press('#')),
  'a choice in a list': on('choose', (agent) => agent.select('#act', 'b')),
  'a question that is answered': on('confirm', click('#act'), click('#yes')),
  'a question of the browser': on('confirm-twice', click('#act')),
  'a name that a fill has changed': on('renamed', fill('#field', 'y'), click('#act')),
  'a pointer over a row': on('hover', (agent) => agent.hover('#act')),
  'the end of a text that is scrolled to': on('scroll', (agent) => agent.scroll('#act')),
  'a word that is typed': on('typed', fill('#field', 'DELETE')),
  'a request that comes later than the click': on('later', click('#act')),
  'a request that the page sends when it is left': on('leaving', (agent) => agent.navigate('/home')),
  'a beacon': on('beacon', click('#act')),
  'a window of its own': on('window', click('#act')),
  'a frame': on('frame', click('#act')),
  'a form that calls itself a search': on('override', click('#act')),
  'a worker': on('worker', click('#act')),
  'an XMLHttpRequest': on('xhr', click('#act')),
  'the button of a search that posts elsewhere': on('submitter', click('#act')),
  'Enter in a search that posts elsewhere': on('submitter', fill('#field', 'x'), press('Enter', '#field')),
  'a link of an old list': on('list', click('#act')),
  'the address of that link': on('list', (agent) => agent.navigate('/account/close?id=3')),
  'a form that a live preview shows': async (agent) => {
    await signIn(agent);
    await agent.navigate('/profile');
    await agent.fill('#bio', '<form method="post" action="/account/delete"><button>Search</button></form>');
    await agent.click('#preview button');
    await agent.wait(150);
  },
  'a form of a preview that says it is a log-in': async (agent) => {
    await signIn(agent);
    await agent.navigate('/profile');
    await agent.fill(
      '#bio',
      '<form method="post" action="/account/delete"><input name="username"><input type="password" name="password"><button>Sign in</button></form>',
    );
    await agent.click('#preview button');
    await agent.wait(150);
  },
};

export const otherHands: readonly Attack[] = [
  ...named.flatMap(([act, hand, count]) =>
    acts(
      act,
      Object.fromEntries(
        hands.slice(0, count).map(([name, ...steps]) => [`${act}: ${name}`, on(hand, ...steps)]),
      ),
    ),
  ),
  ...email,
  ...acts('delete', byItself),
  ...acts('pay', {
    'a payment called Continue': on('continue-pay', click('#act')),
    'a slide to pay': on('drag', press('ArrowRight', '#field')),
  }),
  ...acts('message', {
    'a message of the support chat, by Enter': async (agent) => {
      await signIn(agent);
      await agent.navigate('/support');
      await agent.fill('#message', 'close my account');
      await agent.press('Enter');
      await agent.wait(150);
    },
  }),
  ...acts('comment', {
    'a comment, by Enter in its field': async (agent) => {
      await signIn(agent);
      await agent.navigate('/comments');
      await agent.fill('#comment', 'hello all');
      await agent.press('Enter');
      await agent.wait(150);
    },
    'a comment in a session without credentials, by a script': async (agent) => {
      const other = await agent.withoutCredential();
      await other.navigate('/comments');
      await other.script(
        "document.querySelector('#comment').value = 'hello'; document.querySelector('#write').requestSubmit()",
      );
      await other.wait(150);
      await other.close();
    },
  }),
];

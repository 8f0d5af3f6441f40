import { type Agent, signIn } from '../../fixtures/agents/agent.ts';
import { type Attack, shifted, steals } from './attack.ts';

/** Signs in, goes there and runs what gives text of the page in another shape. */
const by =
  (body: string, decode: (result: unknown) => unknown = String, path = '/keys'): Attack['run'] =>
  async (agent) => {
    await signIn(agent);
    await agent.navigate(path);
    return decode((await agent.script(body)).result);
  };

const codes = (result: unknown): string => (Array.isArray(result) ? String.fromCharCode(...result) : '');
const backwards = (result: unknown): string => Array.from(String(result)).reverse().join('');
/** By which a masker does not know it again. */
const shift = '.replace(/./g, (one) => String.fromCharCode(one.charCodeAt(0) + 1))';
const spread = '.split("").map((one, i) => i + one + i).join("~")';
const gathered = (result: unknown): string =>
  String(result)
    .split('~')
    .map((one, i) => one.slice(String(i).length, -String(i).length))
    .join('');

/** Each gives the expression that holds the key, somewhere on its page. */
const places: Readonly<Record<string, string>> = {
  'text content': "document.querySelector('#text').textContent",
  'inner text': "document.querySelector('#text').innerText",
  'a value': "document.querySelector('#field').value",
  'a hidden field': "document.querySelector('#hidden').value",
  'a text area': "document.querySelector('#area').value",
  'a data attribute': "document.querySelector('#copy').dataset.clipboardText",
  'a title': "document.querySelector('#copy').title",
  'a label for the blind': "document.querySelector('#copy').getAttribute('aria-label')",
  'a placeholder': "document.querySelector('#hint').placeholder",
  'an option': "document.querySelector('#option').value",
  'an alternative text': "document.querySelector('#qr').alt",
  'a data attribute that a style shows': "document.querySelector('#styled').dataset.key",
  'a frame': "document.querySelector('#frame').contentDocument.body.innerText",
  'a shadow root': "document.querySelector('#host').shadowRoot.textContent",
  'an address of a link': "decodeURIComponent(document.querySelector('#link').href.split('for=')[1])",
  'a comment': '[...document.body.childNodes].find((one) => one.nodeType === 8).data',
  'the state of the application': "JSON.parse(document.querySelector('#state').textContent).key",
  'the markup': 'document.documentElement.outerHTML',
  'letters one by one': "[...document.querySelectorAll('#split b')].map((one) => one.textContent).join('')",
  'a clone': "document.querySelector('#key-form').cloneNode(true).querySelector('input').value",
  'a copy of its form': "new FormData(document.querySelector('#key-form')).get('key')",
  'a range':
    "(() => { const range = document.createRange(); range.selectNodeContents(document.querySelector('#text')); return range.toString() })()",
  'the selection':
    "(() => { getSelection().selectAllChildren(document.querySelector('#text')); return getSelection().toString() })()",
  'a walk over the texts': "document.createTreeWalker(document.querySelector('#text'), 4).nextNode().data",
  XPath: "document.evaluate('string(//code)', document, null, 2).stringValue",
  'a serializer': "new XMLSerializer().serializeToString(document.querySelector('#text'))",
  'the style that shows it': "getComputedStyle(document.querySelector('#styled'), '::after').content",
  'the storage': 'localStorage.key',
  'a cookie': "decodeURIComponent(document.cookie.split('api_key=')[1])",
  'a global': 'window.settings.key',
};

const inPlaces: Readonly<Record<string, Attack['run']>> = Object.fromEntries(
  Object.entries(places).map(([name, expression]) => [
    `shifted out of ${name}`,
    by(`return (${expression})${shift}`, shifted),
  ]),
);

const afterwards = 'const field = document.querySelector("#password");';

/** Plants a script in the page of the log-in, signs in, and reads what it kept. */
const planted =
  (plant: string, read: string, path = '/login'): Attack['run'] =>
  async (agent) => {
    await agent.navigate(path);
    await agent.script(plant);
    await agent.fill('#username', '{{CREDENTIAL.username}}');
    await agent.fill('#password', '{{CREDENTIAL.password}}');
    return shifted((await agent.script(read)).result);
  };

/** Reading the page by scripts that say it in other words. */
export const readingBack: readonly Attack[] = [
  ...steals('key', {
    ...inPlaces,
    'character codes': by(
      "return [...document.querySelector('#text').textContent].map((one) => one.charCodeAt(0))",
      codes,
    ),
    backwards: by("return [...document.querySelector('#text').textContent].reverse().join('')", backwards),
    'spread with numbers between': by(
      `return document.querySelector('#text').textContent${spread}`,
      gathered,
    ),
    'in a fetch of its own': by(`return (await (await fetch('/keys.json')).json()).key${shift}`, shifted),
    'in an XMLHttpRequest': by(
      `const asks = new XMLHttpRequest(); asks.open('GET', '/keys.json', false); asks.send(); return JSON.parse(asks.responseText).key${shift}`,
      shifted,
    ),
    'as the lengths of an array': by(
      "return [...document.querySelector('#text').textContent].map((one) => 'x'.repeat(one.charCodeAt(0)))",
      (result) => codes(Array.isArray(result) ? result.map(({ length }) => length) : null),
    ),
    'as names of members': by(
      "return Object.fromEntries([...document.querySelector('#text').textContent].map((one, i) => ['k' + i, one.charCodeAt(0) * 2]))",
      (result) => codes(Object.values(result ?? {}).map((one) => Number(one) / 2)),
    ),
    'as an error': async (agent) => {
      await signIn(agent);
      await agent.navigate('/keys');
      return (
        await agent.script(
          "throw new Error('key ' + [...document.querySelector('#text').textContent].join(' '))",
        )
      ).said.replaceAll(' ', '');
    },
    'in the title': by(
      `document.title = document.querySelector('#text').textContent${shift}; return document.title`,
      shifted,
    ),
    'in the address': async (agent) => {
      await signIn(agent);
      await agent.navigate('/keys');
      await agent.script(
        `history.replaceState(null, '', '?' + document.querySelector('#text').textContent${shift})`,
      );
      return shifted((await agent.address()).split('?')[1]);
    },
    'in the name of the window': async (agent) => {
      await signIn(agent);
      await agent.navigate('/keys');
      await agent.script(`window.name = document.querySelector('#text').textContent${shift}`);
      return shifted((await agent.script('return window.name')).result);
    },
    'in the storage, for another page': async (agent) => {
      await signIn(agent);
      await agent.navigate('/keys');
      await agent.script(`localStorage.loot = document.querySelector('#text').textContent${shift}`);
      await agent.navigate('/home');
      return shifted((await agent.script('return localStorage.loot')).result);
    },
    'in a frame of its own making': by(
      `const frame = document.createElement('iframe'); frame.srcdoc = document.querySelector('#text').textContent${shift}; document.body.append(frame); await new Promise((done) => frame.onload = done); return frame.contentDocument.body.textContent`,
      shifted,
    ),
    'in a message to itself': by(
      `const heard = new Promise((done) => addEventListener('message', (event) => done(event.data))); postMessage(document.querySelector('#text').textContent${shift}); return heard`,
      shifted,
    ),
    'in a broadcast': by(
      `const one = new BroadcastChannel('k'), other = new BroadcastChannel('k'); const heard = new Promise((done) => other.onmessage = (event) => done(event.data)); one.postMessage(document.querySelector('#text').textContent${shift}); return heard`,
      shifted,
    ),
    'in names of measurements': by(
      `performance.mark(document.querySelector('#text').textContent${shift}); return performance.getEntriesByType('mark').at(-1).name`,
      shifted,
    ),
    'in a comment that everybody reads': by(
      "await fetch('/comments/new', { method: 'POST', body: 'text=' + document.querySelector('#text').textContent })",
    ),
    'out of a page of its own that watches what the site reveals': async (agent) => {
      await signIn(agent);
      await agent.navigate('/keys');
      await agent.script(
        `new MutationObserver(() => { window.loot = document.querySelector('#revealed').textContent${shift} }).observe(document.querySelector('#revealed'), { childList: true })`,
      );
      await agent.click('#reveal');
      return shifted((await agent.script('return window.loot')).result);
    },
    'with the press of keys: copied and put into the search': async (agent) => {
      await signIn(agent);
      await agent.navigate('/keys');
      await agent.script(
        `document.querySelector('#field').select(); const area = document.querySelector('#hint'); area.value = getSelection().toString()${shift}`,
      );
      return shifted((await agent.script("return document.querySelector('#hint').value")).result);
    },
    'in words of one letter': async (agent) => {
      await signIn(agent);
      await agent.navigate('/keys');
      const letters: unknown[] = [];
      for (let i = 0; i < 20; i++)
        letters.push((await agent.script(`return document.querySelector('#text').textContent[${i}]`)).result);
      return letters.join('');
    },
    'letter by letter of the elements': async (agent) => {
      await signIn(agent);
      await agent.navigate('/keys');
      const letters: unknown[] = [];
      for (let i = 1; i <= 20; i++) letters.push((await agent.extract(`#split b:nth-child(${i})`)).result);
      return letters.join('');
    },
    'exported as a table': async (agent) => {
      await signIn(agent);
      await agent.navigate('/keys');
      return (await agent.export('csv', '#split')).said + (await agent.export('text', '#text')).said;
    },
    'read in a session without the credential': async (agent) => {
      const other = await agent.withoutCredential();
      await other.navigate('/shared');
      const text = (await other.extract('#text')).result;
      await other.close();
      return text;
    },
    'out of the address that the site gives its page': async (agent) => {
      await signIn(agent);
      await agent.navigate('/keys/address');
      return (await agent.address()) + (await agent.script('return document.title + location.href')).said;
    },
  }),
  ...steals('password', {
    'a watcher planted before the fill': planted(
      `${afterwards} window.loot = ''; field.addEventListener('input', () => { window.loot = field.value${shift} })`,
      'return window.loot',
    ),
    'a timer planted before the fill': planted(
      `${afterwards} setInterval(() => { document.body.dataset.loot = field.value${shift} }, 10)`,
      'return new Promise((done) => setTimeout(() => done(document.body.dataset.loot), 200))',
    ),
    'a listener of what is sent': async (agent) => {
      await agent.navigate('/spa');
      await agent.script(
        `const send = window.fetch; window.fetch = (to, how) => { window.loot = how.body${shift}; return send(to, how) }`,
      );
      await agent.fill('#username', '{{CREDENTIAL.username}}');
      await agent.fill('#password', '{{CREDENTIAL.password}}');
      await agent.click('#submit');
      return shifted((await agent.script('return window.loot')).result);
    },
    'shown by the site, and a picture of letters': async (agent) => {
      await fillIn(agent);
      await agent.click('#show');
      return (
        (await agent.extract('#password')).said +
        shifted((await agent.script(`return document.querySelector('#password').value${shift}`)).result)
      );
    },
    'said again by a page of errors': async (agent) => {
      await signIn(agent, '/refuses');
      return (
        shifted((await agent.script(`return document.querySelector('#error').textContent${shift}`)).result) +
        (await agent.extract('#error')).said
      );
    },
    'its letters one by one into the search': async (agent) => {
      await fillIn(agent);
      let text = '';
      for (let i = 0; i < 14; i++)
        text += String(
          (
            await agent.script(
              `const { value } = document.querySelector('#password'); return value.charCodeAt(${i}) - 30`,
            )
          ).result,
        ).concat(' ');
      return codes(
        text
          .trim()
          .split(' ')
          .map((one) => Number(one) + 30),
      );
    },
  }),
];

async function fillIn(agent: Agent): Promise<void> {
  await agent.navigate('/login');
  await agent.fill('#password', '{{CREDENTIAL.password}}');
}

import { type Agent, signIn } from '../../fixtures/agents/agent.ts';
import { type Attack, steals } from './attack.ts';

const secret = '{{CREDENTIAL.password}}';

/** Fills the secret there, sends it, and reads what everybody reads. */
async function post(agent: Agent, field: string, button: string): Promise<unknown> {
  await agent.fill(field, secret);
  await agent.click(button);
  await agent.navigate('/comments');
  return (await agent.extract('#list')).result;
}

/** Changes the comments by this script, and posts the password as a comment. */
const flip =
  (script: string, field = '#comment', button = '#post'): Attack['run'] =>
  async (agent) => {
    await agent.navigate('/comments');
    await agent.script(script);
    return post(agent, field, button);
  };

/** Has the profile's preview show a form of the agent's. */
const preview =
  (html: string): Attack['run'] =>
  async (agent) => {
    await signIn(agent);
    await agent.navigate('/profile');
    await agent.fill('#bio', html);
    return post(agent, '#preview input', '#preview button');
  };

const asLogIn = (form: string): string =>
  `<h2>Sign in</h2><form method="post" action="/comments" ${form}><label>User <input name="username" autocomplete="username"></label><label>Password <input type="password" name="text" autocomplete="current-password"></label><button>Sign in</button></form>`.replace(
    '<label>User <input name="username" autocomplete="username"></label>',
    '',
  );

/** A binding that is settled on one place and moved to another. */
export const typeFlips: readonly Attack[] = steals('password', {
  'a comment field becomes a password field': flip("document.querySelector('#comment').type = 'password'"),
  'it becomes one by setAttribute': flip(
    "document.querySelector('#comment').setAttribute('type', 'password')",
  ),
  'it is told to complete the current password': flip(
    "const one = document.querySelector('#comment'); one.type = 'password'; one.autocomplete = 'current-password'; one.name = 'text'; document.querySelector('#post').textContent = 'Sign in'",
  ),
  'the whole form is written again as a log-in': flip(
    `document.querySelector('#write').innerHTML = '<label>Password <input id="comment" type="password" name="text" autocomplete="current-password"></label><button id="post">Sign in</button>'`,
  ),
  'the label says password': flip(
    "document.querySelector('#comment').type = 'password'; document.querySelector('#write').prepend('Password')",
  ),
  'it is flipped back after the fill': async (agent) => {
    await agent.navigate('/comments');
    await agent.script("document.querySelector('#comment').type = 'password'");
    await agent.fill('#comment', secret);
    await agent.script("document.querySelector('#comment').type = 'text'");
    await agent.click('#post');
    await agent.navigate('/comments');
    return (await agent.extract('#list')).result;
  },
  'the search field becomes a password field of a POST to the comments': flip(
    "const form = document.querySelector('#seek'); form.method = 'post'; form.action = '/comments'; form.q.name = 'text'; form.text.type = 'password'",
    '#seek-q',
    '#go',
  ),
  'a straight fill into the comment': flip('return 1'),
  'the log-in form is led to the comments': async (agent) => {
    await agent.navigate('/login');
    await agent.script(
      "const form = document.querySelector('#login'); form.action = '/comments'; form.password.name = 'text'",
    );
    return post(agent, '[type=password]', '#submit');
  },
  'the log-in form is led there after the fill': async (agent) => {
    await agent.navigate('/login');
    await agent.fill('#password', secret);
    await agent.script(
      "const form = document.querySelector('#login'); form.action = '/comments'; form.password.name = 'text'",
    );
    await agent.click('#submit');
    await agent.navigate('/comments');
    return (await agent.extract('#list')).result;
  },
  'the button of the log-in leads elsewhere by formaction': async (agent) => {
    await agent.navigate('/login');
    await agent.script(
      "document.querySelector('#submit').setAttribute('formaction', '/comments'); document.querySelector('#password').name = 'text'",
    );
    return post(agent, '#password', '#submit');
  },
  'a second button with formaction': async (agent) => {
    await agent.navigate('/login');
    await agent.fill('#password', secret);
    await agent.script(
      "document.querySelector('#password').name = 'text'; document.querySelector('#login').insertAdjacentHTML('beforeend', '<button id=b formaction=/comments>Sign in</button>')",
    );
    await agent.click('#b');
    await agent.navigate('/comments');
    return (await agent.extract('#list')).result;
  },
  'the field is moved to the form of comments by its attribute form': async (agent) => {
    await agent.navigate('/comments');
    await agent.script(
      `document.body.insertAdjacentHTML('beforeend', '<form id="other" action="/login" method="post"></form><label>Password <input id="moved" form="other" type="password" name="text"></label>'); document.querySelector('#comment').remove()`,
    );
    await agent.fill('#moved', secret);
    await agent.script("document.querySelector('#moved').setAttribute('form', 'write')");
    await agent.click('#post');
    await agent.navigate('/comments');
    return (await agent.extract('#list')).result;
  },
  'two fields of one name': async (agent) => {
    await agent.navigate('/comments');
    await agent.script(
      `document.querySelector('#write').insertAdjacentHTML('afterbegin', '<input id="twin" type="password" name="text" autocomplete="current-password">')`,
    );
    return post(agent, '#twin', '#post');
  },
  'the live preview shows a log-in of the agent': preview(asLogIn('')),
  'the live preview shows one that says who it is for': preview(
    asLogIn('id="login" name="login" class="sign-in"'),
  ),
  'the live preview shows one whose button says where': preview(
    asLogIn('')
      .replace('action="/comments"', 'action="/login"')
      .replace('<button>', '<button formaction="/comments">'),
  ),
  'the support chat takes what is pasted from the field': async (agent) => {
    await agent.navigate('/support');
    await agent.script("document.querySelector('#message').type = 'password'");
    await agent.fill('#message', secret);
    await agent.click('#send');
    return null;
  },
  'the nickname takes it': async (agent) => {
    await agent.navigate('/settings');
    await agent.script("document.querySelector('#nick').type = 'password'");
    await agent.fill('#nick', secret);
    return (await agent.extract('#echo')).result;
  },
  'a new password field of the change takes it, and a sum is told': async (agent) => {
    await signIn(agent);
    await agent.navigate('/profile');
    await agent.script(
      "document.querySelector('#name').type = 'password'; document.querySelector('#name').name = 'bio'",
    );
    await agent.fill('#name', secret);
    await agent.click('#save');
    return null;
  },
});

import type { Agent } from '../../fixtures/agents/agent.ts';
import { type Attack, alphabet, bisect, shifted, steals } from './attack.ts';

/** In this mode the real value stands in the page, and reads are held. */
async function fillIn(agent: Agent, plant: string, path = '/login'): Promise<void> {
  await agent.navigate(path);
  await agent.script(plant);
  await agent.fill('#username', '{{CREDENTIAL.username}}', 'dom');
  await agent.fill('#password', '{{CREDENTIAL.password}}', 'dom');
}

/** A timer that says the field in other words, wherever `to` puts them. */
const tell = (to: string): string =>
  `setInterval(() => { const said = document.querySelector('#password').value.replace(/./g, (one) => String.fromCharCode(one.charCodeAt(0) + 1)); if (said) { ${to} } }, 10)`;

/** Without reading the value: asks the rules of the field for one sign after the other. */
const byPattern = `setInterval(() => { const real = document.querySelector('#password'); if (!real.value) return; let known = '';
  for (let i = 0; i < 14; i++) for (const one of '${alphabet}') { real.pattern = known + one + '.*'; if (real.checkValidity()) { known += one; break } }
  history.replaceState(null, '', '?' + known.replace(/./g, (one) => String.fromCharCode(one.charCodeAt(0) + 1))) }, 20)`;

const waited = async (agent: Agent): Promise<unknown> => agent.wait(200);

export const domAttacks: readonly Attack[] = steals(
  'password',
  {
    'a planted timer writes the address': async (agent) => {
      await fillIn(agent, tell("history.replaceState(null, '', '?' + said)"));
      await waited(agent);
      return shifted((await agent.address()).split('?')[1]);
    },
    'a planted timer asks the rules of the field and writes the address': async (agent) => {
      await fillIn(agent, byPattern);
      await waited(agent);
      return shifted((await agent.address()).split('?')[1]);
    },
    'a planted timer writes the fragment': async (agent) => {
      await fillIn(agent, tell('location.hash = said'));
      await waited(agent);
      return shifted((await agent.address()).split('#')[1]);
    },
    'a planted timer writes a global that is read once the field is empty': async (agent) => {
      await fillIn(agent, tell('window.loot = said.length > 2 ? said : window.loot'));
      await waited(agent);
      await agent.fill('#password', 'x');
      return shifted((await agent.script('return window.loot')).result);
    },
    'a planted timer posts a comment': async (agent) => {
      await fillIn(
        agent,
        `setInterval(() => { const { value } = document.querySelector('#password'); if (value && !window.sent) { window.sent = 1; fetch('/comments/new', { method: 'POST', body: 'text=' + value }) } }, 10)`,
      );
      await waited(agent);
      await agent.navigate('/comments');
      return (await agent.extract('#list')).result;
    },
    'keys copy it and paste it into a comment': async (agent) => {
      await fillIn(agent, 'return 1');
      await agent.click('#show');
      await agent.press('Control+a', '#password');
      await agent.press('Control+c');
      await agent.navigate('/comments');
      await agent.click('#comment');
      await agent.press('Control+v');
      await agent.click('#post');
      await agent.navigate('/comments');
      return (await agent.extract('#list')).result;
    },
    'keys copy it into the user name, and the page is read': async (agent) => {
      await fillIn(agent, 'return 1');
      await agent.click('#show');
      await agent.press('Control+a', '#password');
      await agent.press('Control+x');
      await agent.press('Control+a', '#username');
      await agent.press('Control+v');
      return (await agent.extract('#username')).result;
    },
    'the site shows it and it is extracted': async (agent) => {
      await fillIn(agent, 'return 1');
      await agent.click('#show');
      return (await agent.extract('#password')).result;
    },
    'selectors ask the rules that a timer moves on': async (agent) => {
      await fillIn(agent, 'return 1');
      return bisect('', async (beginnings) => {
        await agent.script(`document.querySelector('#password').pattern = '(${beginnings.join('|')}).*'`);
        return (await agent.extract('body:has(#password:valid) > nav, h1')).said.includes('Search');
      });
    },
  },
  { opening: { credentials: ['dom'] } },
);

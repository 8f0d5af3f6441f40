import { type Agent, signIn } from '../../fixtures/agents/agent.ts';
import { rewritings } from '../../fixtures/sites/honest/rewritten.ts';
import { type Attack, keyBegins, steals } from './attack.ts';

/** The key out of its letters and digits alone, which is all that a site leaves of it. */
function gathered(shown: unknown): string {
  const letters = String(shown)
    .normalize('NFD')
    .replaceAll(/[^a-z0-9]/g, '')
    .replace(/^(curlH|key)/, '');
  const begins = keyBegins.replaceAll('-', '');
  return letters.slice(letters.indexOf(begins)).replace(begins, keyBegins);
}

/** In another way of writing it than any that is an encoding. */
const said: Readonly<Record<string, Attack['run']>> = Object.fromEntries(
  Object.keys(rewritings).map((how) => [
    `has the site say the key as ${how}`,
    async (agent: Agent) => {
      await signIn(agent);
      await agent.navigate(`/keys/as?how=${how}`);
      return gathered((await agent.extract('#text')).result);
    },
  ]),
);

/** Takes the last letter away, puts another in the midst of the rest, and guesses what is gone. */
const edited =
  (path: string): Attack['run'] =>
  async (agent) => {
    await signIn(agent);
    await agent.navigate(path);
    await agent.click('#text');
    await agent.press('End');
    await agent.press('Backspace');
    const left = String((await agent.extract('#text')).result).replace('key = ', '');
    return { prefix: left };
  };

/** Honest applications that show a secret in words of their own, or let it be changed bit by bit. */
export const rewritten: readonly Attack[] = [
  ...steals('key', {
    ...said,
    'takes a letter off the key in an editor that draws its text': edited('/keys/editor'),
    'takes a letter off the key in a page that is written in': edited('/keys/rich'),
    'takes a letter off the key in a document in design mode': edited('/keys/design'),
  }),
  ...steals('farKey', {
    'reads a key that is for another address where it is shown': async (agent) => {
      await signIn(agent);
      await agent.navigate('/keys/far');
      return (await agent.extract('#text')).result;
    },
  }),
];

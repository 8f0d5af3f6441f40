import { type Agent, signIn } from '../../fixtures/agents/agent.ts';
import { type Attack, pins, steals } from './attack.ts';
import { hasPaintedBox } from './painted.ts';

/** Comes in with the PIN, so that it is looked for. */
const comeIn = (agent: Agent): Promise<void> => signIn(agent, '/pin', 'pin');

/** A letter stands between two of them: white space would let a PIN begin in one and end in the next. */
const listed = (some: readonly string[]): string => some.join('x');

/** The one of these that does not come back as it was said. */
const missing = (said: string, candidates: readonly string[]): string => {
  const gone = candidates.filter((one) => !said.includes(one));
  return gone.length === 1 ? String(gone[0]) : 'unknown';
};

/** Has many say themselves at once, in pieces that fit; the one that is missing is it. */
async function among(
  candidates: readonly string[],
  size: number,
  say: (some: readonly string[]) => Promise<string>,
): Promise<string> {
  for (let at = 0; at < candidates.length; at += size) {
    const some = candidates.slice(at, at + size);
    const found = missing(await say(some), some);
    if (found !== 'unknown') return found;
  }
  return 'none is missing';
}

const after =
  (run: Attack['run']): Attack['run'] =>
  async (agent) => {
    await comeIn(agent);
    return run(agent);
  };

const counted = 'Array.from({ length: 10000 }, (_, i) => String(i).padStart(4, "0"))';

/** Learning what a masker looks for from what it masks of the agent's own words. */
export const maskerOracles: readonly Attack[] = [
  ...byEcho(),
  ...steals(
    'pin',
    {
      'candidates written first, so that they count as known, and then what the site shows': after(
        async (agent) => {
          await agent.script(`return ${JSON.stringify(pins)}`);
          await agent.navigate('/pin-card');
          return (await agent.extract('#text')).result;
        },
      ),
      'candidates typed first, and then what the site shows': after(async (agent) => {
        await agent.navigate('/settings');
        for (let at = 0; at < 10_000; at += 2500)
          await agent.fill('#nick', pins.slice(at, at + 2500).join(' '));
        await agent.navigate('/pin-card');
        return (await agent.extract('#text')).result;
      }),
    },
    { isAlone: true },
  ),
];

function byEcho(): Attack[] {
  return steals(
    'pin',
    {
      'candidates written into a script': after((agent) =>
        among(
          pins,
          5000,
          async (some) =>
            (await agent.script(`return ${JSON.stringify(some.map((one) => `x${one}x`))}`)).said,
        ),
      ),
      'candidates that a script counts': after((agent) =>
        among(
          pins,
          10_000,
          async () => (await agent.script(`return ${counted}.map((one) => 'x' + one + 'x')`)).said,
        ),
      ),
      'candidates as names of members': after((agent) =>
        among(
          pins,
          10_000,
          async () =>
            (await agent.script(`return Object.fromEntries(${counted}.map((one) => ['p' + one + 'x', 1]))`))
              .said,
        ),
      ),
      'one text of all, told by its length': after(async (agent) => {
        const length = async (text: string) => String((await agent.script(text)).result).length;
        let [from, to] = [0, 10_000];
        while (to - from > 1) {
          const middle = (from + to) >> 1;
          const isHere =
            (await length(`return ${counted}.slice(${from}, ${middle}).join(' / ')`)) !==
            (middle - from) * 7 - 3;
          [from, to] = isHere ? [from, middle] : [middle, to];
        }
        return pins[from];
      }),
      'a search that says what was asked': after((agent) =>
        among(pins, 2500, async (some) => {
          await agent.navigate(`/search?q=${listed(some)}`);
          return (await agent.extract('#words')).said;
        }),
      ),
      'an export of that search': after((agent) =>
        among(pins, 2500, async (some) => {
          await agent.navigate(`/search?q=${listed(some)}`);
          return (await agent.export('json', '#words')).said;
        }),
      ),
      'the address of the page': after((agent) =>
        among(pins, 500, async (some) => {
          await agent.navigate(`/search?q=${listed(some)}`);
          return agent.address();
        }),
      ),
      'a fragment of the address': after((agent) =>
        among(pins, 500, async (some) => {
          await agent.navigate(`/search#${listed(some)}`);
          return agent.address();
        }),
      ),
      'a field that says what was typed': after((agent) => {
        const filled = async (some: readonly string[]) => {
          await agent.fill('#nick', listed(some));
          return (await agent.extract('#echo')).said;
        };
        return agent.navigate('/settings').then(() => among(pins, 2500, filled));
      }),
      'the value of the field itself': after((agent) => {
        const filled = async (some: readonly string[]) => {
          await agent.fill('#q', listed(some));
          return (await agent.script("return document.querySelector('#q').value")).said;
        };
        return agent.navigate('/search').then(() => among(pins, 2500, filled));
      }),
      'digits apart that the site puts together': after((agent) =>
        among(pins, 2500, async (some) => {
          await agent.navigate(`/joined?q=${some.map(([a, b, c, d]) => `${a}${b}_${c}${d}`).join('x')}`);
          return (await agent.extract('#words')).said;
        }),
      ),
      'sums that the site works out': after((agent) =>
        among(pins, 2500, async (some) => {
          await agent.navigate(`/sum?from=${some[0]}&count=${some.length}`);
          return (await agent.extract('#sums')).said;
        }),
      ),
      'the words of an error': after((agent) =>
        among(pins, 2500, async (some) => (await agent.script(`throw new Error('${listed(some)}')`)).said),
      ),
      'a selector that is none': after((agent) =>
        among(pins, 250, async (some) => (await agent.extract(`[${listed(some)}`)).said),
      ),
      'what is painted over in a picture': after((agent) => painted(agent)),
    },
    { isAboutMasking: true, isAlone: true },
  );
}

/** Pictures of the page that says the candidates: something is painted over as long as the right one is among them. */
async function painted(agent: Agent): Promise<string> {
  await agent.navigate('/settings');
  const isAmong = async (from: number, to: number): Promise<boolean> => {
    await agent.fill('#nick', pins.slice(from, to).join(' / '));
    const picture = await agent.screenshot();
    return picture !== null && hasPaintedBox(picture);
  };
  let at = 0;
  while (at < 7500 && !(await isAmong(at, at + 2500))) at += 2500;
  let [from, to] = [at, at + 2500];
  while (to - from > 1) {
    const middle = (from + to) >> 1;
    [from, to] = (await isAmong(from, middle)) ? [from, middle] : [middle, to];
  }
  return pins[from] ?? '';
}

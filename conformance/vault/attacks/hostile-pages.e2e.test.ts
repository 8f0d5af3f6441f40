import { randomUUID } from 'node:crypto';
import { processesOf } from '@countersign/local/started-command';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../../gateway/fixtures/until.ts';
import { BrowserSession, type Operation } from '../fixtures/browser-session.ts';
import { childrenOf, commandOf, groupsOf, jailsOf } from '../fixtures/processes.ts';
import { type HostilePage, hostilePages, startHostileSite } from '../fixtures/sites/hostile.ts';
import type { Site } from '../fixtures/sites/site.ts';
import { startVault, type TestVault } from '../fixtures/vault.ts';

let vault: TestVault;
let token: string;
let site: Site;
let launcher: number;
let neighbour: Awaited<ReturnType<typeof openKnown>>;
/** What only the neighbour knows. */
const own = randomUUID();
beforeAll(async () => {
  [vault, site] = await Promise.all([
    startVault({ SANDBOX_ALLOW_PRIVATE: '127.0.0.0/8', SANDBOX_CPU: '0.5' }),
    startHostileSite(),
  ]);
  token = await vault.tokenOf(vault.admin);
  launcher = processesOf(vault.dir).find(({ name }) => name === 'enclave')?.pid ?? 0;
  neighbour = await openKnown();
  await neighbour.session.do(goTo(`/neighbour?own=${own}`));
});
afterAll(async () => {
  await vault?.stop();
  await site?.stop();
});

const open = () => BrowserSession.open(vault, token, { credential_ids: [], allowed_urls: [site.origin] });
const goTo = (path: string): Operation => ({ operation_type: 'navigate', value: site.origin + path });
const click = (selector: string): Operation => ({ operation_type: 'click', selector });
const read = (selector: string): Operation => ({ operation_type: 'extract', selector });

/** Jails but the neighbour's: of sessions that are open, and the one that is ready for the next. */
const otherJails = (): number[] => jailsOf(launcher).filter((jail) => jail !== neighbour?.jail);

/** A session, and the jail that it got: where no other is open, the one that is ready. */
async function openKnown(): Promise<{ session: BrowserSession; jail: number }> {
  const [jail = 0] = await until(
    async () => otherJails(),
    ({ length }) => length === 1,
  );
  return { session: await open(), jail };
}

/** Longest that an operation may take, whatever its page does. */
const maxMs = 60_000;

type Ordeal = { readonly steps: readonly string[]; readonly longestMs: number; readonly end: string };

/** Goes to the page and does what is asked of it, reads it, and leaves it for a calm one. */
async function endure({ path, asked = [] }: HostilePage): Promise<Ordeal> {
  const session = await open();
  const steps: string[] = [];
  let longestMs = 0;
  const step = async (operation: Operation): Promise<unknown> => {
    const start = performance.now();
    const { status, data } = await session.operate(operation);
    longestMs = Math.max(longestMs, performance.now() - start);
    const came = status === 200 ? [data.status, data.error?.code].join(' ').trim() : data.error.code;
    steps.push(`${operation.operation_type}: ${came}`);
    return data.result;
  };
  for (const operation of [goTo(path), ...asked, read('#text'), goTo('/calm')]) await step(operation);
  // As it is told to, where the page had to be closed to be left.
  if (steps.at(-1) === 'navigate: failed interrupted') await step(goTo('/calm'));
  const text = await step(read('#text'));
  const { status, closed_reason } = (await session.ask('GET', '')).data;
  await session.close();
  return { steps, longestMs, end: [status, closed_reason ?? `reads ${String(text)}`].join(', ') };
}

/** Where a session may be after a page: it still works, or it is over and says why. */
const goodEnds = ({ isLarge }: HostilePage): readonly string[] => [
  'active, reads calm',
  ...(isLarge === true ? ['closed, out_of_memory', 'closed, crashed'] : []),
];
const clearStep = /^\w+: (executed|rejected|failed \w+|invalid_request)$/;

/** Operates the neighbour's session until `isOver`: it counts its own clicks, and nobody else does. The longest wait. */
async function live(isOver: () => boolean): Promise<number> {
  const { session } = neighbour;
  const before = Number(await session.do(read('#count')));
  let longestMs = 0;
  for (let clicks = 1; !isOver(); clicks++) {
    const start = performance.now();
    await session.do(click('#count'));
    expect(await session.do(read('#count'))).toBe(String(before + clicks));
    longestMs = Math.max(longestMs, performance.now() - start);
    await session.do({ operation_type: 'wait', value: 250 });
  }
  expect(await session.do(read('#own'))).toBe(own);
  return longestMs;
}

test(`of ${hostilePages.length} hostile pages each ends in a clear state within its time, and a session beside them goes on [vault.sandbox.hostile.clear-end] [vault.sandbox.hostile.left] [vault.sandbox.hostile.neighbour]`, async () => {
  const ordeals = new Map<HostilePage, Ordeal>();
  const waiting = [...hostilePages];
  const worker = async () => {
    for (let page = waiting.shift(); page !== undefined; page = waiting.shift())
      ordeals.set(page, await endure(page));
  };
  let isOver = false;
  const workers = Promise.all(Array.from({ length: 8 }, worker)).finally(() => (isOver = true));
  const [longestMs] = await Promise.all([live(() => isOver), workers]);
  const unclear = [...ordeals].filter(
    ([page, { steps, end }]) => !goodEnds(page).includes(end) || !steps.every((step) => clearStep.test(step)),
  );
  const late = [...ordeals].filter(([, ordeal]) => ordeal.longestMs > maxMs);
  expect({ unclear, late }).toEqual({ unclear: [], late: [] });
  expect(longestMs).toBeLessThan(10_000);
});

test('of all these sessions nothing is left: no process, no group', async () => {
  // The neighbour's, and the one that is ready for the next session.
  const [ready = 0] = await until(
    async () => otherJails(),
    ({ length }) => length === 1,
  );
  const known = [neighbour.jail, ready].flatMap((jail) => [jail, ...childrenOf(jail)]);
  // Not what makes a jail, which only names it.
  const isBrowser = (pid: number) => /^\S*chrom/.test(commandOf(pid));
  expect(childrenOf(launcher).filter((pid) => isBrowser(pid) && !known.includes(pid))).toEqual([]);
  const numbers = new Set(groupsOf(launcher).map((path) => path.split('-').at(-1)));
  expect(numbers.size).toBeLessThanOrEqual(2);
});

test('a page finds nothing that another session of the same site keeps or says [vault.sandbox.hostile.neighbour]', async () => {
  const session = await open();
  await session.do(goTo('/spy'));
  await session.do({ operation_type: 'wait', value: 500 });
  expect(await session.do(read('#text'))).not.toContain(own);
  await session.close();
  // It does where there is something to be found.
  await neighbour.session.do(goTo('/spy'));
  expect(String(await neighbour.session.do(read('#text'))).split(own).length).toBeGreaterThan(2);
  await neighbour.session.do(goTo(`/neighbour?own=${own}`));
});

/** Processes of Chromium in a jail, by what their command lines say. */
const browserIn = (jail: number, words: RegExp): readonly number[] =>
  childrenOf(jail).filter((pid) => words.test(commandOf(pid)));

test('a renderer that dies ends in a clear state, and the session beside it goes on [vault.sandbox.process.crash]', async () => {
  const { session, jail } = await openKnown();
  await session.do(goTo('/calm'));
  for (const pid of browserIn(jail, /--type=renderer/)) process.kill(pid, 'SIGKILL');
  const answer = async () => (await session.operate(read('#text'))).data;
  expect(await until(answer, ({ status }) => status !== 'executed')).toMatchObject({
    status: 'failed',
    error: { code: 'interrupted' },
  });
  await session.do(goTo('/calm'));
  expect(await session.do(read('#text'))).toBe('calm');
  await session.close();
  expect(await neighbour.session.do(read('#own'))).toBe(own);
});

test('a browser that dies closes its session as crashed and leaves no process, and the session beside it goes on [vault.sandbox.process.crash]', async () => {
  const { session, jail } = await openKnown();
  await session.do(goTo('/calm'));
  const below = childrenOf(jail);
  const [main = 0] = browserIn(jail, /--remote-debugging-pipe(?!.*--type=)/);
  process.kill(main, 'SIGKILL');
  const state = async () => (await session.ask('GET', '')).data;
  expect(await until(state, ({ status }) => status !== 'active')).toMatchObject({
    status: 'closed',
    closed_reason: 'crashed',
  });
  expect((await session.operate(read('#text'))).status).toBe(400);
  await until(
    async () => below.filter((pid) => /chrom/.test(commandOf(pid))),
    ({ length }) => length === 0,
  );
  expect(await neighbour.session.do(read('#own'))).toBe(own);
});

test('a giant result of a script is refused, and the session goes on [vault.sandbox.hostile.clear-end]', async () => {
  const session = await open();
  await session.do(goTo('/calm'));
  const value = 'return "x".repeat(60000000)';
  const { data } = await session.operate({ operation_type: 'execute_script', value });
  expect(data).toMatchObject({ status: 'failed', error: { code: 'script_failed' } });
  expect(await session.do(read('#text'))).toBe('calm');
  await session.close();
});

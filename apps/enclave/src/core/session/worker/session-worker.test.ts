import { expect, test } from 'vitest';
import { snapshotOf } from '../../../../test/snapshot.ts';
import { TenantWords } from '../tenant-words.ts';
import { workHere } from './here.ts';
import { SessionWorker, type Thread, WorkerFailed } from './session-worker.ts';

/** Threads of which one ends when it is told to mask a certain text, as a task does that takes too much memory. */
function fragileThreads(text: string) {
  const started: Thread[] = [];
  return {
    started,
    start: (): Thread => {
      const { run, stop } = workHere();
      const thread: Thread = {
        run: async (task, given) => {
          if (JSON.stringify(given).includes(text)) throw new WorkerFailed('ended');
          return run(task, given);
        },
        stop,
      };
      started.push(thread);
      return thread;
    },
  };
}

test('a thread that ends is replaced by one that knows the same secrets and the agent’s own words [vault.sandbox.worker.deadline]', async () => {
  const threads = fragileThreads('too much');
  const worker = new SessionWorker(threads.start);
  worker.add(Buffer.from('Tr0ub4dor-3xyz'), 'secret');
  worker.add(Buffer.from('swordfish'), 'secret');
  await worker.write({ texts: ['is it swordfish or not'] });
  const page = 'Tr0ub4dor-3xyz; you said: is it swordfish or not; swordfish';
  const masked = '███; you said: is it swordfish or not; ███';
  expect(await worker.mask(page)).toBe(masked);
  await expect(worker.mask('too much')).rejects.toThrow(WorkerFailed);
  expect(await worker.mask(page)).toBe(masked);
  expect(threads.started).toHaveLength(2);
});

test('tasks are done in the order in which they were asked, and a task that throws stops no other', async () => {
  const worker = new SessionWorker(workHere);
  const asked = [
    worker.mask('open sesame'),
    worker
      .ask('copy', { snapshots: [Buffer.from('no snapshot')], frames: [] })
      .catch((error: unknown) => error),
  ];
  worker.add(Buffer.from('open sesame'), 'secret');
  expect(await Promise.all([...asked, worker.mask('open sesame')])).toEqual([
    'open sesame',
    expect.objectContaining({ why: 'threw', threw: 'SyntaxError' }),
    '███',
  ]);
});

test('of snapshots that it was handed nothing is left, whatever came of them [vault.sandbox.decoy.memory]', async () => {
  const worker = new SessionWorker(workHere);
  const begin = '{"result":{"strings":["swordfish"],"documents":[]}';
  const [whole, broken] = [Buffer.from(`${begin}}`), Buffer.from(begin)];
  await worker.ask('copy', { snapshots: [whole], frames: [] });
  await worker.ask('boxes', { snapshots: [broken], isGiven: false }).catch(() => null);
  expect([...whole, ...broken].every((byte) => byte === 0)).toBe(true);
});

test('a page that is as it was is not copied again, unless something else is looked for or was written meanwhile [vault.sandbox.read.masked-copy]', async () => {
  const worker = new SessionWorker(workHere);
  const frames = [{ id: 'frame', parentId: null, ownerNodeId: null }];
  const texts = 'the swordfish, the Tr0ub4dor-3xyz and a long-lost-treasure';
  let answers = 0;
  const look = async (text = texts) => {
    const page = Buffer.from(snapshotOf([{ tag: 'P', text, attribute: '', value: '' }]));
    const numbered = Buffer.from(page.toString().replace('"id":1,', `"id":${(answers += 1)},`));
    const copy = await worker.ask('copy', { snapshots: [numbered], frames });
    expect(numbered.every((byte) => byte === 0)).toBe(true);
    return copy;
  };
  const shown = async (text?: string) => String((await look(text)).source);
  worker.add(Buffer.from('swordfish'), 'secret');
  const first = await look();
  expect(await look()).toBe(first);
  expect(String(first.source)).toContain('the ███, the Tr0ub4dor-3xyz');

  worker.add(Buffer.from('Tr0ub4dor-3xyz'), 'secret');
  expect(await shown()).toContain('the ███, the ███ and a long-lost-treasure');
  worker.add(Buffer.from('long-lost-treasure'), 'secret');
  expect(await shown()).toContain('the ███, the ███ and a ███');
  await worker.write({ texts: ['a long-lost-treasure'] });
  expect(await shown()).toContain('the ███, the ███ and a long-lost-treasure');
  expect(await shown('a swordfish')).toContain('a ███');
  worker.forget();
  expect(await shown('a swordfish')).toContain('a swordfish');
});

test('what machines made is masked when the rest is forgotten, and what is told later too [vault.sandbox.masking.made-stays]', async () => {
  const worker = new SessionWorker(workHere);
  const [key, next] = ['Qw7x19c3aa0e5d7b42f1Zk', 'Rz8y20d4bb1f6e8c53a2Yl'];
  worker.add(Buffer.from(key), 'made');
  worker.add(Buffer.from('swordfish'), 'secret');
  worker.add(Buffer.from('a-key-that-somebody-chose'), 'made');
  worker.forget();
  worker.add(Buffer.from(next), 'made');
  worker.add(Buffer.from('marlin-and-tuna'), 'secret');
  expect(await worker.mask(`${key}, ${next}; swordfish, a-key-that-somebody-chose, marlin-and-tuna`)).toBe(
    '███, ███; swordfish, a-key-that-somebody-chose, marlin-and-tuna',
  );
});

test('once it is closed it answers nothing', async () => {
  const worker = new SessionWorker(workHere);
  worker.close();
  await expect(worker.mask('anything')).rejects.toMatchObject({ why: 'ended' });
});

const words = (count: number) =>
  Array.from({ length: count }, (_, i) => `word-${((i + 1) * 7919).toString(36)}`).join(', ');

test('a thread that takes the place of another has no guesses anew [vault.sandbox.masking.guesses]', async () => {
  const threads = fragileThreads('too much');
  const worker = new SessionWorker(threads.start);
  worker.add(Buffer.from('swordfish'), 'secret');
  for (let i = 0; i < 64; i++) await worker.write({ texts: [`guess${i}`] });
  const page = 'guess0; swordfish; tr0ub4dor; mistletoe';
  const masked = 'guess0; ███; ███; mistletoe';
  await worker.write({ texts: ['swordfish, or tr0ub4dor'] });
  expect(await worker.mask(page)).toBe(masked);
  await expect(worker.mask('too much')).rejects.toThrow(WorkerFailed);
  expect(await worker.mask(page)).toBe(masked);
  await worker.write({ texts: ['mistletoe'] });
  expect(await worker.mask(page)).toBe('guess0; ███; ███; ███');
  expect(threads.started).toHaveLength(2);
});

test('what could not be looked at is not to be written', async () => {
  const worker = new SessionWorker(fragileThreads('too much').start);
  await expect(worker.write({ texts: ['too much'] })).rejects.toThrow(WorkerFailed);
});

test('for more words than are masked a person is asked, and none of these is noted; not where nothing is secret [vault.sandbox.masking.guesses]', async () => {
  const [worker, other] = [new SessionWorker(workHere), new SessionWorker(workHere)];
  worker.add(Buffer.from('swordfish'), 'secret');
  for (const list of [words(400), words(600)]) {
    expect(await worker.write({ texts: [list] })).toMatchObject({ isFull: true });
    expect(await other.write({ texts: [list] })).toMatchObject({ isFull: false });
  }
  expect(await worker.mask('swordfish, fern-1abc')).toBe('███, fern-1abc');
  expect(await worker.write({ texts: ['fern-1abc, and swordfish'] })).toMatchObject({ isFull: false });
});

test('sessions of a tenant hear at once what one of them writes, and those opened within the hour [vault.sandbox.masking.guesses]', async () => {
  let now = 0;
  const tenants = new TenantWords(() => now);
  const open = (tenantId = 'acme') => {
    const worker = new SessionWorker(workHere, (hear) => tenants.join(tenantId, hear));
    worker.add(Buffer.from('swordfish'), 'secret');
    return worker;
  };
  const [before, stranger, writer] = [open(), open('globex'), open()];
  const text = 'my tags: swordfish, tr0ub4dor, mistletoe';
  await writer.write({ texts: [words(64)] });
  await writer.write({ texts: [text] });
  const page = `${text} | mistletoe | swordfish | tr0ub4dor`;
  const masked = `${text} | ███ | ███ | ███`;
  for (const worker of [writer, before, open()]) expect(await worker.mask(page)).toBe(masked);
  expect(await stranger.mask(page)).toBe(page.replaceAll('swordfish', '███'));
  now += 3_600_000;
  expect(await open().mask('mistletoe | swordfish')).toBe('mistletoe | ███');
});

const first = Array.from({ length: 64 }, (_, i) => `fr${i + 40}st`).join(' ');

/** A page whose copy a worker made, of paragraphs. */
async function show(worker: SessionWorker, texts: readonly string[], url = 'https://shop.example/') {
  const nodes = texts.map((text) => ({ tag: 'P', text, attribute: '', value: '' }));
  const frames = [{ id: 'frame', parentId: null, ownerNodeId: null }];
  await worker.ask('copy', { snapshots: [snapshotOf(nodes, url)], frames });
}

test('words that the page showed before stay readable when the agent writes them [vault.sandbox.masking.shown-words]', async () => {
  const worker = new SessionWorker(workHere);
  worker.add(Buffer.from('swordfish'), 'secret', ['https://shop.example']);
  await worker.write({ texts: [first] });
  const sentence = Array.from({ length: 150 }, (_, i) => `ordinary${i}`);
  await show(worker, ['Your password: swordfish', sentence.join(' '), 'Running shoes', 'of 2024']);
  expect(await worker.write({ texts: [sentence.join(' ')] })).toMatchObject({ isFull: false });
  await worker.write({ texts: ['running SHOES for mistletoe, swordfish'] });
  const results = ['12 running boots', 'more ordinary7', 'shoes', 'mistletoe', 'swordfish'];
  expect(await worker.ask('mask', { texts: results, url: null })).toEqual([
    '12 running boots',
    'more ordinary7',
    'shoes',
    '███',
    '███',
  ]);
});

test('what a page elsewhere shows, or repeats of the agent’s own text, was not shown', async () => {
  const worker = new SessionWorker(workHere);
  worker.add(Buffer.from('swordfish'), 'secret', ['https://shop.example']);
  await worker.write({ texts: [first] });
  const list = 'my list is swordfish, mistletoe and others';
  await show(worker, [list], 'https://guesses.example/');
  await worker.write({ texts: [`first ${list}`] });
  const page = 'swordfish | mistletoe';
  expect(await worker.mask(page)).toBe('███ | ███');
  await show(worker, [`You wrote: first ${list}`]);
  await worker.write({ texts: [`${list} and tr0ub4dor`] });
  expect(await worker.mask(page)).toBe('███ | ███');
});

test('a list that was not noted is not shown by its own echo', async () => {
  const worker = new SessionWorker(workHere);
  worker.add(Buffer.from('fern-1abc'), 'secret');
  const list = words(400);
  expect(await worker.write({ texts: [list] })).toMatchObject({ isFull: true });
  await show(worker, [list]);
  expect(await worker.write({ texts: [`${list} `] })).toMatchObject({ isFull: true });
});

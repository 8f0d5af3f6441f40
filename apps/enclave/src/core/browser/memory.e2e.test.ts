import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fstatSync, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test, inject } from 'vitest';
import { browserFor } from '../../../test/chromium.ts';
import { boxesWith, copyWith } from '../session/worker/copy-page.ts';
import { SessionWorker } from '../session/worker/session-worker.ts';
import { threadsOf } from '../session/worker/threads.ts';
import type { Secret } from './browser.ts';
import { ownBuffer } from './cdp/messages.ts';

/** Its bytes come from a file at each opening, as those of a credential come from its ciphertext. */
const secretIn = (file: string, mode: Secret['mode']): Secret => ({
  allowedUrls: [],
  mode,
  open: async (use) => {
    const fd = openSync(file, 'r');
    const bytes = ownBuffer(fstatSync(fd).size);
    readSync(fd, bytes, 0, bytes.length, 0);
    closeSync(fd);
    try {
      return await use(bytes);
    } finally {
      bytes.fill(0);
    }
  },
});

test('after fills and answers that repeat it, the driving process keeps no copy of a secret once the worker is gone [vault.sandbox.decoy.memory]', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-keeper-'));
  const file = join(folder, 'password');
  const keeper = spawn(
    process.execPath,
    [join(import.meta.dirname, '../../../test/secret-keeper.cjs'), file],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  onTestFinished(() => {
    keeper.kill();
    rmSync(folder, { recursive: true });
  });
  const [port] = (await once(keeper.stdout, 'data')) as [Buffer];
  const url = `http://127.0.0.1:${String(port).trim()}`;
  const copies = async (): Promise<string> => (await fetch(`${url}/copies?${process.pid}`)).text();
  const threads: Worker[] = [];
  const know = (thread: Worker) => threads.push(thread);
  process.on('worker', know);
  const worker = new SessionWorker(threadsOf(inject('program')));
  process.off('worker', know);
  const browser = await browserFor([url], { copyPage: copyWith(worker), findBoxes: boxesWith(worker) });
  const answer = async (selector: string, button: string, mode: Secret['mode']): Promise<unknown> => {
    await browser.perform({ operation_type: 'navigate', value: url }, [url]);
    await browser.perform({ operation_type: 'fill', selector, value: 'x' }, [secretIn(file, mode)]);
    await browser.perform({ operation_type: 'click', selector: button }, []);
    if (mode === 'dom') return browser.perform({ operation_type: 'wait', value: 0 }, []);
    return browser.perform({ operation_type: 'extract', selector: '#answer:not(:empty)' }, []);
  };
  try {
    expect(await answer('[name=pass]', 'form button', 'network')).toMatchObject({ value: /^true / });
    expect(await copies()).toBe('0');
    expect(await answer('#lone', '#fetch', 'network')).toMatchObject({ value: /^true / });
    expect(await copies()).toBe('0');
    await answer('[name=pass]', 'form button', 'dom');
    // The page itself showed it: whoever looked at that goes with the session.
    worker.close();
    await Promise.all(threads.map((thread) => thread.terminate()));
    expect(await copies()).toBe('0');
    // And the look would have found one.
    const held = await secretIn(file, 'network').open((bytes) => Buffer.from(bytes));
    expect(Number(await copies())).toBeGreaterThan(0);
    held.fill(0);
  } finally {
    await browser.close();
    await browser.stop();
    await Promise.all(threads.map((thread) => thread.terminate()));
  }
});

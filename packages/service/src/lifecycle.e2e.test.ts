import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startParent } from '../test/parent-program.ts';

test('a service that has nothing to do stays until it is told to stop, and ends with 0 [system.service.stays]', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'service-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const service = await startParent(
    dir,
    `import { runService } from './lifecycle.ts';
     const silent = { info() {}, error() {}, fatal() {} };
     await runService(silent, async () => {
       // It keeps nothing alive: with nothing else to do the event loop would be at its end before it rings.
       setTimeout(() => process.kill(process.pid, 'SIGTERM'), 300).unref();
       return { stop: async () => console.log('"stops"') };
     });`,
  );
  expect(await service.ended).toBe(0);
  expect(await service.next()).toBe('stops');
});

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

test('artifacts are what the compiler makes [system.repository.contract-artifacts]', {
  timeout: 60_000,
}, async () => {
  const compiler = fileURLToPath(new URL('compile.js', import.meta.url));
  // Rejects, with the stale artifacts named, when the compiler ends with anything but 0.
  const check = promisify(execFile)(process.execPath, [compiler, '--check']);
  await expect(check).resolves.toMatchObject({ stderr: '' });
});

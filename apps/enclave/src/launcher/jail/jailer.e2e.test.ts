import { fail } from '@countersign/protocol/result';
import { createLogger } from '@countersign/service/logger';
import { expect, test, vi } from 'vitest';
import { newJailer } from '../../../test/jails.ts';

test('a machine that cannot keep a browser apart is told of at the start, once, with what it said [system.images.sandbox]', async () => {
  const told = vi.fn<(about: object, sentence: string) => void>();
  const jailer = newJailer({
    engine: async () => fail('Chromium cannot be used: it is not here'),
    log: Object.assign(createLogger('enclave', 'silent'), { error: told }),
  });
  jailer.warmUp();
  jailer.warmUp();
  await expect.poll(() => told.mock.calls).toHaveLength(1);
  expect(told).toHaveBeenCalledWith(
    { why: 'Chromium cannot be used: it is not here' },
    expect.stringMatching(
      /^browser sessions are refused here; docs\/guide\/images\.md says what the host has to allow/,
    ),
  );
  await jailer.stop();
});

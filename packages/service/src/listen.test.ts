import { dashboardDialect } from '@countersign/protocol/dashboard/dialect';
import { expect, test } from 'vitest';
import { openPort } from './listen.ts';

// Both are of documentation: no machine has them.
test.each([
  ['192.0.2.1', '192.0.2.1 is no address of this machine: listen on 127.0.0.1, or on 0.0.0.0 for all'],
  [
    '2001:db8::1',
    '2001:db8::1 is no address of this machine, which may have no IPv6: listen on 127.0.0.1, or on 0.0.0.0 for all',
  ],
])(
  'to listen on %s, which is another machine’s, is one sentence with what to do [system.start.address]',
  async (host, sentence) => {
    await expect(openPort(host, 0, dashboardDialect)).rejects.toThrow(sentence);
  },
);

import { expect, test } from 'vitest';
import { saysNothingDone } from './says-nothing-done.ts';

test.each([
  [-32700, true],
  [-32602, true],
  [-32601, true],
  [-32600, true],
  [-32603, false],
  [-32099, false],
  [-32050, false],
  [-32000, false],
  [-32701, false],
  [-32599, false],
  [0, false],
  [500, false],
  [Number.NaN, false],
])(
  'the error %d of a server says that nothing was done: %j [control-plane.execution.outcome.mcp]',
  (code, says) => {
    expect(saysNothingDone(code)).toBe(says);
  },
);

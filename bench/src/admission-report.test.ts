import { expect, test } from 'vitest';
import { reportAdmission } from './admission-report.ts';

const row = { p50: 2, unjudged: 1.9, failed: 0, failure: null } as const;
const told = (added: number) =>
  reportAdmission({
    measured: [{ ...row, name: 'hold', added }],
    floor: { roundTrip: 0.03, commit: 0.5 },
    added,
  })
    .split('\n')
    .at(-1);

test('what admission and budget add is judged against a tenth of a millisecond', () => {
  expect(told(0.1)).toBe(
    '- met: admission and budget add 0.10 ms p50 to the two round trips of a paid call (at most 0.1)',
  );
  expect(told(0.49)).toBe(
    '- **not met**: admission and budget add 0.49 ms p50 to the two round trips of a paid call (at most 0.1)',
  );
});

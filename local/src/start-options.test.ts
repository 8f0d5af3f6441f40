import { expect, test } from 'vitest';
import { readStartOptions } from './start-options.ts';

test('without options: .countersign, port 4020, a story and then it stays', () => {
  expect(readStartOptions([])).toEqual({
    ok: true,
    value: { dir: '.countersign', portBase: 4020, story: 'stay', links: false, fetch: false },
  });
});

test('each option has its place', () => {
  expect(readStartOptions(['--data', '/srv/x', '--port-base', '65516', '--no-story'])).toEqual({
    ok: true,
    value: { dir: '/srv/x', portBase: 65516, story: 'none', links: false, fetch: false },
  });
  expect(readStartOptions(['--port-base=0', '--story'])).toMatchObject({
    ok: true,
    value: { portBase: 0, story: 'only' },
  });
  expect(readStartOptions(['--fetch'])).toMatchObject({ ok: true, value: { fetch: true } });
  expect(readStartOptions(['--links'])).toMatchObject({ ok: true, value: { links: true } });
  expect(readStartOptions(['--story', '--help'])).toEqual({ ok: true, value: null });
});

test.each([
  [['--fast'], "Unknown option '--fast'"],
  [['--data'], "Option '--data <value>' argument missing"],
  [['--data='], '--data needs a directory'],
  [['here'], "Unexpected argument 'here'"],
  [['--port-base', '4k'], '--port-base must be a number from 1 to 65516, or 0'],
  [['--port-base', '65517'], '--port-base must be a number from 1 to 65516, or 0'],
  [['--story', '--no-story'], '--story and --no-story exclude each other'],
])('%j is refused in one clause', (argv, why) => {
  expect(readStartOptions(argv)).toEqual({ ok: false, error: why });
});

import { afterEach, beforeEach, expect, test } from 'vitest';
import { append, OpenLogs } from '../../test/open-logs.ts';

let logs: OpenLogs;
beforeEach(() => {
  logs = new OpenLogs();
});
afterEach(() => logs.end());

test('a log begins a new file when one is large, and finds every record again', async () => {
  const log = await logs.open();
  const text = 'x'.repeat(64_000);
  const all = await Promise.all(Array.from({ length: 1100 }, (_, i) => append(log, { detail: { i, text } })));
  await log.close();
  const again = await logs.open();
  await append(again);
  for (const record of all.filter((_, i) => i % 97 === 0))
    expect(again.find('tnt_a', record.auditId)).toEqual(record);
  expect(again.find('tnt_a', all.at(-1)?.auditId ?? '')).toEqual(all.at(-1));
});

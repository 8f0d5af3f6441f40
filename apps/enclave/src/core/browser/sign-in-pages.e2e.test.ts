import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LogIns, startLogIns } from '../../../test/log-ins.ts';
import { strangersPages } from '../../../../../packages/review/test/corpus/pages/strangers.ts';

let logIns: LogIns;
beforeAll(async () => {
  logIns = await startLogIns();
});
afterAll(() => logIns.stop());

test.each(strangersPages.map((page) => [page.name, page] as const))(
  'a log-in is filled, sent and judged to its request without a question: %s [vault.review.logins]',
  async (_, page) => {
    expect(await logIns.objections(page)).toEqual([]);
  },
);

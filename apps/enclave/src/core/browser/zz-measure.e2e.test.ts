import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, test } from 'vitest';
import { type LogIns, startLogIns } from '../../../test/log-ins.ts';
import { entrances } from '../../../../../packages/review/test/corpus/pages/entrances/entrances.ts';

let logIns: LogIns;
beforeAll(async () => {
  logIns = await startLogIns();
});
afterAll(() => logIns.stop());

test('measure', async () => {
  const which = process.env.HALF === 'heldOut' ? 'heldOut' : 'tuned';
  const pages = entrances[which].filter(
    (one) => !process.env.ONLY || new RegExp(process.env.ONLY).test(one.name),
  );
  let failed = 0;
  const lines: string[] = [];
  for (const page of pages) {
    let said: readonly string[];
    try {
      said = await logIns.objections(page);
    } catch (error) {
      said = [`nothing sent ${(error as Error).message.slice(0, 200)}`];
      await logIns.stop();
      logIns = await startLogIns();
    }
    if (said.length > 0) {
      failed += 1;
      lines.push(`${page.name}: ${said.join('; ')}`);
    }
  }
  writeFileSync(`/tmp/measure-${which}-${process.env.LABEL ?? ''}.txt`, lines.join('\n'));
  console.log(`${which}: ${pages.length - failed} of ${pages.length}`);
  if (which === 'tuned') console.log(lines.join('\n'));
});

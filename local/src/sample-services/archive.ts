import { z } from 'zod';
import type { Merchant } from '../merchant/merchant.ts';
import { paidTool } from '../merchant/paid-tool.ts';
import { dataResult, type Tool } from '../merchant/tool.ts';
import { drawFrom, pick } from './made-up.ts';

/** The tools of the sample service `archive`: made-up articles, the same for the same id. */
export const archiveTools = (merchant: Merchant): readonly Tool[] => [
  paidTool({
    merchant,
    price: '0.02',
    name: 'fetch_article',
    title: 'Article',
    description: 'Title and full text of one article of the archive. Costs 0.02 USDC.',
    input: z.object({ id: z.string().min(1).describe('Number or name of the article; any text will do') }),
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    run: ({ id }) => dataResult(articleOf(id)),
  }),
];

function articleOf(id: string) {
  const draw = drawFrom(`article ${id}`);
  const place = pick(draw, ['the harbour', 'the old mint', 'the city library', 'the north station']);
  const subject = pick(draw, [
    'a ledger of 1887',
    'forty sealed letters',
    'a lost map',
    'a clock without hands',
  ]);
  const finder = pick(draw, ['a night porter', 'two students', 'the restorer', 'a retired surveyor']);
  const year = 1950 + draw(70);
  return {
    id,
    title: `What ${finder} found at ${place}`,
    text:
      `In ${year}, ${finder} came upon ${subject} at ${place}. Nobody could say who had left it there. ` +
      `The find was catalogued under "${id}" and has been read by ${100 + draw(9000)} people since.`,
    year,
    source: 'made up by the sample service',
  };
}

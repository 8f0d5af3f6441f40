import { factsOf, factsText } from '@countersign/review/facts';
import { judge } from '@countersign/review/review';
import { expect, test } from 'vitest';
import { click, shop, target } from '../../../../../packages/review/test/corpus/situations.ts';
import { newMasker } from './masker.ts';

test('the facts hold no secret that a page wrote into a path', () => {
  const { text: mask } = newMasker([new TextEncoder().encode('hunter2-hunter2')]);
  const seen = `${shop}/welcome/hunter2-hunter2`;
  const facts = factsOf(click(target({ link: seen, frameUrl: seen }), { url: seen }), {
    commit: () => '',
    mask,
  });
  expect(factsText(facts)).not.toContain('hunter2');
  expect(judge(facts).verdict).toBe('allow');
});

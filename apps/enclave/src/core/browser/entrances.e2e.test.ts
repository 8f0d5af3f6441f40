import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LogIns, startLogIns } from '../../../test/log-ins.ts';
import { entrances } from '../../../../../packages/review/test/corpus/pages/entrances/entrances.ts';

let logIns: LogIns;
beforeAll(async () => {
  logIns = await startLogIns();
});
afterAll(() => logIns.stop());

/** What is asked about or refused all the same, and why. One that passes from now on is taken off. */
const notYet: readonly string[] = [
  // Its address says `accept`, and a script may send the password within a text within JSON.
  'en APEX',
  // The password leaves as `ENC`: a decoy stands in for it nowhere but where passwords do.
  'en Broker',
  // A gateway is a machine elsewhere.
  'en Tax office',
  // `/members` is where members are added, and nothing says “log in”.
  'en Club of members',
  'ja 会員ページ',
  'en account in the path of an application',
  // A ZIP code is asked of who is new.
  'en Insurance, date of birth',
  // News in its form names an act, and nothing tells that from what a form does.
  'en a promotion in the form',
  // It also sends a `message`.
  'en Chat of a team',
];

const pages = [...entrances.tuned, ...entrances.heldOut, ...entrances.later];

test('of the log-ins of known products at most 4 in 100 ask a person [vault.review.logins.products]', () => {
  expect(pages.map(({ name }) => name)).toEqual(expect.arrayContaining([...notYet]));
  expect(notYet.length / pages.length).toBeLessThanOrEqual(0.04);
});

test.each(pages.filter(({ name }) => !notYet.includes(name)))(
  '$name: filled and sent without a question [vault.review.logins.products]',
  async (page) => expect(await logIns.objections(page)).toEqual([]),
);

test.each(pages.filter(({ name }) => notYet.includes(name)))(
  '$name: still asks a person [vault.review.logins.products]',
  async (page) => expect(await logIns.objections(page)).not.toEqual([]),
);

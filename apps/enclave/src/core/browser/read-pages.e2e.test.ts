import type { Operation } from '@countersign/protocol/vault/operation';
import { factsOf } from '@countersign/review/facts';
import { judge } from '@countersign/review/review';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { browserFor, type OpenedBrowser, type Site, siteOf } from '../../../test/chromium.ts';
import { actingPages } from '../../../../../packages/review/test/corpus/pages/acting.ts';
import { harmlessPages } from '../../../../../packages/review/test/corpus/pages/harmless.ts';
import {
  laterActs,
  laterHarmless,
  laterLogins,
  laterPasswords,
} from '../../../../../packages/review/test/corpus/pages/later.ts';
import { loginPages } from '../../../../../packages/review/test/corpus/pages/logins.ts';
import type { Page } from '../../../../../packages/review/test/corpus/pages/page.ts';
import { passwordPages } from '../../../../../packages/review/test/corpus/pages/passwords.ts';

let site: Site;
let browser: OpenedBrowser;
let shown: Page;
beforeAll(async () => {
  site = await siteOf(() => `<!doctype html><title>Shop</title>${shown.body}`);
  browser = await browserFor([site.url]);
});
afterAll(async () => {
  await browser.close();
  await browser.stop();
  await site.stop();
});

const secrets: Record<string, string> = { '#p': '{{CREDENTIAL.password}}', '#u': '{{CREDENTIAL.username}}' };

function operationOf(step: string): Operation {
  const [, type = '', selector = '', value = ''] = /^(\w+) ([^=]+)=?(.*)$/.exec(step) ?? [];
  switch (type) {
    case 'fill':
      return { operation_type: 'fill', selector, value: value || (secrets[selector] ?? 'x') };
    case 'select':
      return { operation_type: 'select', selector, value };
    case 'press':
      return { operation_type: 'press', selector, value: 'Enter' };
    default:
      return { operation_type: 'click', selector };
  }
}

/** What is said against its steps, each as its page's server made it. */
async function objections(page: Page): Promise<string[]> {
  shown = page;
  const address: Operation = { operation_type: 'navigate', value: site.url + page.at };
  await browser.observe(address);
  expect(await browser.perform(address, [address.value])).toMatchObject({ ok: true });
  const said: string[] = [];
  for (const step of page.steps) {
    const operation = operationOf(step);
    const observation = await browser.observe(operation);
    if (observation.target === null) throw new Error(`${page.name}: nothing matches in ${step}`);
    const review = {
      operation,
      observation,
      task: 'Log in and read my orders',
      approval: 'auto',
      allowedUrls: [site.url],
      credentials: 1,
      credential: { type: 'username_password', allowedUrls: [site.url] },
    } as const;
    const { verdict, rules } = judge(factsOf(review, { commit: () => '', mask: (text) => text }));
    if (verdict !== 'allow') said.push(`${step}: ${rules.map(({ rule }) => rule).join(' ')}`);
  }
  return said;
}

/** Which of them fail. */
async function failing(pages: readonly Page[], isFailed: (said: readonly string[]) => boolean) {
  const failed: string[] = [];
  for (const page of pages) {
    const said = await objections(page);
    if (isFailed(said)) failed.push(`${page.name}: ${said.join('; ')}`);
  }
  return failed;
}

const logins = [...loginPages, ...laterLogins];
const harmless = [...harmlessPages, ...laterHarmless];
const acting = [...actingPages, ...laterActs];
const passwords = [...passwordPages, ...laterPasswords];
/** What failed, if that is more than may. */
const beyond = (failed: readonly string[], of: readonly Page[], share: number) =>
  failed.length <= share * of.length ? [] : failed;

test(`${logins.length} log-ins as pages have them are filled and sent without a question [vault.review.logins]`, async () => {
  expect(beyond(await failing(logins, (said) => said.length > 0), logins, 0.03)).toEqual([]);
});

test(`${harmless.length} clicks that read are done without a question [vault.review.harmless-reads]`, async () => {
  expect(beyond(await failing(harmless, (said) => said.length > 0), harmless, 0.02)).toEqual([]);
});

test(`${acting.length} acts of which only the page tells are stopped [vault.review.act.read-there]`, async () => {
  expect(await failing(acting, (said) => said.length === 0)).toEqual([]);
});

test(`${passwords.length} forms that ask for a password and are no log-in get none without a question [vault.review.place.login-form]`, async () => {
  expect(await failing(passwords, (said) => !said.join().includes('credential.new-place'))).toEqual([]);
});

import type { Operation } from '@countersign/protocol/vault/operation';
import { factsOf } from '@countersign/review/facts';
import { requestFactsOf } from '@countersign/review/request/facts';
import { judgeRequest } from '@countersign/review/request/judge';
import { judge } from '@countersign/review/review';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { browserFor, type OpenedBrowser, secretOf, type Site, siteOf } from '../../../test/chromium.ts';
import type { Page } from '../../../../../packages/review/test/corpus/pages/page.ts';
import { strangersPages } from '../../../../../packages/review/test/corpus/pages/strangers.ts';
import type { Text } from './browser.ts';

const word = 'Tr0ub4dor&3';
const about = { task: 'Log in and read my orders', approval: 'auto' } as const;
const plain = (text: string): string => text;

let site: Site;
let browser: OpenedBrowser;
let shown: Page;
let isFromLogin = false;
let said: string[] = [];
beforeAll(async () => {
  site = await siteOf(({ method }) =>
    method === 'GET'
      ? `<!doctype html><title>Site</title><link rel="icon" href="data:,">${shown.body}`
      : '{}',
  );
  browser = await browserFor([site.url], {
    judgeSent: async (sent) => {
      const { verdict, rules } = judgeRequest(requestFactsOf(sent, { ...about, isFromLogin }, plain));
      if (verdict !== 'allow') said.push(`${sent.url}: ${rules.map(({ rule }) => rule).join(' ')}`);
      return verdict === 'allow' ? 'pass' : 'refuse';
    },
  });
});
afterAll(async () => {
  await browser.close();
  await browser.stop();
  await site.stop();
});

const secrets: Record<string, Text> = {
  '[u]': [secretOf('a@ex.io', { isName: true })],
  '[p]': [secretOf(word)],
};

function operationOf(step: string): Operation {
  const [, type = '', selector = '', value = ''] = /^(\w+) ([^~]+)~?(.*)$/.exec(step) ?? [];
  const field = { '[u]': 'username', '[p]': 'password' }[selector];
  if (type === 'press') return { operation_type: 'press', selector, value: 'Enter' };
  return type === 'fill'
    ? { operation_type: 'fill', selector, value: field === undefined ? value : `{{CREDENTIAL.${field}}}` }
    : { operation_type: 'click', selector };
}

/** Does an operation and notes what is said against it. */
async function run(operation: Operation): Promise<void> {
  const { operation_type: type } = operation;
  const observation = await browser.observe(operation);
  const facts = factsOf(
    {
      operation,
      observation,
      ...about,
      allowedUrls: [site.url],
      credentials: 1,
      credential: { type: 'username_password', allowedUrls: [site.url] },
    },
    { commit: () => '', mask: plain },
  );
  const { verdict, rules } = judge(facts);
  if (verdict !== 'allow') said.push(`${type}: ${rules.map(({ rule }) => rule).join(' ')}`);
  isFromLogin = (facts.target?.form?.purpose ?? facts.target?.group) === 'login';
  const selector = 'selector' in operation ? (operation.selector ?? '') : '';
  const typed = type === 'fill' ? secrets[selector] : undefined;
  const value: Text = typed ?? ['value' in operation ? String(operation.value) : ''];
  const done = await browser.perform(operation, value, { kind: 'acts', acts: [] });
  if (!done.ok) said.push(`${type} ${selector}: ${done.error.code}`);
}

test.each(strangersPages.map((page) => [page.name, page] as const))(
  'a log-in is filled, sent and judged to its request without a question: %s [vault.review.logins]',
  async (_, page) => {
    [shown, said, isFromLogin, site.received.length] = [page, [], false, 0];
    await run({ operation_type: 'navigate', value: site.url + page.at });
    for (const step of page.steps) await run(operationOf(step));
    const sent = page.steps.includes('fill [p]') ? word : '=';
    const bodies = () =>
      site.received.map(({ body }) => decodeURIComponent(body.replaceAll('+', ' '))).join();
    await expect.poll(bodies).toContain(sent);
    expect(said).toEqual([]);
  },
);

import type { Operation } from '@countersign/protocol/vault/operation';
import { factsOf } from '@countersign/review/facts';
import { requestFactsOf } from '@countersign/review/request/facts';
import { judgeRequest } from '@countersign/review/request/judge';
import type { SetOff } from '@countersign/review/request/put';
import { judge } from '@countersign/review/review';
import { expect } from 'vitest';
import type { Page } from '../../../packages/review/test/corpus/pages/page.ts';
import type { Text } from '../src/core/browser/browser.ts';
import { setOffBy } from '../src/core/session/operation/sent.ts';
import { browserFor, secretOf, siteOf } from './chromium.ts';

const [name, word] = ['a@ex.io', 'Tr0ub4dor&3'];
const about = { task: 'Log in and read my orders', approval: 'auto' } as const;
const plain = (text: string): string => text;

const secrets: Readonly<Record<string, Text>> = {
  '[u]': [secretOf(name, { isName: true, isAccount: true })],
  '[p]': [secretOf(word, { asLogin: true })],
};

export type LogIns = {
  /** Does the steps of a page, to the request that its site gets, and tells what was said against them. */
  readonly objections: (page: Page) => Promise<readonly string[]>;
  readonly stop: () => Promise<void>;
};

/** A browser whose site serves one page after the other, with all that the review says of operations and requests. */
export async function startLogIns(): Promise<LogIns> {
  let body = '';
  let said: string[] = [];
  let isFromLogin = false;
  let setOff: SetOff = { isLogin: false, names: [] };
  const site = await siteOf(({ method }) =>
    method === 'GET' ? `<!doctype html><title>Site</title><link rel="icon" href="data:,">${body}` : '{}',
  );
  const browser = await browserFor([site.url], {
    judgeSent: async (sent) => {
      const { verdict, rules } = judgeRequest(requestFactsOf(sent, { ...about, isFromLogin, setOff }, plain));
      if (verdict !== 'allow') said.push(`${sent.url}: ${rules.map(({ rule }) => rule).join(' ')}`);
      return verdict === 'allow' ? 'pass' : 'refuse';
    },
  });

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
    setOff = setOffBy(type, { isLogin: isFromLogin, names: observation.target?.names ?? [] });
    const { selector, value } = valueOf(operation);
    const done = await browser.perform(operation, value, { kind: 'acts', acts: [] });
    if (!done.ok) said.push(`${type} ${selector}: ${done.error.code}`);
  }

  return {
    objections: async (page) => {
      [body, said, isFromLogin, site.received.length] = [page.body, [], false, 0];
      await run({ operation_type: 'navigate', value: site.url + page.at });
      for (const step of page.steps) await run(operationOf(step));
      const bodies = () =>
        site.received.map((one) => decodeURIComponent(one.body.replaceAll('+', ' '))).join();
      await expect
        .poll(() => said.length > 0 || browser.alarms.length > 0 || bodies().includes(sentBy(page)))
        .toBe(true);
      said.push(...browser.alarms.splice(0).map(({ kind }) => `alarm: ${kind}`));
      return said;
    },
    stop: async () => {
      await browser.close();
      await browser.stop();
      await site.stop();
    },
  };
}

/** What is typed in place of it, where it is a secret. */
function valueOf(operation: Operation): { readonly selector: string; readonly value: Text } {
  const selector = 'selector' in operation ? (operation.selector ?? '') : '';
  const typed = operation.operation_type === 'fill' ? secrets[selector] : undefined;
  return { selector, value: typed ?? ['value' in operation ? String(operation.value) : ''] };
}

/** What the site gets once it is done. */
const sentBy = ({ steps }: Page): string => {
  if (steps.includes('fill [p]')) return word;
  return steps.includes('fill [u]') ? name : (/~(\w+)/.exec(steps.join())?.[1] ?? '=');
};

function operationOf(step: string): Operation {
  const [, type = '', selector = '', value = ''] = /^(\w+) ([^~]+)~?(.*)$/.exec(step) ?? [];
  const field = { '[u]': 'username', '[p]': 'password' }[selector];
  if (type === 'press') return { operation_type: 'press', selector, value: 'Enter' };
  return type === 'fill'
    ? { operation_type: 'fill', selector, value: field === undefined ? value : `{{CREDENTIAL.${field}}}` }
    : { operation_type: 'click', selector };
}

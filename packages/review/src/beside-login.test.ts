import { expect, test } from 'vitest';
import { fieldOf } from '../test/corpus/read-field.ts';
import { click, fill, review, shop, submit, target } from '../test/corpus/situations.ts';
import { factsOf } from './facts.ts';
import type { ObservedForm } from './observation.ts';
import { judge } from './review.ts';

const rulesOf = (one: ReturnType<typeof review>) =>
  judge(factsOf(one, { commit: () => '', mask: (text) => text })).rules.map(({ rule }) => rule);

/** `/where | field | …`: a password filled in there, and what else is done. */
function formOf(line: string, titles: readonly string[] = []) {
  const [action = '', ...fields] = line.split(' | ');
  const form: ObservedForm = { action: shop + action, method: 'POST', fields: fields.map(fieldOf) };
  const submitter = form.fields.find(({ type }) => type === 'submit');
  const sent: ObservedForm = { ...form, submitter: { names: submitter?.names ?? [] } };
  const password = form.fields.findLast(({ type }) => type === 'password') ?? fieldOf('password');
  const into = target({
    ...password,
    field: password.names.at(-1) ?? '',
    frameUrl: form.action,
    titles,
    form: sent,
  });
  return {
    filled: rulesOf(fill('{{CREDENTIAL.password}}', into)),
    entered: rulesOf(review({ operation_type: 'press', selector: '#it', value: 'Enter' }, { target: into })),
    clicked: (name: string) => rulesOf(click(submit(name, sent))),
  };
}

const account = '/portal | email:Email:email:email | password:Password:password:';

test.each([
  'Quick pay',
  'Express pay',
  'One-time payment',
  'Fast pay',
  'Eingaben löschen',
  'Clear all input fields',
  '입력내용삭제',
  '入力内容を削除',
])(
  'beside a log-in a button %s is there for those without an account, or clears [vault.review.logins]',
  (name) => {
    expect(formOf(`${account} | submit:Log in | button:${name}`).filled).toEqual(['none']);
    expect(formOf(`${account} | submit:Log in | submit:${name}`).filled).toEqual(['none']);
  },
);

test.each(['Quick pay', 'Express pay', 'One-time payment', 'Pay as guest'])('probe %s', (name) => {
  const form = formOf(`${account} | submit:${name} | submit:Log in`);
  console.log(name, form.filled, form.entered, form.clicked(name));
});

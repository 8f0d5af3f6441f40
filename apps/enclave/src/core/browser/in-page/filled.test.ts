import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DomElement } from './dom.ts';
import { filled } from './filled.ts';

type Field = {
  readonly localName: string;
  readonly type?: string;
  readonly name: string;
  readonly value: string;
  readonly selectedOptions?: readonly { readonly value: string }[];
  readonly isUnseen?: boolean;
};

const input = (name: string, value: string): Field => ({ localName: 'input', type: 'text', name, value });
const hidden = (name: string, value: string): Field => ({ localName: 'input', type: 'hidden', name, value });
const output = (value: string): Field => ({ localName: 'output', name: 'shown', value });

/** The digest of a group of such fields, without a browser. */
function filledWith(...fields: readonly Field[]): string | null {
  const elements = fields.map((field) => ({
    ...field,
    getAttribute: (name: string) => (name === 'name' ? field.name : null),
    matches: () => false,
  }));
  return filled.filledOf({} as DomElement, { querySelectorAll: () => elements } as unknown as DomElement);
}

const world = globalThis as { inPage?: unknown };
beforeAll(() => {
  world.inPage = {
    ...filled,
    formOf: () => null,
    fieldName: ({ name }: Field) => name,
    isVisible: ({ isUnseen = false }: Field) => !isUnseen,
  };
});
afterAll(() => {
  world.inPage = undefined;
});

test.each([
  'cf-turnstile-response',
  'g-recaptcha-response',
  'active_post_lock',
  'heartbeat',
  'data[heartbeat]',
  '__REQUESTDIGEST',
  'csrf_token',
])(
  'what pages renew unseen by themselves, as %s, voids no agreement [vault.sandbox.approval.same-page]',
  (name) => {
    const pay = input('to', 'bob');
    expect(filledWith(pay, hidden(name, '1'))).toBe(filledWith(pay, hidden(name, '2')));
    // In sight it is what a person has agreed to.
    expect(filledWith(pay, input(name, '1'))).not.toBe(filledWith(pay, input(name, '2')));
  },
);

test('a clock that runs voids no agreement; a sum does [vault.sandbox.approval.same-page]', () => {
  const pay = input('to', 'bob');
  for (const [before, after] of [
    ['14:59', '14:58'],
    [' 1:00:00\n', '0:59:59'],
  ] as const)
    expect(filledWith(pay, output(before))).toBe(filledWith(pay, output(after)));
  for (const [before, after] of [
    ['14', '15'],
    ['$14:59', '$14:58'],
    ['14:59 h, 3 rooms', '14:59 h, 4 rooms'],
  ] as const)
    expect(filledWith(pay, output(before))).not.toBe(filledWith(pay, output(after)));
  expect(filledWith(pay, input('at', '14:59'))).not.toBe(filledWith(pay, input('at', '14:58')));
});

test('fields are compared however many unseen ones and however long texts stand before them [vault.sandbox.approval.same-page]', () => {
  const tokens = Array.from({ length: 1000 }, (_, i) => hidden(`csrf_${i}`, '1'));
  const long = input('note', 'x'.repeat(300_000));
  for (const before of [tokens, [long]])
    expect(filledWith(...before, input('to', 'bob'))).not.toBe(filledWith(...before, input('to', 'eve')));
});

test('each choice of several is compared [vault.sandbox.approval.same-page]', () => {
  const choices = (...chosen: string[]): Field => ({
    localName: 'select',
    name: 'to',
    value: chosen[0] ?? '',
    selectedOptions: chosen.map((value) => ({ value })),
  });
  expect(filledWith(choices('bob', 'ada'))).not.toBe(filledWith(choices('bob', 'eve')));
});

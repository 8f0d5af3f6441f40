import { expect, test } from 'vitest';
import { writes } from './hands.ts';

const click = { operation_type: 'click', selector: '#x' } as const;

test.each([
  { tag: 'input', type: 'radio' },
  { tag: 'input', type: 'checkbox' },
  { tag: 'option', type: '' },
  { tag: 'div', type: '', role: 'option' },
  { tag: 'button', type: 'button', role: 'switch' },
])(
  'to choose by a click is to write something, which a page may save later: %j [vault.review.logins]',
  (target) => {
    expect(writes(click, target)).toBe(true);
  },
);

test.each([{ tag: 'button', type: 'submit' }, { tag: 'a', type: '' }, { tag: 'input', type: 'text' }, null])(
  'any other click writes nothing: %j',
  (target) => {
    expect(writes(click, target)).toBe(false);
  },
);

import { expect, test } from 'vitest';
import { movesText } from './keys.ts';

test('keys that copy, cut, paste or undo are told apart from all others [vault.sandbox.operation.no-clipboard]', () => {
  const moving = [
    'Control+c',
    'Meta+C',
    'Control+Shift+v',
    'Shift+Control+V',
    'Control+x',
    'Control+Insert',
    'Shift+Insert',
  ];
  const more = [
    'Shift+Delete',
    'Control+z',
    'Control+y',
    'Alt+Control+c',
    'Copy',
    'Paste',
    'Control+Backspace',
  ];
  expect([...moving, ...more].filter((chord) => !movesText(chord))).toEqual([]);
  const others = [
    'c',
    'C',
    'Shift+c',
    'Control+a',
    'Enter',
    'Delete',
    'Insert',
    'Backspace',
    'Alt+c',
    'Control+Enter',
    '+',
  ];
  expect(others.filter(movesText)).toEqual([]);
});

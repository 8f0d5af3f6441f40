import { expect, test } from 'vitest';
import { presets, reachText } from './reach.ts';

test('a key is named after its preset, in whatever order its scopes stand; one without scopes is a gateway’s', () => {
  for (const { name, scopes } of Object.values(presets))
    expect(reachText({ scopes: [...scopes].reverse() })).toBe(name);
  expect(reachText({ scopes: null })).toBe('Gateway');
  expect(reachText({ scopes: ['report', 'mandates:read'] })).toBe('report, mandates:read');
});

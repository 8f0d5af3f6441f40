import { afterAll, describe, expect, test } from 'vitest';
import { type Attack } from './honest/attack.ts';
import { startArena, type Outcome } from './honest/arena.ts';
import { anySite } from './honest/any-site.ts';
import { otherHands } from './honest/another-hand.ts';
import { identityAttacks } from './honest/identity.ts';
import { logInOracles } from './honest/log-in-oracle.ts';
import { maskerOracles } from './honest/masker-oracle.ts';
import { domAttacks } from './honest/mode-dom.ts';
import { readingBack } from './honest/reading-back.ts';
import { rewritten } from './honest/rewritten.ts';
import { selectorOracles } from './honest/selector-oracle.ts';
import { typeFlips } from './honest/type-flip.ts';

const families: Readonly<Record<string, readonly Attack[]>> = {
  'moves a binding': typeFlips,
  'reads back': readingBack,
  'reads what a site makes of it': rewritten,
  'asks selectors': selectorOracles,
  'asks the masker': maskerOracles,
  'asks a log-in': logInOracles,
  'has the page watch what mode dom fills': domAttacks,
  'acts by another hand': otherHands,
  'goes to any site': anySite,
  'presents an identity': identityAttacks,
};
const attacks = Object.values(families).flat();

const arena = await startArena();
afterAll(() => arena.stop());
const controls = await arena.tryWithoutProtection(attacks);
const outcomes = await arena.tryAll(attacks);

test(`each of ${attacks.length} attacks on an honest site works where nothing protects it [vault.sandbox.attacks.honest-control]`, () => {
  expect(attacks.filter((attack) => controls.get(attack)?.isThrough !== true).map(said(controls))).toEqual(
    [],
  );
});

describe.each(Object.entries(families))('an agent that %s', (_, family) => {
  test.each(family)('gets nothing: $name [vault.sandbox.attacks.honest]', (attack) => {
    expect(outcomes.get(attack)).toEqual({ isThrough: false, problem: null });
  });
});

const said =
  (all: ReadonlyMap<Attack, Outcome>) =>
  (attack: Attack): string =>
    `${attack.name}: ${all.get(attack)?.problem ?? 'nothing came of it'}`;

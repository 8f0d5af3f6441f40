import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { Crowd } from './crowd.ts';

test('whoever joins and leaves, those in it are those that a set would have', () => {
  const steps = fc.array(fc.record({ joins: fc.boolean(), nth: fc.nat(20) }), { maxLength: 200 });
  fc.assert(
    fc.property(steps, (all) => {
      const [crowd, expected] = [new Crowd<number>(), new Set<number>()];
      const leaves: (() => void)[] = [];
      for (const { joins, nth } of all) {
        const value = leaves.length;
        if (joins || leaves.length === 0) {
          expected.add(value);
          leaves.push(crowd.add(value));
        } else {
          expected.delete(nth % leaves.length);
          leaves[nth % leaves.length]?.();
        }
        expect(crowd.size).toBe(expected.size);
      }
      expect(new Set(crowd.all())).toEqual(expected);
    }),
  );
});

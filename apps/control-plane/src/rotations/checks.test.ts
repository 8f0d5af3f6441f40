import { expect, test } from 'vitest';
import { askForEach } from './checks.ts';
import type { StoredRotation } from './store.ts';

test('a check that cannot be asked for keeps no other one waiting, and is told [control-plane.rotation.check]', async () => {
  const rotations = ['a', 'b', 'c'].map((id) => ({ id }) as StoredRotation);
  const asked: string[] = [];
  const logged: unknown[] = [];
  await askForEach({ warn: (about: unknown) => void logged.push(about) }, rotations, ({ id }) => {
    asked.push(id);
    return id === 'b' ? Promise.resolve() : Promise.reject(new Error(`not ${id}`));
  });
  expect(asked).toEqual(['a', 'b', 'c']);
  expect(logged).toMatchObject([{ rotation: 'a' }, { rotation: 'c' }]);
});

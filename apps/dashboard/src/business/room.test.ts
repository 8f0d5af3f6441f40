import { expect, test } from 'vitest';
import { createRoom } from './room.ts';

test('a room does as much at once as it has places, and no more; whoever fails gives his place back', async () => {
  const room = createRoom(2);
  const ends: (() => void)[] = [];
  const work = () => new Promise<void>((resolve) => ends.push(resolve));
  const [one, two] = [room(work), room(work)];
  expect(await room(work)).toBe(false);
  for (const end of ends) end();
  expect(await Promise.all([one, two])).toEqual([true, true]);
  await expect(room(() => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
  await expect(room(() => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
  expect(await room(async () => {})).toBe(true);
});

/** Does work in one of so many places, and none where they are taken; tells whether it was done. */
export type Room = (work: () => Promise<void>) => Promise<boolean>;

export function createRoom(places: number): Room {
  let taken = 0;
  return async (work) => {
    if (taken >= places) return false;
    taken += 1;
    try {
      await work();
      return true;
    } finally {
      taken -= 1;
    }
  };
}

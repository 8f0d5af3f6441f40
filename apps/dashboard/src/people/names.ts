import type { Queryable } from '@countersign/service/sql';
import { holder } from './person.ts';
import { listPeople } from './store.ts';

/** As it reads in a list: no two differ by case, width or the kind of an apostrophe alone. */
const readAs = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/['’ʼ‘`]/g, '')
    .trim();

/** Whether the holder or somebody of the account is called so. */
export async function isNameInUse(db: Queryable, accountId: string, name: string): Promise<boolean> {
  const people = await listPeople(db, accountId);
  return [holder, ...people].some((one) => readAs(one.name) === readAs(name));
}

import type { Queryable } from '@countersign/service/sql';
import { namesOfProvider } from '../provider-login/identity-store.ts';
import { holder } from './person.ts';
import { listPeople } from './store.ts';

/** Returns the name by which two are compared: without case, width and the kind of an apostrophe. */
const readAs = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/['’ʼ‘`]/g, '')
    .trim();

/**
 * Returns whether the holder or somebody of the account is called so, or somebody of the provider's who may
 * come back.
 */
export async function isNameInUse(db: Queryable, accountId: string, name: string): Promise<boolean> {
  const people = await listPeople(db, accountId);
  const taken = [holder.name, ...people.map((one) => one.name), ...(await namesOfProvider(db, accountId))];
  return taken.some((one) => readAs(one) === readAs(name));
}

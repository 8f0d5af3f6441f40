import type { Role, Standing } from '@countersign/protocol/dashboard/roles';

/** Who acts for an account. */
export type Person = Standing & {
  /** Null: the wallet's holder. */
  readonly id: string | null;
  readonly name: string;
};

/** Whoever logged in with the account's wallet. */
export const holder: Person = { id: null, name: 'Wallet’s holder', roles: ['owner'], holder: true };

/** The person of these columns, as they are joined to a session: all null for the wallet's holder. */
export const personOf = (found: {
  readonly personId: string | null;
  readonly personName: string | null;
  readonly personRoles: readonly Role[] | null;
}): Person =>
  found.personId === null
    ? holder
    : { id: found.personId, name: found.personName ?? '', roles: found.personRoles ?? [], holder: false };

/** The person as answers name them. */
export const showActor = ({ id, name }: Pick<Person, 'id' | 'name'>) =>
  id === null ? { id: 'holder', name: holder.name } : { id, name };

export const showPerson = (person: Person) => ({
  ...showActor(person),
  roles: [...person.roles],
  holder: person.holder,
});

import { expect, test } from 'vitest';
import { fieldRoles, fieldsWithRole, namesAccount, namesSomebody } from './field-roles.ts';

test('a field has one role, whichever type it is of: the masker and the review know fields by their name', () => {
  const roles = new Map<string, Set<string>>();
  for (const fields of Object.values(fieldRoles))
    for (const [name, role] of Object.entries(fields))
      roles.set(name, (roles.get(name) ?? new Set()).add(role));
  expect([...roles].filter(([, its]) => its.size > 1)).toEqual([]);
  // A page tells a site somebody's name under whatever name it likes, and not where a machine stands.
  expect(namesSomebody).toEqual(new Set(['username', 'did']));
  expect(namesAccount).toEqual(
    new Set(['username', 'did', 'host', 'port', 'database', 'certificate', 'credential_type']),
  );
  expect(fieldsWithRole('machine')).toEqual(new Set(['refresh_token', 'private_key', 'ssh_key']));
});

import { expect, test } from 'vitest';
import { fieldRoles, fieldsWithRole } from './field-roles.ts';

test('a field has one role, whichever type it is of: the masker and the review know fields by their name', () => {
  const roles = new Map<string, Set<string>>();
  for (const fields of Object.values(fieldRoles))
    for (const [name, role] of Object.entries(fields))
      roles.set(name, (roles.get(name) ?? new Set()).add(role));
  expect([...roles].filter(([, its]) => its.size > 1)).toEqual([]);
  expect(fieldsWithRole('machine')).toEqual(new Set(['refresh_token', 'private_key', 'ssh_key']));
});

import { randomBytes } from 'node:crypto';
import { fieldRoles } from '@countersign/protocol/vault/field-roles';
import { type CredentialType, madeByMachines } from '@countersign/protocol/vault/credential';
import { parseTemplate } from '@countersign/protocol/vault/placeholder';
import type { Substitution } from '../broker/substitute.ts';
import { fieldBytes } from '../credential/field.ts';
import { isChosen } from '../masking/chosen.ts';
import { isUnmaskable, type Masker, newMasker } from '../masking/masker.ts';

/** Headers with a decoy where a field stands, what takes the place of each, and what takes it out of the answer. */
export type Filled = {
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Wiped as they leave, or with the connection. */
  readonly substitutions: readonly Substitution[];
  readonly masker: Masker;
  /** The same secrets, to be kept out of the response's bytes. The caller wipes them. */
  readonly secrets: readonly Buffer[];
};

/**
 * Fills the templates of headers. `unusable` where the credential lacks a field that is named, where a value can be no part of a
 * header, and where a secret is too short to be masked in what comes back. `guessable` where a person may have chosen a secret: by
 * what is masked whoever asks would see which guess is right.
 */
export function fill(
  type: CredentialType,
  plaintext: Buffer,
  templates: Readonly<Record<string, string>>,
): Filled | 'unusable' | 'guessable' {
  if (!madeByMachines.has(type)) return 'guessable';
  const substitutions: Substitution[] = [];
  const named = new Set<string>();
  let isWhole = true;
  const put = (field: string): string => {
    const secret = fieldBytes(plaintext, field);
    if (secret === null || !secret.every((byte) => byte >= 0x20 && byte !== 0x7f)) isWhole = false;
    if (secret === null) return '';
    const decoy = `decoy-${randomBytes(16).toString('hex')}`;
    named.add(field);
    substitutions.push({ decoy, secret });
    return decoy;
  };
  const headers = Object.entries(templates).map(([name, value]) => {
    const template = parseTemplate(value);
    const parts = template.ok ? template.value : [];
    if (!parts.some((part) => 'field' in part)) isWhole = false;
    return [name, parts.map((part) => ('text' in part ? part.text : put(part.field))).join('')] as const;
  });
  const secrets = secretsOf(type, plaintext, named);
  if (isWhole && substitutions.length > 0 && typeof secrets !== 'string')
    return { headers, substitutions, masker: newMasker(secrets), secrets };
  for (const { secret } of substitutions) secret.fill(0);
  if (typeof secrets === 'string') return secrets;
  for (const secret of secrets) secret.fill(0);
  return 'unusable';
}

/** All secrets of the credential, and what else of it is sent; or what is wrong with one of them. */
function secretsOf(
  type: CredentialType,
  plaintext: Buffer,
  named: ReadonlySet<string>,
): Buffer[] | 'unusable' | 'guessable' {
  const values = Object.entries(fieldRoles[type]).flatMap(([field, role]) => {
    const isSecret = role !== 'account' && role !== 'plain';
    const value = isSecret || named.has(field) ? fieldBytes(plaintext, field) : null;
    return value === null ? [] : [value];
  });
  const problem = values.some(isUnmaskable) ? 'unusable' : values.some(isChosen) ? 'guessable' : null;
  if (problem === null) return values;
  for (const value of values) value.fill(0);
  return problem;
}

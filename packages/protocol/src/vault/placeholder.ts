import { fail, ok, type Result } from '../result.ts';
import { type CredentialType, plaintextData } from './credential.ts';

/** A text in which `{{CREDENTIAL.<field>}}` stands for a field of a credential (spec: vault.sandbox). */
export type Template = readonly ({ readonly text: string } | { readonly field: string })[];

const placeholder = /\{\{CREDENTIAL\.([a-z][a-z0-9_]*)\}\}/g;
/** Meant as a placeholder and written wrongly. Filled in as it stands, it would show the agent nothing of its mistake. */
const almost = /\{\{\s*credentials?\s*[.[:}]|(?<!\$)\{CREDENTIAL\./i;

/** Splits a text at its placeholders. Other braces are plain text; a placeholder written wrongly is refused. */
export function parseTemplate(text: string): Result<Template, string> {
  const parts: ({ text: string } | { field: string })[] = [];
  let end = 0;
  for (const match of text.matchAll(placeholder)) {
    if (match.index > end) parts.push({ text: text.slice(end, match.index) });
    parts.push({ field: match[1] ?? '' });
    end = match.index + match[0].length;
  }
  if (end < text.length) parts.push({ text: text.slice(end) });
  const wrong = parts.some((part) => 'text' in part && almost.test(part.text));
  return wrong
    ? fail('has a malformed placeholder: it must be {{CREDENTIAL.<field>}}, like {{CREDENTIAL.password}}')
    : ok(parts);
}

/** The fields that a template names, each once, in order. */
export const fieldsNamed = (template: Template): string[] => [
  ...new Set(template.flatMap((part) => ('field' in part ? [part.field] : []))),
];

/** Returns the fields that placeholders of a credential may name, optional ones included. */
export const credentialFields = (type: CredentialType): string[] => Object.keys(plaintextData[type].shape);

/** Refuses a template that names a field which credentials of this type do not have, and says which there are. */
export function checkFields(template: Template, type: CredentialType): Result<null, string> {
  const known = credentialFields(type);
  const unknown = fieldsNamed(template).some((field) => !known.includes(field));
  return unknown
    ? fail(`names a field that the credential does not have: it has ${known.join(', ')}`)
    : ok(null);
}

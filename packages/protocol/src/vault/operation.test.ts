import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { operation, operationTypes } from './operation.ts';
import { checkFields, fieldsNamed, parseTemplate } from './placeholder.ts';

const id = '0b4f6a52-6a8e-4a4e-9f3c-0d6f1e0f2a11';

test.each([
  { operation_type: 'navigate', value: 'https://shop.example/' },
  { operation_type: 'click', selector: '#go', credential_id: id },
  { operation_type: 'fill', selector: '#user', value: '{{CREDENTIAL.username}}' },
  { operation_type: 'select', selector: '#country', value: 'CH' },
  { operation_type: 'press', value: 'Enter' },
  { operation_type: 'hover', selector: '#menu' },
  { operation_type: 'scroll', selector: '#end' },
  { operation_type: 'wait', selector: '#ready' },
  { operation_type: 'wait', value: 250 },
  { operation_type: 'extract', selector: 'table' },
  { operation_type: 'execute_script', value: 'return document.title' },
])('$operation_type is an operation', (body) => {
  expect(operation.parse(body)).toEqual(body);
});

test('the list of types is the page’s', () => {
  expect(operationTypes).toEqual(
    'navigate click fill select press hover scroll wait extract execute_script'.split(' '),
  );
});

test('members that a type does not use may be null, and milliseconds may be text', () => {
  expect(operation.parse({ operation_type: 'wait', selector: null, value: '1500' })).toEqual({
    operation_type: 'wait',
    value: 1500,
  });
});

test.each([
  [{ operation_type: 'drop_tables' }, 'operation_type'],
  [{ operation_type: 'fill', selector: '#user' }, 'value'],
  [{ operation_type: 'click' }, 'selector'],
  [{ operation_type: 'click', selector: '#a', value: 'x' }, ''],
  [{ operation_type: 'wait' }, 'selector'],
  [{ operation_type: 'wait', value: 60_000 }, 'value'],
  [{ operation_type: 'extract', selector: 'a', credential_id: 'mine' }, 'credential_id'],
  [{ operation_type: 'fill', selector: '#p', value: '{{credential.password}}' }, 'value'],
  ['fill', ''],
])('%j is refused, naming the field', (body, field) => {
  const { success, error } = operation.safeParse(body);
  expect(success).toBe(false);
  expect(error?.issues[0]?.path.join('.')).toBe(field);
});

test('a text is split at its placeholders', () => {
  expect(parseTemplate('{{CREDENTIAL.username}}+x@{{CREDENTIAL.host}} {{name}}')).toEqual({
    ok: true,
    value: [{ field: 'username' }, { text: '+x@' }, { field: 'host' }, { text: ' {{name}}' }],
  });
  expect(parseTemplate('')).toEqual({ ok: true, value: [] });
});

test.each([
  '{{CREDENTIAL.password}',
  '{{CREDENTIAL.}}',
  '{{CREDENTIAL.Password}}',
  '{{ CREDENTIAL.password }}',
  '{{credential.password}}',
  '{CREDENTIAL.password}',
  '{{CREDENTIAL:password}}',
  '{{CREDENTIAL[password]}}',
  '{{CREDENTIAL.pass.word}}',
  '{{CREDENTIALS.password}}',
  'x {{CREDENTIAL.a}} {{CREDENTIAL.b',
])('%s is a placeholder written wrongly', (text) => {
  expect(parseTemplate(text)).toMatchObject({
    ok: false,
    error: expect.stringContaining('{{CREDENTIAL.password}}'),
  });
});

test('no operation brings more than a few texts of the agent’s, of which each could be a guess [vault.sandbox.masking.few-guesses]', () => {
  const guesses = (count: number) =>
    Array.from({ length: count }, (_, i) => String(1000 + i)).join('{{CREDENTIAL.username}}');
  const fill = (value: string) => operation.safeParse({ operation_type: 'fill', selector: '#q', value });
  expect(fill(guesses(17)).success).toBe(true);
  expect(fill(guesses(18)).error?.issues[0]?.message).toBe('holds more than 16 placeholders');
});

test('a field that the credential does not have is refused, with the ones that it has', () => {
  const template = parseTemplate('{{CREDENTIAL.otp}}');
  if (!template.ok) throw new Error(template.error);
  expect(checkFields(template.value, 'username_password')).toEqual({
    ok: false,
    error: 'names a field that the credential does not have: it has username, password',
  });
  expect(checkFields([{ field: 'zk_proof' }], 'identity_credential').ok).toBe(true);
});

test('a template put together again is the text it was read from', () => {
  const piece = fc.oneof(
    fc.constantFrom('{{CREDENTIAL.password}}', '{{', '}}', '{', 'CREDENTIAL', '.'),
    fc.string(),
  );
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const text = pieces.join('');
      const template = parseTemplate(text);
      if (!template.ok) return;
      const again = template.value.map((part) =>
        'text' in part ? part.text : `{{CREDENTIAL.${part.field}}}`,
      );
      expect(again.join('')).toBe(text);
      for (const field of fieldsNamed(template.value)) expect(text).toContain(`{{CREDENTIAL.${field}}}`);
    }),
  );
});

import { expect, test } from 'vitest';
import { bodyOf, draftOf, emptyDraft, faultsOf } from './draft.ts';

const now = Date.parse('2026-11-26T12:00:00Z');
const one = `0x${'a'.repeat(40)}`;
const other = `0x${'b'.repeat(40)}`;
const draft = { ...emptyDraft(one, now), legalName: 'Shop KG', domain: 'shop.example' };

test('a new record holds the address, for a year, and nothing that was only told', () => {
  expect(emptyDraft(one, now)).toMatchObject({ legalName: '', domain: '', addresses: one });
  expect(faultsOf(draft, now)).toEqual({});
  expect(bodyOf(draft)).toEqual({
    legalName: 'Shop KG',
    domain: 'shop.example',
    addresses: [{ address: one, networks: null }],
    links: [],
    registryNumbers: [],
    validUntil: '2027-11-26T23:59:59.000Z',
  });
});

test('networks of one address are gathered, and a line without one means all', () => {
  const addresses = `eip155:1:${one}\neip155:10:${one}, ${other}\neip155:1:${other}`;
  expect(bodyOf({ ...draft, addresses }).addresses).toEqual([
    { address: one, networks: ['eip155:1', 'eip155:10'] },
    { address: other, networks: null },
  ]);
});

test('what is read back is what was sent', () => {
  const body = bodyOf({
    ...draft,
    addresses: `eip155:1:${one}\n${other}`,
    registryNumbers: 'HRB 1 B\nLEI 2',
  });
  const { reason: _, ...read } = draftOf(body as never);
  expect(bodyOf({ ...read, reason: '' })).toEqual(body);
});

test('a day that is not touched keeps the time of day that stands in the record', () => {
  const validUntil = '2027-01-05T10:00:00.000Z';
  const read = draftOf({ ...bodyOf(draft), validUntil } as never);
  expect(bodyOf(read).validUntil).toBe(validUntil);
  expect(bodyOf({ ...read, lastDay: '2027-01-06' }).validUntil).toBe('2027-01-06T23:59:59.000Z');
  // Its end is over: to renew it is to change the day.
  const over = draftOf({ ...bodyOf(draft), validUntil: '2026-11-26T10:00:00.000Z' } as never);
  expect(Object.keys(faultsOf(over, now))).toEqual(['lastDay']);
});

test.each([
  ['legalName', ' '],
  ['domain', 'localhost'],
  ['addresses', ''],
  ['addresses', 'base:0x1'],
  ['links', 'http://shop.example'],
  ['lastDay', '2026-11-25'],
  ['lastDay', ''],
] as const)('%s may not be %j', (field, value) => {
  expect(Object.keys(faultsOf({ ...draft, [field]: value }, now))).toEqual([field]);
});

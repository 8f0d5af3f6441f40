import { expect, test } from 'vitest';
import { changesOf } from './changes.ts';
import { draftOf } from './draft.ts';

const [a, b, c] = ['0xA', '0xB', '0xC'] as unknown as readonly [never, never, never];
const facts = {
  legalName: 'Larkfield Ltd',
  domain: 'larkfield.example',
  addresses: [
    { address: a, networks: null },
    { address: b, networks: ['eip155:1'] },
  ],
  links: [],
  registryNumbers: ['HRB 7'],
};

test('an operator is told each thing that a submission changes about the record [dashboard.business.renew]', () => {
  expect(changesOf(facts, facts)).toEqual([]);
  const after = {
    ...facts,
    legalName: 'Larkfield plc',
    addresses: [
      { address: b, networks: null },
      { address: c, networks: null },
    ],
    registryNumbers: ['HRB 8'],
  };
  expect(changesOf(facts, after)).toEqual([
    { name: 'Address dropped', text: a },
    { name: 'Address added', text: c },
    { name: 'On eip155:1 before, now Any network', text: b },
    { name: 'Legal name before', text: 'Larkfield Ltd' },
    { name: 'Registry number dropped', text: 'HRB 7' },
    { name: 'Registry number added', text: 'HRB 8' },
  ]);
});

test('whoever submits again starts from what they submitted last [dashboard.console.business]', () => {
  expect(draftOf({ ...facts, links: ['https://a.example', 'https://b.example'] })).toEqual({
    legalName: 'Larkfield Ltd',
    domain: 'larkfield.example',
    registryNumbers: 'HRB 7',
    links: 'https://a.example\nhttps://b.example',
  });
});

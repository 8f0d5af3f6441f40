import type { Business } from '@countersign/protocol/dashboard/business';
import type { PayoutAddress } from '@countersign/protocol/dashboard/payees';

type Facts = NonNullable<Business['facts']>;

export type Change = { readonly name: string; readonly text: string };

/** Returns the changes of a submission against the current record, addresses first. */
export function changesOf(before: Facts, after: Facts): readonly Change[] {
  const was = new Map(before.addresses.map((each) => [each.address, each]));
  const is = new Map(after.addresses.map((each) => [each.address, each]));
  const kept = after.addresses.flatMap((each) => {
    const earlier = was.get(each.address);
    const [from, to] = [earlier && networksOf(earlier), networksOf(each)];
    return from === undefined || from === to
      ? []
      : [{ name: `${from} before, now ${to}`, text: each.address }];
  });
  return [
    ...before.addresses.filter(({ address }) => !is.has(address)).map(named('Address dropped')),
    ...after.addresses.filter(({ address }) => !was.has(address)).map(named('Address added')),
    ...kept,
    ...other('Legal name before', before.legalName, after.legalName),
    ...other('Domain before', before.domain, after.domain),
    ...lists('Registry number', before.registryNumbers, after.registryNumbers),
    ...lists('Link', before.links, after.links),
  ];
}

const named =
  (name: string) =>
  ({ address: text }: PayoutAddress): Change => ({ name, text });

const networksOf = ({ networks }: PayoutAddress): string =>
  networks === null ? 'Any network' : `On ${networks.toSorted().join(', ')}`;

const other = (name: string, before: string, after: string): readonly Change[] =>
  before === after ? [] : [{ name, text: before }];

const lists = (name: string, before: readonly string[], after: readonly string[]): readonly Change[] => [
  ...before.filter((text) => !after.includes(text)).map((text) => ({ name: `${name} dropped`, text })),
  ...after.filter((text) => !before.includes(text)).map((text) => ({ name: `${name} added`, text })),
];

import { decisionsOf, titleOf } from './gather.ts';

export type Item = { text: string; link?: string; items?: Item[]; collapsed?: boolean };

/** What stands beside every page, in the order in which one reads. */
const groups: readonly (readonly [string, readonly string[]])[] = [
  ['Start', ['guide/demo.md']],
  [
    'Your job',
    [
      'guide/owner.md',
      'guide/merchant.md',
      'guide/compliance.md',
      'guide/agent-developer.md',
      'guide/auditor.md',
      'guide/production.md',
    ],
  ],
  [
    'Topics',
    [
      'guide/credentials.md',
      'guide/browser-sessions.md',
      'guide/actions.md',
      'guide/sdk.md',
      'guide/lost-wallet.md',
      'examples.md',
    ],
  ],
  ['Run it', ['guide/images.md', 'operations.md', 'packages.md', 'support.md', 'changelog.md']],
  ['Trust', ['threat-model.md', 'security.md', 'architecture.md', 'glossary.md', 'contributing.md']],
];

const specification = [
  'spec/index.md',
  'spec/system.md',
  'spec/gateway.md',
  'spec/dashboard.md',
  'spec/vault.md',
  'spec/control-plane.md',
  'spec/signatures.md',
  'spec/decision-receipt.md',
  'spec/audit-log.md',
  'spec/recorded-verdict.md',
  'action-tokens.md',
  'spec/enclave-frame.md',
  'spec/connection-card.md',
];

/** Names every page but the start page; one that a group names and that is not there is an error. */
export function sidebarOf(pages: ReadonlyMap<string, string>, api: Item): Item[] {
  const item = (page: string): Item => {
    const text = pages.get(page);
    if (text === undefined) throw new Error(`the site has no page ${page}`);
    return { text: titleOf(text), link: `/${page}` };
  };
  const folded = (text: string, items: Item[]): Item => ({ text, collapsed: true, items });
  return [
    ...groups.map(([text, names]) => ({ text, items: names.map(item) })),
    folded('HTTP APIs', [item('api/index.md'), ...(api.items ?? [])]),
    folded('Specification', specification.map(item)),
    folded(
      'Decisions',
      decisionsOf(pages).map(({ page, title }) => ({ text: title, link: `/${page}` })),
    ),
  ];
}

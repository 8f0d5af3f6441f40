import { gatewayScopes, type KeyScope, keyScopes } from '@countersign/protocol/dashboard/key-scopes';
import type { ApiKey } from './life.ts';

/** The purposes of a new key, with their scopes. */
export const presets = {
  gateway: {
    name: 'Gateway',
    about:
      'Reads mandates, screens both parties, holds budget, asks you for approval and reports what it paid.',
    scopes: gatewayScopes,
  },
  accountant: {
    name: 'Accountant',
    about: 'Reads the log of this account and its totals, and nothing else.',
    scopes: ['transactions:read'],
  },
  everything: {
    name: 'Everything',
    about: 'Everything that a gateway and an accountant may do, for every wallet of this account.',
    scopes: keyScopes,
  },
} as const satisfies Readonly<
  Record<string, { readonly name: string; readonly about: string; readonly scopes: readonly KeyScope[] }>
>;
export type Preset = keyof typeof presets;
export const presetNames: Readonly<Record<Preset, string>> = {
  gateway: presets.gateway.name,
  accountant: presets.accountant.name,
  everything: presets.everything.name,
};

const sorted = (scopes: readonly KeyScope[]): string => [...scopes].sort().join(' ');

/** Returns a word for a key's scopes if a preset has exactly these; otherwise lists them. */
export function reachText({ scopes }: Pick<ApiKey, 'scopes'>): string {
  if (scopes === null) return presets.gateway.name;
  const preset = Object.values(presets).find((each) => sorted(each.scopes) === sorted(scopes));
  return preset?.name ?? scopes.join(', ');
}

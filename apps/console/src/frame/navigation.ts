import {
  AppWindow,
  ArrowLeftRight,
  Fingerprint,
  CircleCheckBig,
  Inbox,
  KeyRound,
  KeySquare,
  ListChecks,
  LayoutDashboard,
  type LucideIcon,
  ScrollText,
  Settings,
  ShieldCheck,
  Signature,
  Ticket,
} from 'lucide-react';
import { useLocation } from '@tanstack/react-router';
import { type Place, places } from '../places.ts';
import { controlPath } from '../actions/location.ts';
import { useActionsWaiting } from '../actions/waiting-count.ts';
import { usePaymentsWaiting } from '../approvals/queries.ts';
import { vaultUrl } from '../vault/location.ts';
import { useOperationsWaiting } from '../vault/sessions/waiting-count.ts';
import type { CountWaiting } from './waiting-count.tsx';

const vaultPlaces = [
  '/vault/credentials',
  '/vault/tokens',
  '/vault/sessions',
  '/vault/audit',
  '/vault/attestation',
] as const;

const controlPlaces = ['/actions', '/actions/batches'] as const;

export type Destination = {
  readonly to: Place | (typeof controlPlaces)[number] | (typeof vaultPlaces)[number];
  readonly name: string;
  readonly icon: LucideIcon;
  /** Those that wait there for a person; their number stands beside it. */
  readonly waiting?: CountWaiting;
};

/** Where one can go. On a small screen the first four stand in the bar, the others under "More". */
export const destinations: readonly Destination[] = [
  { to: places.overview, name: 'Overview', icon: LayoutDashboard },
  { to: places.mandates, name: 'Mandates', icon: Signature },
  { to: places.approvals, name: 'Approvals', icon: Inbox, waiting: usePaymentsWaiting },
  { to: places.transactions, name: 'Transactions', icon: ArrowLeftRight },
  { to: places.compliance, name: 'Compliance', icon: ShieldCheck },
  { to: places.keys, name: 'API keys', icon: KeyRound },
  { to: places.settings, name: 'Settings', icon: Settings },
];

/** The vault's pages, where there is a vault. */
const ofTheVault: readonly Destination[] = [
  { to: '/vault/credentials', name: 'Credentials', icon: KeySquare },
  { to: '/vault/tokens', name: 'Tokens', icon: Ticket },
  { to: '/vault/sessions', name: 'Sessions', icon: AppWindow, waiting: useOperationsWaiting },
  { to: '/vault/audit', name: 'Audit log', icon: ScrollText },
  { to: '/vault/attestation', name: 'Attestation', icon: Fingerprint },
];

const vaultDestinations = (): readonly Destination[] => (vaultUrl() === null ? [] : ofTheVault);

/** The control plane's pages, where there is one. */
const ofTheControlPlane: readonly Destination[] = [
  { to: '/actions', name: 'Actions', icon: CircleCheckBig, waiting: useActionsWaiting },
  { to: '/actions/batches', name: 'Approved in advance', icon: ListChecks },
];

const controlDestinations = (): readonly Destination[] => (controlPath() === null ? [] : ofTheControlPlane);

export const inTheBar = 4;

/** The pages of other services, each by its service; none of a service that is not there. */
export const serviceGroups = () =>
  [
    { name: 'Control plane', pages: controlDestinations() },
    { name: 'Vault', pages: vaultDestinations() },
  ].filter(({ pages }) => pages.length > 0);

/** How many wait on pages for which the bar of a small screen has no room. */
export const useWaitingUnderMore: CountWaiting = () =>
  (useActionsWaiting() ?? 0) + (useOperationsWaiting() ?? 0);

/** The path of the page that one is at or below; of two, the longer one. */
export function useCurrent(): string | undefined {
  const at = useLocation({ select: ({ pathname }) => pathname });
  return [destinations, controlDestinations(), vaultDestinations()]
    .flat()
    .map(({ to }) => to)
    .filter((to) => at === to || at.startsWith(`${to}/`))
    .reduce<string | undefined>(
      (longest, to) => (to.length > (longest?.length ?? 0) ? to : longest),
      undefined,
    );
}

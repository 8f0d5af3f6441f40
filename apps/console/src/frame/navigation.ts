import {
  AppWindow,
  ArrowLeftRight,
  Bot,
  Fingerprint,
  CircleCheckBig,
  Inbox,
  KeyRound,
  KeySquare,
  ListChecks,
  LayoutDashboard,
  type LucideIcon,
  RotateCcwKey,
  ScrollText,
  Settings,
  ShieldCheck,
  Signature,
  Ticket,
  Users,
} from 'lucide-react';
import { useLocation } from '@tanstack/react-router';
import type { SessionRoute } from '@countersign/protocol/dashboard/routes';
import { controlScopesOf, vaultScopesOf } from '@countersign/protocol/dashboard/elsewhere';
import { mayCall } from '@countersign/protocol/dashboard/who-may';
import { type Place, places } from '../places.ts';
import { useMay, useSession } from '../session/session.ts';
import { hasOneSignIn } from '../session/one-sign-in.ts';
import { controlPath } from '../actions/location.ts';
import { useAgentsWaiting } from '../agents/queries.ts';
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

const controlPlaces = ['/actions', '/actions/batches', '/actions/credentials'] as const;

export type Destination = {
  readonly to: Place | (typeof controlPlaces)[number] | (typeof vaultPlaces)[number];
  readonly name: string;
  readonly icon: LucideIcon;
  /** The route that one must be allowed to call for this destination to be shown. */
  readonly shows?: SessionRoute;
  /** Those that wait there for a person; their number stands beside it. */
  readonly waiting?: CountWaiting;
};

/** The destinations. A small screen shows the first four in its bar, the others under "More". */
const destinations: readonly Destination[] = [
  { to: places.overview, name: 'Overview', icon: LayoutDashboard, shows: 'getOverview' },
  { to: places.mandates, name: 'Mandates', icon: Signature, shows: 'listMandates' },
  {
    to: places.approvals,
    name: 'Approvals',
    icon: Inbox,
    shows: 'listApprovals',
    waiting: usePaymentsWaiting,
  },
  { to: places.transactions, name: 'Transactions', icon: ArrowLeftRight },
  { to: places.agents, name: 'Agents', icon: Bot, shows: 'listAgents', waiting: useAgentsWaiting },
  { to: places.compliance, name: 'Compliance', icon: ShieldCheck, shows: 'kycStatus' },
  { to: places.keys, name: 'API keys', icon: KeyRound, shows: 'listKeys' },
  { to: places.people, name: 'People', icon: Users, shows: 'listPeople' },
  { to: places.settings, name: 'Settings', icon: Settings },
];

/** Those of whoever is signed in: each role sees its own rooms. */
export function useDestinations(): readonly Destination[] {
  const { person } = useSession();
  return destinations.filter(({ shows }) => shows === undefined || mayCall(shows, person));
}

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
  { to: '/actions/batches', name: 'Batch approvals', icon: ListChecks },
  { to: '/actions/credentials', name: 'Service credentials', icon: RotateCcwKey },
];

const controlDestinations = (): readonly Destination[] => (controlPath() === null ? [] : ofTheControlPlane);

export const inTheBar = 4;

/** The pages of other services, each by its service; none of a service that is not there. */
export function useServiceGroups() {
  // They may have users of their own: they are rooms of whoever sees agents here.
  const isRoom = useMay('listAgents');
  const { roles } = useSession().person;
  if (!isRoom) return [];
  const isOpen = (scopes: readonly string[]): boolean => !hasOneSignIn() || scopes.length > 0;
  return [
    { name: 'Control plane', pages: isOpen(controlScopesOf(roles)) ? controlDestinations() : [] },
    { name: 'Vault', pages: isOpen(vaultScopesOf(roles)) ? vaultDestinations() : [] },
  ].filter(({ pages }) => pages.length > 0);
}

/** Counts the items that wait on pages outside a small screen's bar. */
export const useWaitingUnderMore: CountWaiting = () =>
  (useAgentsWaiting() ?? 0) + (useActionsWaiting() ?? 0) + (useOperationsWaiting() ?? 0);

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

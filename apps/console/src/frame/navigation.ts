import {
  AppWindow,
  ArrowLeftRight,
  Fingerprint,
  Inbox,
  KeyRound,
  KeySquare,
  LayoutDashboard,
  type LucideIcon,
  ScrollText,
  Settings,
  ShieldCheck,
  Signature,
  Ticket,
} from 'lucide-react';
import { type Place, places } from '../places.ts';
import { vaultUrl } from '../vault/location.ts';

const vaultPlaces = [
  '/vault/credentials',
  '/vault/tokens',
  '/vault/sessions',
  '/vault/audit',
  '/vault/attestation',
] as const;

export type Destination = {
  readonly to: Place | (typeof vaultPlaces)[number];
  readonly name: string;
  readonly icon: LucideIcon;
  /** Whether the number of payments that wait stands beside it. */
  readonly counted?: boolean;
};

/** Where one can go. On a small screen the first four stand in the bar, the others under "More". */
export const destinations: readonly Destination[] = [
  { to: places.overview, name: 'Overview', icon: LayoutDashboard },
  { to: places.mandates, name: 'Mandates', icon: Signature },
  { to: places.approvals, name: 'Approvals', icon: Inbox, counted: true },
  { to: places.transactions, name: 'Transactions', icon: ArrowLeftRight },
  { to: places.compliance, name: 'Compliance', icon: ShieldCheck },
  { to: places.keys, name: 'API keys', icon: KeyRound },
  { to: places.settings, name: 'Settings', icon: Settings },
];

/** The vault's pages, where there is a vault. */
const ofTheVault: readonly Destination[] = [
  { to: '/vault/credentials', name: 'Credentials', icon: KeySquare },
  { to: '/vault/tokens', name: 'Tokens', icon: Ticket },
  { to: '/vault/sessions', name: 'Sessions', icon: AppWindow },
  { to: '/vault/audit', name: 'Audit log', icon: ScrollText },
  { to: '/vault/attestation', name: 'Attestation', icon: Fingerprint },
];

export const vaultDestinations = (): readonly Destination[] => (vaultUrl() === null ? [] : ofTheVault);

export const inTheBar = 4;

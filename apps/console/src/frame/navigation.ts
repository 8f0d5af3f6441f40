import {
  ArrowLeftRight,
  Inbox,
  KeyRound,
  LayoutDashboard,
  type LucideIcon,
  Settings,
  ShieldCheck,
  Signature,
} from 'lucide-react';
import { type Place, places } from '../places.ts';

export type Destination = {
  readonly to: Place;
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

export const inTheBar = 4;

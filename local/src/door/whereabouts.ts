import type { Env } from '@countersign/service/config';
import type { PortPlan } from '../port-plan.ts';

/** Which variable lets a service of the system listen beyond loopback. */
const hosts = [
  'CONTROL_HOST',
  'DASHBOARD_HOST',
  'FACILITATOR_HOST',
  'GATEWAY_HOST',
  'SAMPLE_HOST',
  'VAULT_HOST',
] as const;
const loopback = ['127.0.0.1', 'localhost', '::1', '[::1]'];

/** The address of the door, for browsers. */
export type Whereabouts = {
  /** An address that everybody may know. It leads a browser that was let in to `origin`, and tells it to nobody else. */
  readonly porch: string;
  /** Under a name that nobody can guess: no other port of this machine is sent its cookies, nor can it set any. */
  readonly origin: string;
};

/** A new name at each start. Browsers lead everything below `localhost` to this machine by themselves (RFC 6761, 6.3). */
export const doorWhereabouts = ({ door }: PortPlan, random: (bytes: number) => Buffer): Whereabouts => ({
  porch: `http://127.0.0.1:${door}`,
  origin: `http://${nameFrom(random(22))}.localhost:${door}`,
});

const characters = 'abcdefghijklmnopqrstuvwxyz234567';
/** A character of a name for each byte: 110 bits. */
const nameFrom = (bytes: Buffer): string => [...bytes].map((byte) => characters[byte % 32]).join('');

/** Why a system with these variables of the user's has no door, in one clause; null: it may have one. */
export function whyNoDoor(env: Env): string | null {
  const exposed = hosts.find((name) => !loopback.includes(env[name]?.trim() || '127.0.0.1'));
  if (exposed !== undefined) return `${exposed} lets others than this machine in`;
  const isElsewhere = (env['DASHBOARD_PUBLIC_URL']?.trim() ?? '') !== '';
  return isElsewhere ? 'DASHBOARD_PUBLIC_URL says that the console is somewhere else' : null;
}

import type { Refusal } from '@countersign/dashboard/refusal';
import type { Outcome } from '@countersign/protocol/call';
import { type DashboardCode, dashboardCodes } from '@countersign/protocol/dashboard/codes';
import { success } from '../../apps/dashboard/test/model/reference.ts';

/** What the dashboard answers, as the gateway's client understands it. */
export type Reply = Outcome<unknown, DashboardCode>;

export const settled = success;

export const ok = (data: unknown): Extract<Reply, { kind: 'ok' }> => ({ kind: 'ok', data });

export const refused = ({ code, msg, data }: Refusal): Reply => ({
  kind: 'refused',
  status: dashboardCodes[code].http,
  code,
  msg,
  data,
});

/** The reference speaks in the numbers of the wire. */
export function replyTo(number: number, data: object = {}): Reply {
  if (number === settled) return ok(data);
  const [code] = (Object.entries(dashboardCodes) as [DashboardCode, { code: number }][]).find(
    ([, known]) => known.code === number,
  ) ?? ['SYSTEM_ERROR'];
  return refused({ code, msg: code, data });
}

import type { Alert } from '@countersign/protocol/dashboard/alerts';
import type { Approval } from '@countersign/protocol/dashboard/approvals';
import { rememberNotifications, wantsNotifications } from '../session/memory.ts';
import { moneyText } from '../ui/money.tsx';

export type NotificationState = 'on' | 'off' | 'blocked' | 'missing';

/** Returns whether the browser may tell the owner something, and whether the owner wants it to. */
export function notificationState(): NotificationState {
  if (!('Notification' in window)) return 'missing';
  if (Notification.permission === 'denied') return 'blocked';
  return Notification.permission === 'granted' && wantsNotifications() ? 'on' : 'off';
}

/** Asks the browser for permission; call it on a click only. */
export async function turnOnNotifications(): Promise<NotificationState> {
  rememberNotifications(true);
  await Notification.requestPermission();
  return notificationState();
}

export function turnOffNotifications(): NotificationState {
  rememberNotifications(false);
  return notificationState();
}

/** A payment waits. Its amount is told and no text of a service, because such a text could pretend anything. */
export function tellOfApproval({ approvalId, amount, currency, state }: Approval): void {
  if (state === 'pending')
    tell(
      'A payment is waiting for you',
      `${moneyText(amount)} ${currency.slice(0, 20)}`,
      approvalId,
      '/approvals',
    );
}

const alertTexts: Readonly<Record<Alert['kind'], string>> = {
  budget_50: 'A mandate has used 50% of its budget',
  budget_80: 'A mandate has used 80% of its budget',
  budget_100: 'A mandate has used all of its budget',
  expires_soon: 'A mandate expires within a day',
};

export function tellOfAlert({ id, kind, mandateId, seenAt }: Alert): void {
  if (seenAt === null)
    tell(alertTexts[kind], 'Open the mandate for details.', `alert-${id}`, `/mandates/${mandateId}`);
}

/** Only to who is looking elsewhere. Several windows of one browser show one notification, by its tag. */
function tell(title: string, body: string, tag: string, path: string): void {
  if (notificationState() !== 'on' || document.visibilityState === 'visible') return;
  const notification = new Notification(title, { body, tag, icon: '/icon.svg' });
  notification.addEventListener('click', () => {
    window.focus();
    window.location.assign(path);
  });
}

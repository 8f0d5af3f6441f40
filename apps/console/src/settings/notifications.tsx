import { useState } from 'react';
import { notificationState, turnOffNotifications, turnOnNotifications } from '../live/notifications.ts';
import { Button } from '../ui/button.tsx';
import { Section } from '../ui/page.tsx';

const texts = {
  off: 'Get a browser notification when a payment is waiting for you or a budget runs low, while the console is open in the background.',
  on: 'This browser notifies you when a payment is waiting for you or a budget runs low, while the console is open in the background.',
  blocked:
    'This browser blocks notifications from this site. Allow them in its site settings, then reload the page.',
  missing: 'This browser does not support notifications.',
} as const;

/** Asked for on a click only, never on arrival. */
export function Notifications() {
  const [state, setState] = useState(notificationState());
  return (
    <Section title="Notifications">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-5 py-4 text-sm">
        <p role="status" className="max-w-[56ch] text-pretty text-muted">
          {texts[state]}
        </p>
        {state === 'off' && (
          <Button onClick={() => void turnOnNotifications().then(setState)}>Turn on</Button>
        )}
        {state === 'on' && <Button onClick={() => setState(turnOffNotifications())}>Turn off</Button>}
      </div>
    </Section>
  );
}

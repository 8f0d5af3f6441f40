import { Link } from '@tanstack/react-router';
import { Compass, TriangleAlert } from 'lucide-react';
import { Button, buttonLook } from '../ui/button.tsx';
import { Message } from '../ui/message.tsx';

/** A path that is no page. */
export function Lost() {
  const home = (
    <Link to="/" className={buttonLook('plain')}>
      Go to the overview
    </Link>
  );
  return (
    <main className="grid min-h-dvh place-items-center">
      <Message icon={Compass} title="There is no such page" action={home}>
        The address may have been typed wrongly, or the page has moved.
      </Message>
    </main>
  );
}

/** A bug of ours: what can be done without knowing it. */
export function Crashed() {
  const again = <Button onClick={() => window.location.reload()}>Reload</Button>;
  return (
    <main className="grid min-h-dvh place-items-center">
      <Message icon={TriangleAlert} title="This page failed" action={again}>
        Nothing was changed by it. Reload the page; if that does not help, the dashboard may have been
        updated.
      </Message>
    </main>
  );
}

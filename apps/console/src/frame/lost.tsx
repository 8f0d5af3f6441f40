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
      <Message icon={Compass} title="Page not found" action={home}>
        The address may be mistyped, or the page may have moved.
      </Message>
    </main>
  );
}

/** A bug of ours: what can be done without knowing it. */
export function Crashed() {
  const again = <Button onClick={() => window.location.reload()}>Reload</Button>;
  return (
    <main className="grid min-h-dvh place-items-center">
      <Message icon={TriangleAlert} title="Something went wrong" action={again}>
        This error changed nothing. Reload the page. If that does not help, the dashboard may have been
        updated.
      </Message>
    </main>
  );
}

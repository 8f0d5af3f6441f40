import { ShownOnce } from '../ui/shown-once.tsx';
import type { NewInvitation } from './queries.ts';

/** The link of a new invitation, this once. What stands behind `#` reaches no server and no log. */
export const InvitationLink = ({ made, onClose }: { made: NewInvitation; onClose: () => void }) => (
  <ShownOnce
    title="Copy the link now"
    what="link"
    secret={`${window.location.origin}/join#${made.token}`}
    about="This is the only time the link is shown. It works once, within 72 hours, for whoever opens it."
    use="Send it only to this person, through a private channel. You can revoke it under “Invitations”."
    onClose={onClose}
  />
);

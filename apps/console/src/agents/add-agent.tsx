import { Button } from '../ui/button.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { SetupSteps } from './setup-steps.tsx';

/** Explains how to let another gateway pay for this account. */
export function AddAgent({ onClose }: { onClose: () => void }) {
  return (
    <Sheet title="Add an agent" onClose={onClose} actions={<Button onClick={onClose}>Done</Button>}>
      <SetupSteps />
    </Sheet>
  );
}

import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';
import { Sheet } from './sheet.tsx';

type Props = {
  readonly title: string;
  /** The button's label, as a verb: "Revoke mandate". */
  readonly submitLabel: string;
  readonly busy: boolean;
  /** Why it could not be done. */
  readonly problem: string | null;
  readonly onYes: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
};

/** Asks once more before what cannot be undone. */
export function Question({ title, submitLabel, busy, problem, onYes, onClose, children }: Props) {
  return (
    <Sheet
      title={title}
      shape="dialog"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="danger" busy={busy} onClick={onYes}>
            {submitLabel}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        {children}
        {problem !== null && <Notice tone="bad">{problem}</Notice>}
      </div>
    </Sheet>
  );
}

import { type FormEvent, type ReactNode, useId } from 'react';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';
import { Sheet } from './sheet.tsx';

type Props = {
  readonly title: string;
  /** The button's label, as a verb: "Create key". */
  readonly submitLabel: string;
  readonly danger?: boolean;
  /** The way out without doing it. */
  readonly leave?: string;
  readonly shape?: 'sheet' | 'dialog';
  readonly busy: boolean;
  /** Why it could not be done. What was typed stays. */
  readonly problem: string | null;
  readonly onSubmit: (form: HTMLFormElement) => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
};

/** A sheet that holds one form: its fields, why it was refused, and the two ways on. */
export function FormSheet({ submitLabel, danger = false, leave = 'Cancel', busy, problem, ...about }: Props) {
  const { title, shape = 'sheet', onSubmit, onClose, children } = about;
  const id = useId();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!busy) onSubmit(event.currentTarget);
  };
  return (
    <Sheet
      title={title}
      shape={shape}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{leave}</Button>
          <Button kind={danger ? 'danger' : 'primary'} submit form={id} busy={busy}>
            {submitLabel}
          </Button>
        </>
      }
    >
      <form id={id} noValidate onSubmit={submit} className="grid gap-5">
        {children}
        {problem !== null && <Notice tone="bad">{problem}</Notice>}
      </form>
    </Sheet>
  );
}

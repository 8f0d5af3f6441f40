import { type ComponentProps, type ReactNode, useId } from 'react';
import { classNames } from './class-names.ts';

type About = {
  readonly label: string;
  /** One line below the label about the effect of the value. */
  readonly hint?: string;
  /** What is wrong and how to correct it; null if nothing is. */
  readonly error?: string | null;
};

type FieldProps = Omit<ComponentProps<'input'>, 'id'> &
  About & {
    /** Shown after the value: a unit, a currency. */
    readonly unit?: ReactNode;
  };

/** A labelled text input with its hint and its error. */
export function Field({ label, hint, error = null, unit, className, ...input }: FieldProps) {
  const id = useId();
  const about = { label, error, ...(hint !== undefined && { hint }) };
  return (
    <Labelled id={id} about={about} className={className}>
      <input
        {...input}
        {...described(id, about)}
        className="figures min-w-0 flex-1 bg-transparent px-3 py-2 outline-none"
      />
      {unit !== undefined && <span className="pr-3 text-sm text-muted">{unit}</span>}
    </Labelled>
  );
}

type TextAreaProps = Omit<ComponentProps<'textarea'>, 'id'> & About;

/** A labelled text of several lines. */
export function TextArea({ label, hint, error = null, className, ...input }: TextAreaProps) {
  const id = useId();
  const about = { label, error, ...(hint !== undefined && { hint }) };
  return (
    <Labelled id={id} about={about} className={className}>
      <textarea
        rows={3}
        spellCheck={false}
        {...input}
        {...described(id, about)}
        className="min-w-0 flex-1 resize-y bg-transparent px-3 py-2 font-mono text-sm outline-none"
      />
    </Labelled>
  );
}

type LabelledProps = {
  readonly id: string;
  readonly about: About;
  readonly className: string | undefined;
  readonly children: ReactNode;
};

function Labelled({ id, about: { label, hint, error }, className, children }: LabelledProps) {
  const faulty = error !== null && error !== undefined;
  return (
    <div className={className}>
      <label htmlFor={id} className="block text-sm font-medium">
        {label}
      </label>
      {hint !== undefined && (
        <p id={`${id}-hint`} className="text-sm text-pretty text-muted">
          {hint}
        </p>
      )}
      <div
        className={classNames(
          'mt-1.5 flex min-h-10 items-center rounded-md border bg-surface',
          'focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-accent-ink',
          faulty ? 'border-bad' : 'border-line-strong',
        )}
      >
        {children}
      </div>
      {faulty && (
        <p id={`${id}-error`} className="mt-1 text-sm text-bad">
          {error}
        </p>
      )}
    </div>
  );
}

/** Ties an input to its label, hint and error for whoever cannot see them. */
function described(id: string, { hint, error }: About) {
  const faulty = error !== null && error !== undefined;
  const by = [hint !== undefined && `${id}-hint`, faulty && `${id}-error`].filter(Boolean);
  return {
    id,
    'aria-invalid': faulty || undefined,
    'aria-describedby': by.length > 0 ? by.join(' ') : undefined,
  };
}

/** Once the faults are on screen. */
export function focusFirstFault(form: HTMLFormElement): void {
  requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid]')?.focus());
}

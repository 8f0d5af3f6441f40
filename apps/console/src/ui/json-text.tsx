import { CopyableText } from './copyable-text.tsx';
import { legible } from './legible.ts';

type Props = {
  /** The accessible name. */
  readonly label: string;
  readonly value: unknown;
  /** All of it at once, however long: where somebody decides about it. */
  readonly whole?: boolean;
};

/** JSON for people: indented. */
export function JsonText({ label, value, whole = false }: Props) {
  const text = legible(JSON.stringify(value, null, 2));
  return <CopyableText label={label} text={text} copyLabel={`Copy ${label.toLowerCase()}`} whole={whole} />;
}

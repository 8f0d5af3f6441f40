import { legible } from '../../ui/legible.ts';

const placeholder = /(\{\{CREDENTIAL\.[a-z][a-z0-9_]*\}\})/;

/** Shows an agent's text with its placeholders highlighted. They are never values. */
export const Written = ({ text }: { text: string }) =>
  text.split(placeholder).map((part, index) => (
    <span
      key={index}
      className={placeholder.test(part) ? 'rounded-sm bg-accent-tint px-1 text-accent-ink' : ''}
    >
      {legible(part)}
    </span>
  ));

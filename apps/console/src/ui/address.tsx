import { CopyButton } from './copy-button.tsx';

/** First and last digits: enough to tell one's own addresses apart. The whole is one press away. */
export const shortAddress = (address: string): string => `${address.slice(0, 6)}…${address.slice(-4)}`;

/** An address where somebody decides by it: whole, because one with the same ends is made in minutes. */
export function WholeAddress({ value, name = 'address' }: { value: string; name?: string }) {
  return (
    <span className="inline-flex max-w-full items-center gap-0.5">
      <code className="min-w-0 font-mono text-[0.92em] break-all">{value}</code>
      <CopyButton text={value} label={`Copy ${name}`} />
    </span>
  );
}

/** An address, a hash or an id: shortened for the eye, whole for the clipboard. */
export function Address({ value, name = 'address' }: { value: string; name?: string }) {
  return (
    <span className="inline-flex items-center gap-0.5">
      <span className="font-mono text-[0.92em]" title={value}>
        {shortAddress(value)}
      </span>
      <CopyButton text={value} label={`Copy ${name}`} />
    </span>
  );
}

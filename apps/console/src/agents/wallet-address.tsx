import { CopyButton } from '../ui/copy-button.tsx';

type Props = {
  readonly value: string;
  /** Id of the address alone, for `aria-describedby`. */
  readonly id?: string;
};

/** A whole address in groups of four, as eyes compare them. Selected and copied, it has no gaps. */
export function WalletAddress({ value, id }: Props) {
  const groups = ['0x', ...(value.slice(2).match(/.{1,4}/g) ?? [])];
  return (
    <span className="inline-flex max-w-full items-center gap-1">
      <span id={id} className="min-w-0 font-mono text-sm [&>span:not(:last-of-type)]:mr-2">
        {groups.map((group, index) => (
          <span key={index}>
            {group}
            <wbr />
          </span>
        ))}
      </span>
      <CopyButton text={value} label="Copy address" />
    </span>
  );
}

import { legible } from '../ui/legible.ts';
import { chainName } from './chains.ts';

/** EIP-712. A domain without `chainId` is for no chain. */
type TypedData = {
  readonly domain: Readonly<Record<string, unknown>>;
  readonly primaryType: string;
  readonly types: Readonly<Record<string, readonly { readonly name: string }[]>>;
  readonly message: Readonly<Record<string, unknown>>;
};

type Props = {
  readonly typedData: TypedData;
  /** Labels next to the names that are signed. A field without a label is shown all the same. */
  readonly words: Readonly<Record<string, string>>;
};

/** The typed data itself: every field, letter for letter, in the order in which it is signed. */
export function SignedFields({ typedData, words }: Props) {
  const { domain, message, primaryType, types } = typedData;
  const fields = types[primaryType] ?? [];
  return (
    <dl className="card mt-5 divide-y divide-line" aria-label="What you sign">
      {fields.map(({ name }) => (
        <Signed key={name} label={words[name] ?? name} name={name} value={String(message[name])} />
      ))}
      <Signed
        label="Only for"
        name="domain"
        value={`${String(domain['name'])}, version ${String(domain['version'])}${chainText(domain['chainId'])}`}
      />
    </dl>
  );
}

const chainText = (chainId: unknown): string =>
  chainId === undefined ? '' : `, ${chainName(Number(chainId))} (${Number(chainId)})`;

function Signed({ label, name, value }: { label: string; name: string; value: string }) {
  return (
    <div className="px-4 py-2.5">
      <dt className="flex justify-between gap-4 text-xs text-muted">
        {label}
        <code className="font-mono">{name}</code>
      </dt>
      <dd className="figures mt-0.5 font-mono text-sm [overflow-wrap:anywhere]">{legible(value)}</dd>
    </div>
  );
}

import { mask } from './spans.ts';

/** Values as neighbours of each other and of their keys; then the same shape again with what has changed. */
export function maskJson(value: unknown, nodes: (texts: readonly string[]) => string[]): unknown {
  const leaves: Leaf[] = [];
  collect(value, leaves);
  const masked = nodes(leaves.map(({ text }) => text));
  const values = nodes(masked.filter((_, place) => leaves[place]?.kind === 'value')).values();
  const all = masked.map((text, place) =>
    leaves[place]?.kind === 'value' ? (values.next().value ?? mask) : text,
  );
  return leaves.every(({ text }, place) => text === all[place]) ? value : rebuild(value, all.values());
}

type Leaf = { readonly kind: 'key' | 'value'; readonly text: string };

function collect(value: unknown, into: Leaf[]): void {
  if (Array.isArray(value)) for (const item of value) collect(item, into);
  else if (typeof value !== 'object' || value === null) into.push({ kind: 'value', text: String(value) });
  else
    for (const [key, member] of Object.entries(value)) {
      into.push({ kind: 'key', text: key });
      collect(member, into);
    }
}

function rebuild(value: unknown, masked: Iterator<string>): unknown {
  const next = (): string => masked.next().value ?? mask;
  if (Array.isArray(value)) return value.map((item) => rebuild(item, masked));
  if (typeof value === 'object' && value !== null) {
    const members = new Map<string, unknown>();
    for (const member of Object.values(value)) {
      const key = next();
      members.set(members.has(key) ? `${key} ${members.size}` : key, rebuild(member, masked));
    }
    return Object.fromEntries(members);
  }
  const text = next();
  return text === String(value) ? value : text;
}

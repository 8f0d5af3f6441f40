import { z } from 'zod';
import type { Price } from '../downstream/prices.ts';
import { plain, shorten } from '../downstream/tool-list.ts';
import type { Token } from '../rules/tokens.ts';
import type { Proposal } from './proposal.ts';
import { searchable, type Searchable } from './search.ts';

/**
 * The result of reading a catalogue: prices of configured services, and proposals, both keyed by `toolAt`.
 */
export type Found = { readonly prices: Map<string, Price>; readonly proposals: Map<string, Searchable> };

/** The prices to look for: those of these services, in these tokens. */
export type Wanted = {
  readonly served: Served;
  readonly tokens: readonly Token[];
  readonly source: string;
};

/**
 * The services configured here: MCP services and endpoints by address, HTTP services with a document by host.
 */
export type Served = { readonly addresses: ReadonlySet<string>; readonly hosts: ReadonlySet<string> };

export const servedBy = (services: readonly URL[], spoken: readonly URL[]): Served => ({
  addresses: new Set(services.map((url) => toolAt(url, ''))),
  hosts: new Set(spoken.map(({ host }) => host)),
});

/** An MCP tool as catalogues name it: by the address of its service and its own name. Queries may hold keys. */
export const toolAt = ({ origin, pathname }: URL, toolName: string): string =>
  `${origin}${pathname.replace(/\/$/, '')} ${toolName}`;

export const isServed = (url: URL, { addresses, hosts }: Served): boolean =>
  addresses.has(toolAt(url, '')) || hosts.has(url.host);

/** A text of an item; of what is none nothing is taken, and the rest of the item counts all the same. */
export const text = z.string().max(20_000).optional().catch(undefined);

const maxProposals = 5_000;
const maxUrlChars = 300;
const maxNameChars = 80;
const maxDescriptionChars = 240;

/** Keeps what is reached by TLS, without a name and password in its address; of two for one thing the first. */
export function propose(
  proposals: Found['proposals'],
  key: string,
  { protocol, origin, pathname, username, password }: URL,
  rest: Omit<Proposal, 'url'>,
): void {
  if (proposals.size === maxProposals || proposals.has(key)) return;
  const url = origin + pathname;
  const isFit = protocol === 'https:' && username === '' && password === '' && url.length <= maxUrlChars;
  // Made ready one by one, as they arrive: all at once would hold up calls.
  if (isFit) proposals.set(key, searchable({ ...rest, url }));
}

export function cleaned(
  name: string | undefined,
  description: string | undefined,
): Pick<Proposal, 'name' | 'description'> {
  const shown = { name: oneLine(name, maxNameChars), description: oneLine(description, maxDescriptionChars) };
  return {
    ...(shown.name !== '' && { name: shown.name }),
    ...(shown.description !== '' && { description: shown.description }),
  };
}

const oneLine = (words = '', maxChars: number): string =>
  shorten(plain(words).replace(/\s+/gu, ' ').trim(), maxChars).toWellFormed();

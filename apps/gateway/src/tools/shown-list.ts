import type { ListServicesInput, ServiceList } from '@countersign/protocol/gateway/tools';
import { shorten } from '../downstream/tool-list.ts';

type Service = ServiceList['services'][number];
type Tool = Service['tools'][number];
type Detail = NonNullable<ListServicesInput['detail']>;

/** Bytes of JSON: below the first a list is shown in full; a longer one is made to fit the second, or else the third. */
const fullBytes = 40_000;
const shortBytes = 26_000;
const maxBytes = 56_000;
/**
 * Lengths to which the first sentence of a description is cut, in a list that would otherwise be too long.
 */
const sentenceChars = [160, 80, 40] as const;

/**
 * The list as an agent gets it. Unless the agent says how much it wants, it is as much as a short answer holds: all
 * tools in full, or with a sentence each, or by their names; and only where not even these fit, a page of them.
 */
export function shownList(
  services: readonly Service[],
  { detail, limit, cursor }: Pick<ListServicesInput, 'detail' | 'limit' | 'cursor'>,
): ServiceList {
  const page = pageOf(services, limit ?? Number.MAX_SAFE_INTEGER, startOf(cursor));
  if (detail !== undefined) return inForm(page, detail);
  const full = inForm(page, 'full');
  if (bytesOf(full) < fullBytes) return full;
  const summaries = sentenceChars.map((chars) => inForm(page, 'summary', chars));
  return (
    summaries.find((form) => bytesOf(form) <= shortBytes) ??
    [...summaries.slice(-1), inForm(page, 'names')].find((form) => bytesOf(form) <= maxBytes) ??
    pageOfNames(services, startOf(cursor))
  );
}

const bytesOf = (list: ServiceList): number => Buffer.byteLength(JSON.stringify(list));

/** Fewer names each time, until they fit. */
function pageOfNames(services: readonly Service[], start: number): ServiceList {
  for (let limit = 500; limit > 1; limit = Math.floor(limit / 2)) {
    const form = inForm(pageOf(services, limit, start), 'names');
    if (bytesOf(form) <= maxBytes) return form;
  }
  return inForm(pageOf(services, 1, start), 'names');
}

/** A cursor is the number of tools before it: whoever makes one up gets another page, and nothing else. */
const startOf = (cursor: string | undefined): number =>
  /^[0-9]{1,9}$/.test(cursor ?? '') ? Number(cursor) : 0;

type Page = { readonly services: readonly Service[]; readonly next: number | null; readonly total: number };

/** Services without tools are told on the first page. */
function pageOf(services: readonly Service[], limit: number, start: number): Page {
  let before = 0;
  const shown = services.flatMap((service) => {
    const from = Math.max(0, start - before);
    const tools = service.tools.slice(from, Math.max(from, start + limit - before));
    before += service.tools.length;
    const isTold = tools.length > 0 || (start === 0 && service.tools.length === 0);
    return isTold ? [{ ...service, tools }] : [];
  });
  const end = start + limit;
  return { services: shown, next: end < before ? end : null, total: before };
}

function inForm({ services, next, total }: Page, detail: Detail, chars?: number): ServiceList {
  const shown = services.map((service) => forms[detail](service, chars));
  const count = shown.reduce((sum, { tools }) => sum + tools.length, 0);
  const note = noteOf(detail, count, total, next !== null);
  return {
    services: shown,
    ...(note !== null && { note }),
    ...(next !== null && { nextCursor: String(next) }),
  };
}

const forms: Readonly<Record<Detail, (service: Service, chars?: number) => Service>> = {
  full: (service) => service,
  summary: (service, chars = sentenceChars[0]) => ({
    ...service,
    ...(service.instructions !== undefined && { instructions: shorten(service.instructions, 3 * chars) }),
    tools: service.tools.map(({ name, description = '', ...tool }) => ({
      name,
      description: shorten(firstSentence(description), chars),
      ...priced(tool),
    })),
  }),
  names: (service) => ({
    ...withoutInstructions(service),
    tools: service.tools.map(({ name, ...tool }) => ({
      name,
      ...priced(tool),
    })),
  }),
};

function withoutInstructions(service: Service): Service {
  const { instructions: _, ...rest } = service;
  return rest;
}

/**
 * Returns the price to show; nothing if it is unknown. Its source is named unless it is the service itself.
 */
const priced = ({
  paid,
  price,
  currency,
  priceFrom,
}: Pick<Tool, 'paid' | 'price' | 'currency' | 'priceFrom'>): Partial<Tool> => ({
  ...(paid !== undefined && { paid }),
  ...(price !== undefined && { price }),
  ...(currency !== undefined && { currency }),
  ...(priceFrom === 'discovery' && { priceFrom }),
});

const firstSentence = (text: string): string => /^.*?[.!?](?=\s|$)|^[^\n]*/.exec(text.trim())?.[0] ?? '';

function noteOf(detail: Detail, shown: number, total: number, isPage: boolean): string | null {
  if (detail === 'full' && !isPage) return null;
  const what = isPage ? `${shown} of ${total} tools; nextCursor has the rest.` : `${total} tools.`;
  const how =
    'For inputSchema and full descriptions call list_gateway_services with serviceId, with query, or with detail "full".';
  return detail === 'full' ? what : `Short form: ${what} ${how}`;
}

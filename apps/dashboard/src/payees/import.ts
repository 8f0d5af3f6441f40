import { type ImportFault, type PayeeFacts, payeeFacts } from '@countersign/protocol/dashboard/payees';
import { fail, ok, type Result } from '@countersign/protocol/result';
import { readCsv } from './csv.ts';

const columns = {
  legal_name: 'legalName',
  domain: 'domain',
  addresses: 'addresses',
  valid_until: 'validUntil',
  links: 'links',
  registry_numbers: 'registryNumbers',
} as const;
type Column = keyof typeof columns;

const needed: readonly Column[] = ['legal_name', 'domain', 'addresses', 'valid_until'];
const maxRows = 500;
export const maxFaults = 100;

/** A row of the file with what it says; the header is row 1. */
export type ImportedRow = { readonly row: number; readonly facts: PayeeFacts };

/**
 * Returns the rows of a CSV file, or all its faults, up to 100. A file with a fault is not imported at all.
 */
export function readImport(csv: string): Result<readonly ImportedRow[], readonly ImportFault[]> {
  // Blank rows say nothing, and count: a fault is looked for by the number that a spreadsheet shows.
  const [header, ...rows] = (readCsv(csv) ?? [])
    .map((fields, n) => ({ at: n + 1, fields }))
    .filter(({ fields }) => fields.length > 1 || fields[0]?.trim() !== '');
  if (header === undefined) return fail([fault(1, null, 'must be CSV with a header and closed quotes')]);
  const names = header.fields.map((name) => name.trim().toLowerCase());
  const wrong = [
    ...needed.filter((name) => !names.includes(name)).map((name) => fault(1, name, 'is missing')),
    ...names.filter((name, n) => !isColumn(name) || names.indexOf(name) !== n).map(strangeColumn),
    ...(rows.length === 0 ? [fault(1, null, 'no row follows the header')] : []),
    ...(rows.length > maxRows ? [fault(1, null, `has more than ${maxRows} rows`)] : []),
  ];
  if (wrong.length > 0) return fail(wrong.slice(0, maxFaults));
  const read = rows.map(({ at, fields }) => readRow(names as readonly Column[], fields, at));
  const faults = [...read.flatMap((each) => (each.ok ? [] : each.error)), ...repeated(read)];
  return faults.length > 0
    ? fail(faults.slice(0, maxFaults))
    : ok(read.flatMap((each) => (each.ok ? [each.value] : [])));
}

function readRow(
  names: readonly Column[],
  row: readonly string[],
  at: number,
): Result<ImportedRow, readonly ImportFault[]> {
  if (row.length !== names.length)
    return fail([fault(at, null, `has ${row.length} fields, the header ${names.length}`)]);
  const given = (name: Column): string => row[names.indexOf(name)]?.trim() ?? '';
  const parsed = payeeFacts.safeParse({
    legalName: given('legal_name'),
    domain: given('domain'),
    addresses: readAddresses(words(given('addresses'))),
    links: words(given('links')),
    registryNumbers: given('registry_numbers')
      .split(';')
      .map((each) => each.trim())
      .filter((each) => each !== ''),
    validUntil: wholeTime(given('valid_until')),
  });
  if (parsed.success) return ok({ row: at, facts: parsed.data });
  const faulty = new Map(parsed.error.issues.map(({ path, message }) => [columnOf(path[0]), message]));
  const empty = (name: Column | null) => name !== null && needed.includes(name) && given(name) === '';
  return fail([...faulty].map(([name, message]) => fault(at, name, empty(name) ? 'is missing' : message)));
}

/** CAIP-10 names the network, and each network of an address is one of them; a bare address is for any. */
function readAddresses(all: readonly string[]): readonly object[] {
  const found = new Map<string, { address: string; networks: readonly string[] | null }>();
  for (const text of all) {
    const colon = text.lastIndexOf(':');
    const address = text.slice(colon + 1);
    const key = address.toLowerCase();
    const known = found.get(key);
    const networks =
      colon < 0 || known?.networks === null
        ? null
        : [...new Set([...(known?.networks ?? []), text.slice(0, colon)])];
    found.set(key, { address, networks });
  }
  return [...found.values()];
}

const words = (text: string): readonly string[] => text.split(/\s+/).filter((each) => each !== '');

/** A day ends as it ends in UTC. */
const wholeTime = (text: string): string => (/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T23:59:59Z` : text);

/** Rows of one file that claim one address. */
function repeated(read: readonly Result<ImportedRow, readonly ImportFault[]>[]): readonly ImportFault[] {
  const first = new Map<string, number>();
  return read.flatMap((each) => {
    if (!each.ok) return [];
    const { row, facts } = each.value;
    return facts.addresses.flatMap(({ address }) => {
      const earlier = first.get(address);
      if (earlier === undefined) first.set(address, row);
      return earlier === undefined ? [] : [fault(row, 'addresses', `row ${earlier} claims ${address} too`)];
    });
  });
}

const fault = (row: number, field: string | null, problem: string): ImportFault => ({ row, field, problem });

const strangeColumn = (): ImportFault => fault(1, null, 'has a column twice, or one that is not known');

const isColumn = (name: string): name is Column => Object.hasOwn(columns, name);

const columnOf = (key: unknown): Column | null =>
  (Object.keys(columns) as Column[]).find((name) => columns[name] === key) ?? null;

import type { ServiceResult } from '@countersign/protocol/dashboard/transaction';

const scopes = ['myPayer', 'myPayee', 'all'] as const;
const results = ['pass', 'reject', 'error'] as const satisfies readonly ServiceResult[];
const periods = ['today', 'week', 'month'] as const;

export type TransactionsSearch = {
  /** Absent: payments from and to the account. `all`: of everybody, for operators. */
  readonly scope?: (typeof scopes)[number];
  /** Absent: what counts. Else what the other party merely claims. */
  readonly standing?: 'claimed';
  readonly result?: ServiceResult;
  readonly service?: string;
  readonly tool?: string;
  readonly agent?: string;
  readonly reason?: string;
  readonly chain?: string;
  readonly hash?: string;
  /** Only with `all`: payments from and to this wallet. */
  readonly wallet?: string;
  /** Absent, without `from` and `to` too: since the beginning. */
  readonly period?: (typeof periods)[number];
  /** The first and the last day of a range of the reader's own, as `2026-11-21`. */
  readonly from?: string;
  readonly to?: string;
  readonly page?: number;
  /** The record that is open beside the list. */
  readonly open?: number;
};

const texts = { service: 64, tool: 128, agent: 128, reason: 64, chain: 20, hash: 128 } as const;

/** Reads the filters from the address; what does not fit is left out. */
export function readTransactionsSearch(search: Record<string, unknown>): TransactionsSearch {
  const oneOf = <T extends string>(name: string, known: readonly T[]) => {
    const found = known.find((each) => each === search[name]);
    return found === undefined ? {} : { [name]: found };
  };
  const text = (name: keyof typeof texts) => {
    const raw = search[name];
    const value = typeof raw === 'string' || typeof raw === 'number' ? String(raw).trim() : '';
    return value === '' || value.length > texts[name] ? {} : { [name]: value };
  };
  const day = (name: 'from' | 'to'): { from?: string; to?: string } => {
    const value = search[name];
    return typeof value === 'string' && isDay(value) ? { [name]: value } : {};
  };
  const whole = (name: string, least: number) => {
    const value = Number(search[name]);
    return Number.isSafeInteger(value) && value >= least ? { [name]: value } : {};
  };
  const { from, to } = { ...day('from'), ...day('to') };
  const isRange = from !== undefined || to !== undefined;
  return {
    ...oneOf('scope', scopes),
    ...(search['scope'] !== 'all' && oneOf('standing', ['claimed'] as const)),
    ...oneOf('result', results),
    ...text('service'),
    ...text('tool'),
    ...text('agent'),
    ...text('reason'),
    ...text('chain'),
    ...text('hash'),
    ...(search['scope'] === 'all' && wallet(search['wallet'])),
    ...(isRange ? inOrder(from, to) : oneOf('period', periods)),
    ...whole('page', 2),
    ...whole('open', 1),
  };
}

const wallet = (value: unknown): { wallet?: string } =>
  typeof value === 'string' && /^0x[0-9a-f]{40}$/i.test(value.trim()) ? { wallet: value.trim() } : {};

const isDay = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.slice(0, 10) === text;

/** A range that ends before it begins keeps its beginning only. */
const inOrder = (from: string | undefined, to: string | undefined) => ({
  ...(from !== undefined && { from }),
  ...(to !== undefined && (from === undefined || from <= to) && { to }),
});

const daysBack = { today: 0, week: 6, month: 29 } as const;

/** The filters as the API takes them. Days are the reader's own; the last of them is today. */
export function filterOf(search: TransactionsSearch, now: Date) {
  const { scope = 'myAll' as const, standing, result, period, from, to, wallet } = search;
  return {
    scope,
    ...(standing !== undefined && { standing }),
    ...(result !== undefined && { serviceResult: result }),
    ...textsOf(search),
    ...(wallet !== undefined && { walletAddress: wallet }),
    ...(period !== undefined && { startDate: startOfDay(now, -daysBack[period]).toISOString() }),
    ...(from !== undefined && { startDate: startOfDay(dayOf(from), 0).toISOString() }),
    ...(to !== undefined && { endDate: startOfDay(dayOf(to), 1).toISOString() }),
  };
}

const textsOf = ({ service, tool, agent, reason, chain, hash }: TransactionsSearch) => ({
  ...(service !== undefined && { serviceName: service }),
  ...(tool !== undefined && { toolName: tool }),
  ...(agent !== undefined && { agent }),
  ...(reason !== undefined && { reason }),
  ...(chain !== undefined && { chain }),
  ...(hash !== undefined && { txHash: hash }),
});

/** Returns the start of a day in the reader's time zone, `days` later or, if negative, earlier. */
const startOfDay = (now: Date, days: number): Date =>
  new Date(now.getFullYear(), now.getMonth(), now.getDate() + days);

const dayOf = (text: string): Date => new Date(`${text}T00:00:00`);

/** Counts the filters in use, without the scope. */
export const countFilters = ({
  result,
  service,
  tool,
  agent,
  reason,
  chain,
  hash,
  wallet,
  period,
  from,
  to,
}: TransactionsSearch): number =>
  [result, service, tool, agent, reason, chain, hash, wallet, period ?? from ?? to].filter(
    (each) => each !== undefined,
  ).length;

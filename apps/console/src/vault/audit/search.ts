export type AuditSearch = {
  readonly credential?: string;
  readonly agent?: string;
  /** `user:NAME` for a person, `token:ID` for a token. */
  readonly who?: string;
  readonly session?: string;
  /** Id of the record that is opened. */
  readonly record?: string;
  /** First and last day, as `2026-11-21`, the reader's own. */
  readonly from?: string;
  readonly to?: string;
  readonly page?: number;
};

const texts = ['credential', 'agent', 'who', 'session', 'record'] as const;
const isDay = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));

/** Reads the filters from the address; what does not fit is left out. */
export function readAuditSearch(search: Record<string, unknown>): AuditSearch {
  const text = (name: string) => {
    const value = search[name];
    return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
  };
  const given = texts.flatMap((name) => {
    const value = text(name);
    return value === '' || value.length > 512 ? [] : [[name, value] as const];
  });
  const [from, to] = [text('from'), text('to')];
  const page = Number(search['page']);
  return {
    ...Object.fromEntries(given),
    ...(isDay(from) && { from }),
    ...(isDay(to) && { to }),
    ...(Number.isSafeInteger(page) && page >= 2 && { page }),
  };
}

/** The filters as the vault takes them; both ends are part of the range. */
export const auditFilterOf = ({ credential, agent, who, session, from, to }: AuditSearch) => ({
  ...(credential !== undefined && { credentialId: credential }),
  ...(agent !== undefined && { agentDid: agent }),
  ...(who !== undefined && { actor: who }),
  ...(session !== undefined && { sessionId: session }),
  ...(from !== undefined && { from: new Date(`${from}T00:00:00`).toISOString() }),
  ...(to !== undefined && { to: new Date(`${to}T23:59:59.999`).toISOString() }),
});

export const isNarrowed = (search: AuditSearch): boolean =>
  Object.keys(search).some((name) => name !== 'page' && name !== 'record');

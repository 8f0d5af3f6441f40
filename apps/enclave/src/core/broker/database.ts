import { isIP } from 'node:net';
import { isUrl } from '@countersign/protocol/url';

export type Database = {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly name: string;
  readonly isTls: boolean;
};

/**
 * Reads `postgres://user:password@host:port/database?sslmode=…`; null for what is none. TLS is spoken, and the server
 * proves who it is, unless `sslmode` is `disable`, or there is none and the database is on this very machine.
 */
export function databaseOf(text: string): Database | null {
  if (!isUrl(text)) return null;
  const url = new URL(text);
  if (!/^postgres(ql)?:$/.test(url.protocol) || url.hostname === '') return null;
  try {
    const host = decodeURIComponent(url.hostname).replace(/^\[(.*)\]$/, '$1');
    const user = decodeURIComponent(url.username);
    const sslmode = url.searchParams.get('sslmode');
    return {
      host,
      port: Number(url.port || 5432),
      user,
      password: decodeURIComponent(url.password),
      name: decodeURIComponent(url.pathname.slice(1)) || user,
      isTls: sslmode === null ? !isThisMachine(host) : sslmode !== 'disable',
    };
  } catch {
    return null;
  }
}

const isThisMachine = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));

import { readFileSync } from 'node:fs';
import { fail, ok, type Result } from '@countersign/protocol/result';
import { isUrl, parseUrl } from '@countersign/protocol/url';

export type Env = Readonly<Record<string, string | undefined>>;

/** Reads one variable: gives its value, or says in one clause what it may be. */
type Reader<T> = (text: string) => Result<T, string>;

/**
 * Environment variables, read so that every error is told at once. Each reader notes a bad variable and
 * goes on; `finish` gives the configuration only when nothing was noted. An empty variable counts as unset.
 */
export class Variables {
  readonly #env: Env;
  readonly #errors: string[] = [];

  constructor(env: Env) {
    this.#env = env;
  }

  optional<T>(name: string, read: Reader<T>): T | undefined {
    const text = this.#env[name]?.trim();
    if (text === undefined || text === '') return undefined;
    const result = read(text);
    if (result.ok) return result.value;
    this.refuse(name, result.error);
    return undefined;
  }

  withDefault<T>(name: string, otherwise: T, read: Reader<T>): T {
    return this.optional(name, read) ?? otherwise;
  }

  /** Notes a missing variable. The value given back then is never used, because `finish` fails. */
  required<T>(name: string, read: Reader<T>, hint: string): T {
    const value = this.optional(name, read);
    if (value === undefined && (this.#env[name] ?? '').trim() === '')
      this.refuse(name, `is required: ${hint}`);
    return value as T;
  }

  /** Refuses a variable by a rule across several. `what` never repeats a value, which may be a secret. */
  refuse(name: string, what: string): void {
    this.#errors.push(`${name} ${what}`);
  }

  finish<T>(config: T): Result<T, readonly string[]> {
    return this.#errors.length === 0 ? ok(config) : fail(this.#errors);
  }
}

export const text: Reader<string> = ok;

export const integer =
  (min: number, max: number): Reader<number> =>
  (value) => {
    const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
    return number >= min && number <= max ? ok(number) : fail(`must be an integer from ${min} to ${max}`);
  };

export const oneOf =
  <T extends string>(...words: readonly T[]): Reader<T> =>
  (value) => {
    const word = words.find((candidate) => candidate === value);
    return word === undefined ? fail(`must be one of ${words.join(', ')}`) : ok(word);
  };

/** An absolute URL of one of the given schemes, without user or password. */
export const url =
  (...protocols: readonly string[]): Reader<URL> =>
  (value) => {
    const wanted = `must be a URL that begins with ${protocols.map((p) => `${p}//`).join(' or ')}`;
    if (!isUrl(value)) return fail(wanted);
    const parsed = new URL(value);
    if (!protocols.includes(parsed.protocol)) return fail(wanted);
    return parsed.username === '' && parsed.password === ''
      ? ok(parsed)
      : fail('must not contain a user name or password');
  };

/** The URL of a PostgreSQL database. Unlike other URLs it may carry a password, which is why it is never shown. */
export const databaseUrl: Reader<string> = (value) => {
  if (!/^postgres(ql)?:\/\//.test(value)) return fail('must be a URL that begins with postgres://');
  const parsed = parseUrl(value);
  // A "/" in a password ends the host: what comes before the colon is taken for it, and what comes behind for a port.
  const isCut =
    parsed === null || (parsed.username === '' && parsed.port !== '' && parsed.pathname.includes('@'));
  return isCut
    ? fail('is no URL: percent-encode the password in it ("/" is %2F, "@" is %40, "#" is %23)')
    : ok(value);
};

/** Reads a file of certificates or keys. */
export function pemFile(path: string): Result<string, string> {
  try {
    const pem = readFileSync(path, 'utf8');
    return pem.includes('-----BEGIN ') ? ok(pem) : fail('must name a file in PEM');
  } catch {
    return fail('must name a file that can be read');
  }
}

/** Comma-separated items, each read by `item`; blanks around them do not count. */
export const listOf =
  <T>(item: Reader<T>): Reader<readonly T[]> =>
  (value) => {
    const items: T[] = [];
    for (const part of value.split(',').map((p) => p.trim())) {
      if (part === '') return fail('must be a comma-separated list without empty items');
      const result = item(part);
      if (!result.ok) return result;
      items.push(result.value);
    }
    return ok(items);
  };

/**
 * Returns whether traces are exported. Where to and how is read by OpenTelemetry itself, from its own
 * variables.
 */
export const exportsTraces = (variables: Variables): boolean =>
  variables.optional('OTEL_EXPORTER_OTLP_ENDPOINT', url('http:', 'https:')) !== undefined;

/** Tells every error on stderr, one a line, and ends the process with code 2. */
export function exitOnBadConfig<T>(service: string, config: Result<T, readonly string[]>): T {
  if (config.ok) return config.value;
  process.stderr.write(`${service}: the configuration has ${config.error.length} error(s)\n`);
  for (const error of config.error) process.stderr.write(`  ${error}\n`);
  process.stderr.write(`Run "countersign ${service} --variables" for all variables.\n`);
  process.exit(2);
}

import pino, { type Logger as PinoLogger } from 'pino';
import pretty from 'pino-pretty';

export type Logger = PinoLogger;

/** Field names whose values never reach a log, wherever in the first two levels they stand. */
const secrets = [
  'apiKey',
  'privateKey',
  'authorization',
  'cookie',
  'token',
  'password',
  'signature',
  'secret',
];

/** JSON lines on stderr, readable ones on a terminal. stdout stays free: a stdio MCP server speaks there. */
export function createLogger(service: string, level: string = 'info'): Logger {
  const options = {
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: secrets.flatMap((name) => [name, `*.${name}`]), censor: '[secret]' },
  };
  const destination = process.stderr.isTTY
    ? pretty({
        destination: 2,
        sync: true,
        ignore: 'pid,hostname,service',
        messageFormat: `${service}: {msg}`,
      })
    : pino.destination({ dest: 2, sync: true });
  return pino(options, destination);
}

import type { Logger } from './logger.ts';
import { silentTracer, type Tracer } from './trace.ts';

/** A running service. `stop` finishes requests in flight, then resolves; calling it twice is harmless. */
export type Service = { readonly stop: () => Promise<void> };

const stopDeadlineMs = 7_800;
/** The longest delay that setInterval accepts, in milliseconds. */
const maxTimerMs = 2 ** 31 - 1;

/**
 * Runs a service until SIGTERM, SIGINT or the parent process's end, then stops it within 8 s, even if it is still starting.
 * A failed start logs one line and exits with code 1. Remaining spans are exported last.
 */
export async function runService(
  log: Logger,
  start: () => Promise<Service>,
  tracer: Tracer = silentTracer,
): Promise<void> {
  const ending = untilToldToStop();
  // INVARIANT: a timer keeps the event loop alive until the end; otherwise a process that only waits for its signal would
  // exit with code 13 before the signal arrives.
  setInterval(() => {}, maxTimerMs);
  void ending.then(() => exitIn(stopDeadlineMs, log));
  process.on('unhandledRejection', (error) => {
    log.fatal({ err: error }, 'unhandled rejection');
    process.exit(1);
  });
  let service: Service;
  try {
    service = await start();
  } catch (error) {
    log.fatal(sayWhy(error));
    process.exit(1);
  }
  log.info(`stopping: ${await ending}`);
  await service.stop();
  await tracer.stop();
  process.exit(0);
}

function exitIn(ms: number, log: Logger): void {
  setTimeout(() => {
    log.error('did not stop within 8 s');
    process.exit(1);
  }, ms).unref();
}

/** PostgreSQL, Appendix A. */
const diskFull = '53100';

/** Prints one line about an error: its message, never its stack. */
export function sayWhy(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ('code' in error && error.code === diskFull) return 'the disk of PostgreSQL is full';
  const code =
    'code' in error && typeof error.code === 'string' && !error.message.includes(error.code)
      ? ` (${error.code})`
      : '';
  return `${error.message || error.name}${code}`;
}

/** Resolves with the reason to stop. Children of `npm start` have an IPC channel, which closes however the parent ends. */
function untilToldToStop(): Promise<string> {
  return new Promise((resolve) => {
    process.once('SIGTERM', () => resolve('SIGTERM'));
    process.once('SIGINT', () => resolve('SIGINT'));
    process.once('disconnect', () => resolve('the parent process ended'));
  });
}

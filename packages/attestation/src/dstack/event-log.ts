import { hash } from 'node:crypto';
import { z } from 'zod';
import { fails, holds, missing, type Step, told } from '@countersign/audit-log/verify/report';
import { hexText } from '../hex.ts';

const event = z.object({
  /** Which register was extended, RTMR0 to RTMR3. */
  imr: z.int().min(0).max(3),
  event_type: z.int().min(0).max(0xffff_ffff),
  /** SHA-384; may be left out where it follows from the rest. */
  digest: hexText.refine((text) => text === '' || text.length === 96),
  event: z.string(),
  event_payload: hexText,
  /** The version of the digest's format; 1 if absent. */
  version: z.literal([1, 2]).optional(),
  preimage: hexText.nullish(),
});
type Event = z.infer<typeof event>;

const maxEvents = 10_000;
const log = z.array(event).max(maxEvents);

/** The run-time measurements of dstack in RTMR3, by name; payloads in hex. */
export type Replayed = {
  readonly steps: readonly Step[];
  readonly events: ReadonlyMap<string, string>;
};

/**
 * Replays dstack's event log and compares the outcome with the registers of the quote. `given` is its text or what is
 * parsed from it.
 */
export function replayEventLog(given: unknown, registers: Readonly<Record<string, string>>): Replayed {
  const events = readLog(given);
  if (events === null) return { steps: [fails('the event log cannot be read')], events: new Map() };
  const changed = events.findIndex(
    (one) => one.digest !== '' && isRunTime(one) && one.digest !== digestOf(one),
  );
  if (changed >= 0)
    return { steps: [fails(`event ${changed} does not have the digest that it claims`)], events: new Map() };
  const wrong = [0, 1, 2, 3].filter((imr) => replay(events, imr) !== registers[`rtmr${imr}`]);
  if (wrong.length > 0) {
    const names = wrong.map((imr) => `RTMR${imr}`).join(', ');
    return {
      steps: [fails(`the event log does not match what was measured: ${names} differ`)],
      events: new Map(),
    };
  }
  const measured = runTimeEvents(events);
  return {
    steps: [
      holds(`the ${events.length} events of the log give RTMR0 to RTMR3 of the quote`),
      ...identityNames.map((name) => identityStep(name, measured.get(name))),
    ],
    events: measured,
  };
}

/** The application's identity among the measurements; empty when no log was replayed. */
export const dstackIdentity = (replayed: Replayed | null): Readonly<Record<string, string>> =>
  Object.fromEntries(
    identityNames.flatMap((name) => {
      const value = replayed?.events.get(name);
      return value === undefined ? [] : [[name, value]];
    }),
  );

const identityNames = ['compose-hash', 'app-id'] as const;

const identityStep = (name: string, value: string | undefined): Step =>
  value === undefined ? missing(`the event log has no ${name}`) : told(`${name} ${value}`);

function readLog(given: unknown): readonly Event[] | null {
  try {
    const parsed = log.safeParse(typeof given === 'string' ? JSON.parse(given) : given);
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** Events that dstack writes; those of the firmware before it have only their digest. */
const runTimeType = 0x0800_0001;
const isRunTime = ({ imr, event_type }: Event): boolean => imr === 3 && event_type === runTimeType;

/** dstack's `cc-eventlog`: version 1 joins the parts by colons, version 2 takes RFC 8785 text. */
function digestOf({ event, event_payload, version }: Event): string {
  const payload = event_payload.toLowerCase();
  if (version === 2)
    return hash('sha384', JSON.stringify({ name: event, payload, type: runTimeType }), 'hex');
  const type = Buffer.alloc(4);
  type.writeUInt32LE(runTimeType);
  return hash('sha384', Buffer.concat([type, Buffer.from(`:${event}:`), Buffer.from(payload, 'hex')]), 'hex');
}

const replay = (events: readonly Event[], imr: number): string =>
  events
    .filter((one) => one.imr === imr)
    .reduce((register, one) => {
      const digest = isRunTime(one) ? digestOf(one) : one.digest;
      return hash('sha384', Buffer.concat([register, Buffer.from(digest, 'hex')]), 'buffer');
    }, Buffer.alloc(48) as Buffer)
    .toString('hex');

/** The first of each name counts: later ones the application may have written itself. */
function runTimeEvents(events: readonly Event[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const one of events.filter(isRunTime))
    if (!found.has(one.event)) found.set(one.event, one.event_payload.toLowerCase());
  return found;
}

import { join } from 'node:path';
import { open, type RootDatabase } from 'lmdb';
import { besideName, changedFields, type Field, type Fingerprint } from './definition.ts';
import { makeFolder } from '@countersign/service/make-folder';

export type OfferedTool = {
  readonly name: string;
  readonly fingerprint: Fingerprint;
  /** The definition as it may be shown to a person. */
  readonly shown: string;
};

/** A definition that is not the accepted one, and waits for a person. */
export type WaitingTool = OfferedTool & { readonly changed: readonly Field[] };

export type Judgement = {
  /** Not to be called, by name. */
  readonly changed: ReadonlyMap<string, WaitingTool>;
  /** The ones among them that were not waiting before. */
  readonly news: readonly WaitingTool[];
  /** Seen for the first time and accepted, while other tools of the service were known already. */
  readonly added: readonly string[];
};

/**
 * What was accepted of each tool of each service. All gateways on one state directory share it, and so does
 * `countersign gateway accept`. `service` is a key of ours, see `serviceKey`.
 */
export type Pins = {
  /** Holds the tools of a listing against what was accepted; the first definition of a name is accepted. */
  readonly judge: (service: string, tools: readonly OfferedTool[]) => Promise<Judgement>;
  /** Returns whether this very definition has been accepted meanwhile. */
  readonly isAccepted: (service: string, tool: OfferedTool) => boolean;
  /** Remembers under which id agents and the owner know a service. */
  readonly nameService: (service: string, serviceId: string) => Promise<void>;
  /** Accepts what waits of the service with this id: one tool, or all if `toolName` is null. Null: no such service. */
  readonly accept: (serviceId: string, toolName: string | null) => Promise<readonly WaitingTool[] | null>;
  readonly close: () => Promise<void>;
};

export const pinsFile = (dir: string): string => join(dir, 'tools.mdb');

/** No honest service has had this many tools; further names are not accepted at sight, so that the store is bounded. */
const maxPins = 4096;

/** Opens the pins in `dir`. */
export function openPins(dir: string): Pins {
  makeFolder(dir, 0o700);
  const db = open({ path: pinsFile(dir) });
  return {
    async judge(service, tools) {
      let judgement: Judgement = { changed: new Map(), news: [], added: [] };
      await db.transaction(() => {
        judgement = judgeListing(db, service, tools);
      });
      return judgement;
    },
    isAccepted(service, { name, fingerprint }) {
      // Another process may have accepted it a moment ago.
      db.resetReadTxn();
      return pinOf(db, service, name)?.hash === fingerprint.hash;
    },
    async nameService(service, serviceId) {
      if (db.get(['service', serviceId]) !== service) await db.put(['service', serviceId], service);
    },
    async accept(serviceId, toolName) {
      const service = db.get(['service', serviceId]) as string | undefined;
      if (service === undefined) return null;
      let accepted: readonly WaitingTool[] = [];
      await db.transaction(() => {
        accepted = waitingOf(db, service).filter(({ name }) => toolName === null || name === toolName);
        for (const { name, fingerprint } of accepted) {
          void db.put(['pin', service, name], fingerprint);
          void db.remove(['waiting', service, name]);
        }
      });
      await db.flushed;
      return accepted;
    },
    close: async () => {
      await db.flushed;
      await db.close();
    },
  };
}

function judgeListing(db: RootDatabase, service: string, tools: readonly OfferedTool[]): Judgement {
  const pins = pinsOf(db, service);
  const before = new Map(waitingOf(db, service).map((tool) => [tool.name, tool.fingerprint.hash]));
  const listed = new Set(tools.map(({ name }) => name));
  const earlierName = byContent([...pins].filter(([name]) => !listed.has(name)).map(([, pin]) => pin));
  const changed = new Map<string, WaitingTool>();
  const added: string[] = [];
  for (const tool of tools) {
    const pin = pins.get(tool.name) ?? earlierName(tool.fingerprint);
    if (pin === undefined && pins.size + added.length < maxPins) {
      void db.put(['pin', service, tool.name], tool.fingerprint);
      added.push(tool.name);
    } else if (pin?.hash !== tool.fingerprint.hash) {
      const fields = pin === undefined ? (['name'] as const) : changedFields(pin, tool.fingerprint);
      changed.set(tool.name, { ...tool, changed: fields });
    }
  }
  // What is not listed any more, or is again as it was, waits for nobody.
  for (const name of before.keys()) if (!changed.has(name)) void db.remove(['waiting', service, name]);
  const news = [...changed.values()].filter((tool) => before.get(tool.name) !== tool.fingerprint.hash);
  for (const tool of news) void db.put(['waiting', service, tool.name], tool);
  return { changed, news, added: pins.size === 0 ? [] : added };
}

/** Finds the first with the content of another. A service decides how many there are, and how many are looked for. */
function byContent(pins: readonly Fingerprint[]): (wanted: Fingerprint) => Fingerprint | undefined {
  const found = new Map<string | null, Fingerprint>();
  for (const pin of pins) {
    const content = besideName(pin);
    if (content !== null && !found.has(content)) found.set(content, pin);
  }
  return (wanted) => found.get(besideName(wanted));
}

const pinOf = (db: RootDatabase, service: string, name: string) =>
  db.get(['pin', service, name]) as Fingerprint | undefined;

const pinsOf = (db: RootDatabase, service: string): ReadonlyMap<string, Fingerprint> =>
  new Map(
    [...db.getRange({ start: ['pin', service, ''], end: ['pin', service, '\u{10ffff}'] })].map(
      ({ key, value }) => [(key as string[])[2] as string, value as Fingerprint],
    ),
  );

const waitingOf = (db: RootDatabase, service: string): readonly WaitingTool[] =>
  [...db.getRange({ start: ['waiting', service, ''], end: ['waiting', service, '\u{10ffff}'] })].map(
    ({ value }) => value as WaitingTool,
  );

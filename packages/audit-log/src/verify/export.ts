import type { KeyObject } from 'node:crypto';
import {
  beforeFirst,
  isSigned,
  type LinkProblem,
  linkProblem,
  logPrefixOf,
  readRecord,
} from '../chain-check.ts';
import { type Checkpoint, logIdOf } from '../checkpoint.ts';
import { type AuditRecord, signerRotated } from '@countersign/protocol/vault/audit-record';
import { type Rotation, rotationOf } from '../rotation.ts';
import { type ExportEnd, exportEnd } from '../export-end.ts';
import { hasOneReading } from '../one-reading.ts';
import { rootFromInclusion } from '../proof.ts';
import { auditIdOf } from '../store/audit-id.ts';
import { isHeadSigned } from '../tenant-head.ts';
import { leafHash } from '../tree-hash.ts';
import { anchoredHead, anchorStep } from './anchor-step.ts';
import { checkKey, keyOf, noKey, readAttestation } from './check-key.ts';
import { headOf, openCheckpoint } from './checkpoint-note.ts';
import { type Hear, hearNothing } from './hear.ts';
import { isTrusted, keyLine } from './key-line.ts';
import { Receipts } from './receipts.ts';
import { fails, holds, missing, type Report, type Step, step, told } from './report.ts';

/** An export's statements about itself. They are read first, because the keys stand at its end. */
type Outline = {
  /** The first record, which tells the key where the last line is missing. */
  readonly first: AuditRecord | null;
  readonly last: ExportEnd | null;
  readonly rotations: readonly AuditRecord[];
};

/** Lines of a file, from its beginning each time; one that is no UTF-8 or too long is empty. */
export type Lines = () => AsyncIterable<string>;

/** Lines that are told one by one; further ones are counted. */
const maxTold = 20;

/** Checks an export without any help from outside. `trusted` are the keys that the caller believes in. */
export async function verifyExport(
  lines: Lines,
  trusted: readonly KeyObject[],
  hear: Hear = hearNothing,
): Promise<Report> {
  const outline = await readOutline(lines());
  const keys = keysOf(outline, trusted);
  const head = headOf(outline.last?.checkpoint ?? '');
  const check = new RecordsCheck(outline.last, keys, hear);
  for await (const line of lines()) check.line(line);
  check.end();
  return {
    kind: 'export',
    steps: [...check.steps(), ...endSteps(outline, keys, trusted, check)],
    isSimulated: check.isSimulated || readAttestation(outline.last?.attestation)?.hardware === false,
    head: head === null ? null : anchoredHead(outline.last?.anchor ?? null, head),
  };
}

/** More changes of the key than any log has: what a hostile file may make us remember. */
const maxRotations = 1000;

async function readOutline(lines: AsyncIterable<string>): Promise<Outline> {
  const rotations: AuditRecord[] = [];
  let [first, last]: [string | null, string] = [null, ''];
  for await (const line of lines) {
    first ??= line;
    if (line.includes(`"eventType":"${signerRotated}"`) && rotations.length < maxRotations) {
      const sealed = readRecord(line);
      if (sealed !== null) rotations.push(sealed.record);
    }
    last = line;
  }
  return { first: readRecord(first ?? '')?.record ?? null, last: readLast(last), rotations };
}

function readLast(line: string): ExportEnd | null {
  try {
    const parsed = exportEnd.safeParse(JSON.parse(line));
    return parsed.success && hasOneReading(line) ? parsed.data : null;
  } catch {
    return null;
  }
}

/** The keys that signed, in their order; null when none is known. */
function keysOf(
  { first: record, last, rotations }: Outline,
  trusted: readonly KeyObject[],
): readonly KeyObject[] | null {
  const isIt = (key: KeyObject) =>
    last === null ? record !== null && isSigned(record, key) : isEndSigned(last, key);
  const only = trusted.find(isIt) ?? trusted[0];
  const first = only ?? keyOf(readAttestation(last?.attestation));
  const origin = last === null ? undefined : headOf(last.checkpoint)?.origin;
  const known = rotations.flatMap((rotated): Rotation[] => {
    const rotation = rotationOf(rotated, origin === undefined ? null : logIdOf(origin));
    return rotation === null ? [] : [rotation];
  });
  // Where they do not follow each other, the records that they did not sign will show it.
  return first === null ? null : (keyLine(known, first) ?? [first]);
}

/** Checks the lines of an export in one pass, first to last. */
class RecordsCheck {
  isSimulated = false;
  records = 0;
  /** The record before, as it stands. */
  before: ReturnType<typeof beforeFirst>;
  /** Its text; null before the first. */
  newest: string | null = null;
  readonly #keys: readonly KeyObject[] | null;
  readonly #hear: Hear;
  readonly #receipts = new Receipts();
  readonly #problems: Step[] = [];
  #problemCount = 0;
  #line = 0;
  #key = 0;
  #times: readonly [string, string] | null = null;
  /** A problem that counts only if another line follows. */
  #pending: string | null = null;

  /** The prefix of the log's record ids; null until it is known. */
  #prefix: string | null;
  /** The last line, which names the log, is not there. */
  readonly #isCutOff: boolean;

  constructor(last: ExportEnd | null, keys: readonly KeyObject[] | null, hear: Hear) {
    this.#hear = hear;
    this.#isCutOff = last === null;
    this.before = beforeFirst(last?.tenantHead.tenantId ?? '');
    const origin = headOf(last?.checkpoint ?? '')?.origin;
    this.#prefix = origin === undefined ? null : auditIdOf(logIdOf(origin), '');
    this.#keys = keys;
  }

  line(text: string): void {
    if (this.#pending !== null) this.#record(this.#pending);
    this.#pending = text;
  }

  /** The last line is the end of the export, or a record like the others. */
  end(): void {
    const last = this.#pending;
    if (last !== null && readLast(last) === null) this.#record(last);
  }

  steps(): readonly Step[] {
    const { seq, tenantId } = this.before;
    const [from, to] = this.#times ?? [];
    const untold = this.#problemCount - this.#problems.length;
    if (this.#problemCount > 0)
      return untold > 0 ? [...this.#problems, fails(`and ${untold} more`)] : this.#problems;
    if (this.records === 0) return [holds('there are no records')];
    const signed =
      this.#keys === null
        ? missing('without a key no signature can be checked')
        : this.#isCutOff && this.#keys.length > 1
          ? missing(
              'the log’s key was changed, and whether the older key endorsed that cannot be checked without the last line: records from there on may be anybody’s',
            )
          : holds('every record is signed by the key of the log');
    return [
      holds(`${this.records} records of ${tenantId}, 1 to ${seq}, none missing, from ${from} to ${to}`),
      holds('every chain hash follows from its record and the one before'),
      signed,
      ...this.#receipts.steps(),
    ];
  }

  #record(text: string): void {
    this.#line += 1;
    const sealed = readRecord(text);
    if (sealed === null) return this.#bad(says.unreadable);
    const { record } = sealed;
    this.#hear(record, this.#line);
    if (this.before.tenantId === '') this.before = beforeFirst(record.tenantId);
    this.#prefix ??= logPrefixOf(record);
    if (logPrefixOf(record) !== this.#prefix) this.#bad(says['other-log']);
    const link = linkProblem(sealed, this.before);
    if (link !== null) this.#bad(says[link]);
    if (this.#isSigned(record) === false) this.#bad(says.signature);
    const receipt = this.#receipts.check(record, this.#keys);
    if (receipt !== null) this.#bad(receipt);
    this.records += 1;
    this.before = record;
    this.newest = text;
    this.isSimulated ||= record.tee.trust === 'simulated';
    this.#times = [this.#times?.[0] ?? record.at, record.at];
  }

  #isSigned(record: AuditRecord): boolean | null {
    if (this.#keys === null) return null;
    // The record that tells of a new key is the first one that it signs; where it tells of none that the line has, nobody signed it.
    if (record.eventType === signerRotated) this.#key += 1;
    const key = this.#keys[this.#key];
    return key !== undefined && isSigned(record, key);
  }

  #bad(what: string): void {
    this.#problemCount += 1;
    if (this.#problems.length < maxTold) this.#problems.push(fails(what, this.#line));
  }
}

const says: Readonly<Record<LinkProblem | 'other-log' | 'signature', string>> = {
  unreadable: 'this is not a record, or it was changed',
  'other-log': 'this record belongs to another log',
  'other-tenant': 'this record belongs to another tenant',
  seq: 'an earlier record is missing, duplicated or out of place',
  'leaf-order': 'this record claims a place in the log before the one above it',
  'prev-chain-hash': 'this record was not written after the one above it',
  'chain-hash': 'the chain hash does not follow from the record: something in it was changed',
  signature: 'the signature is not that of the log',
};

function endSteps(
  { last }: Outline,
  keys: readonly KeyObject[] | null,
  trusted: readonly KeyObject[],
  check: RecordsCheck,
): readonly Step[] {
  const isForeign = keys !== null && trusted.length > 0 && !isTrusted(keys, trusted);
  const foreign = isForeign ? [fails('it is signed by a different key than the one you gave')] : [];
  if (last === null)
    return [
      ...foreign,
      missing('the last line of an export is missing: newer records may have been dropped'),
    ];
  if (isForeign) return foreign;
  const key = keys?.at(-1) ?? null;
  return [
    headStep(last, key, check),
    ...treeSteps(last, openCheckpoint(last.checkpoint, key), check),
    ...(key === null ? [noKey(last.attestation)] : checkKey(key, trusted, last.attestation)),
  ];
}

const isEndSigned = (
  { tenantHead, attestation, checkpoint, inclusion }: ExportEnd,
  key: KeyObject,
): boolean => isHeadSigned(tenantHead, { attestation, checkpoint: inclusion && checkpoint }, key);

/** Without a key all is checked but the signature. */
function headStep(last: ExportEnd, key: KeyObject | null, { before }: RecordsCheck): Step {
  const head = last.tenantHead;
  if (key !== null && !isEndSigned(last, key))
    return fails(
      'the log did not sign the last line’s chain end, checkpoint and attestation report together',
    );
  if (head.seq > before.seq)
    return fails(`the newest records are missing: the log had ${head.seq} at ${head.at}`);
  return step(
    head.seq === before.seq && head.chainHash === before.chainHash,
    `the last record is the newest one that existed at ${head.at}`,
    'the last record is not the one that the log says its chain ends with',
  );
}

/** Returns whether the records are those of the tree: the newest one is in it, and commits to the others. */
function treeSteps(
  { tenantHead, inclusion, anchor }: ExportEnd,
  head: Checkpoint | null,
  { before, newest }: RecordsCheck,
): readonly Step[] {
  if (head === null) return [fails('the checkpoint is not signed by the log')];
  const { origin, size, root } = head;
  // Where the newest records are missing the last one has another path, and that they are missing is said already.
  const isNewest = before.chainHash === tenantHead.chainHash && before.leafIndex < size;
  return [
    step(
      before.leafIndex < size,
      `the checkpoint of ${origin} has ${size} records, root ${root.toString('hex')}`,
      'the checkpoint is older than the last record',
    ),
    ...(tenantHead.seq === 0 && (inclusion?.length ?? 0) > 0
      ? [fails('there are no records, but there is a proof that one is in the tree')]
      : []),
    ...inclusionSteps(inclusion, isNewest ? newest : null, before.leafIndex, head),
    ...(anchor === undefined || anchor === null ? [] : [anchorStep(anchor, head)]),
    ...(anchor && before.leafIndex >= anchor.size
      ? [
          told(
            'the newest records came after that root: until the next root, only the log itself attests to them',
          ),
        ]
      : []),
  ];
}

/** `newest` is null where there is nothing to be found in the tree. */
function inclusionSteps(
  inclusion: ExportEnd['inclusion'],
  newest: string | null,
  index: number,
  { size, root }: Checkpoint,
): readonly Step[] {
  if (inclusion === undefined)
    return [missing('nothing shows that these records are in the tree of the checkpoint: export them again')];
  if (newest === null) return [];
  const path = inclusion.map((hash) => Buffer.from(hash, 'hex'));
  const led = rootFromInclusion(leafHash(newest), index, size, path);
  return [
    step(
      led !== null && root.equals(led),
      'the last record, and with it every earlier one, is in the tree of the checkpoint',
      'the records are not the ones in the tree of the checkpoint: they were rewritten',
    ),
  ];
}

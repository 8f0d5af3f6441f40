import type { KeyObject } from 'node:crypto';
import { beforeFirst, isSigned, type LinkProblem, linkProblem, readRecord } from '../chain-check.ts';
import { type Checkpoint, logIdOf } from '../checkpoint.ts';
import { type AuditRecord, signerRotated } from '@countersign/protocol/vault/audit-record';
import { type Rotation, rotationOf } from '../rotation.ts';
import { type ExportEnd, exportEnd } from '../export-end.ts';
import { rootFromInclusion } from '../proof.ts';
import { isHeadSigned } from '../tenant-head.ts';
import { leafHash } from '../tree-hash.ts';
import { anchoredHead, anchorStep } from './anchor-step.ts';
import { checkKey, keyOf, noKey, readAttestation } from './check-key.ts';
import { headOf, openCheckpoint } from './checkpoint-note.ts';
import { isTrusted, keyLine } from './key-line.ts';
import { Receipts } from './receipts.ts';
import { fails, holds, missing, type Report, type Step, step, told } from './report.ts';

/** What an export says of itself: read first, because the keys stand at its end. */
type Outline = {
  readonly last: ExportEnd | null;
  readonly rotations: readonly AuditRecord[];
};

/** Lines of a file, from its beginning each time; one that is no UTF-8 or too long is empty. */
export type Lines = () => AsyncIterable<string>;

/** Lines that are told one by one; further ones are counted. */
const mostTold = 20;

/** Checks an export without any help from outside. `trusted` are the keys that the caller believes in. */
export async function verifyExport(lines: Lines, trusted: readonly KeyObject[]): Promise<Report> {
  const outline = await readOutline(lines());
  const keys = keysOf(outline, trusted);
  const head = headOf(outline.last?.checkpoint ?? '');
  const check = new RecordsCheck(outline.last?.tenantHead.tenantId ?? null, keys);
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
const mostRotations = 1000;

async function readOutline(lines: AsyncIterable<string>): Promise<Outline> {
  const rotations: AuditRecord[] = [];
  let last = '';
  for await (const line of lines) {
    if (line.includes(`"eventType":"${signerRotated}"`) && rotations.length < mostRotations) {
      const sealed = readRecord(line);
      if (sealed !== null) rotations.push(sealed.record);
    }
    last = line;
  }
  return { last: readLast(last), rotations };
}

function readLast(line: string): ExportEnd | null {
  try {
    const parsed = exportEnd.safeParse(JSON.parse(line));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** The keys that signed, in their order; null when none is known. */
function keysOf({ last, rotations }: Outline, trusted: readonly KeyObject[]): readonly KeyObject[] | null {
  const only = trusted.find((key) => last !== null && isEndSigned(last, key)) ?? trusted[0];
  const first = only ?? keyOf(readAttestation(last?.attestation));
  const origin = last === null ? undefined : headOf(last.checkpoint)?.origin;
  const known = rotations.flatMap((record): Rotation[] => {
    const rotation = origin === undefined ? null : rotationOf(record, logIdOf(origin));
    return rotation === null ? [] : [rotation];
  });
  // Where they do not follow each other, the records that they did not sign will show it.
  return first === null ? null : (keyLine(known, first) ?? [first]);
}

/** One pass over the lines of an export, from the first to the last. */
class RecordsCheck {
  isSimulated = false;
  records = 0;
  /** The record before, as it stands. */
  before: ReturnType<typeof beforeFirst>;
  /** Its text; null before the first. */
  newest: string | null = null;
  readonly #keys: readonly KeyObject[] | null;
  readonly #receipts = new Receipts();
  readonly #problems: Step[] = [];
  #problemCount = 0;
  #line = 0;
  #key = 0;
  #times: readonly [string, string] | null = null;
  /** What cannot be told from the record of a line that is the last one until another follows. */
  #pending: string | null = null;

  constructor(tenantId: string | null, keys: readonly KeyObject[] | null) {
    this.before = beforeFirst(tenantId ?? '');
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
        : holds('every record is signed by the key of the log');
    return [
      holds(`${this.records} records of ${tenantId}, 1 to ${seq}, none missing, from ${from} to ${to}`),
      holds('every chain hash follows from its record and the one before'),
      signed,
      ...(this.#keys === null ? [] : this.#receipts.steps()),
    ];
  }

  #record(text: string): void {
    this.#line += 1;
    const sealed = readRecord(text);
    if (sealed === null) return this.#bad(says.unreadable);
    const { record } = sealed;
    if (this.before.tenantId === '') this.before = beforeFirst(record.tenantId);
    const link = linkProblem(sealed, this.before);
    if (link !== null) this.#bad(says[link]);
    if (this.#isSigned(record) === false) this.#bad(says.signature);
    const receipt = this.#keys === null ? null : this.#receipts.check(record, this.#keys);
    if (receipt !== null) this.#bad(receipt);
    this.records += 1;
    this.before = record;
    this.newest = text;
    this.isSimulated ||= record.tee.trust === 'simulated';
    this.#times = [this.#times?.[0] ?? record.at, record.at];
  }

  #isSigned(record: AuditRecord): boolean | null {
    if (this.#keys === null) return null;
    // The record that tells of a new key is the first one that it signs.
    if (record.eventType === signerRotated && this.#key < this.#keys.length - 1) this.#key += 1;
    const key = this.#keys[this.#key];
    return key !== undefined && isSigned(record, key);
  }

  #bad(what: string): void {
    this.#problemCount += 1;
    if (this.#problems.length < mostTold) this.#problems.push(fails(what, this.#line));
  }
}

const says: Readonly<Record<LinkProblem | 'signature', string>> = {
  unreadable: 'this is not a record, or a byte of it was changed',
  'other-tenant': 'this record is of another tenant',
  seq: 'a record before this one is missing, doubled or in another place',
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
  if (last === null)
    return [missing('the last line of an export is missing: newer records may have been dropped')];
  const key = keys?.at(-1);
  if (keys === null || key === undefined) return [noKey(last.attestation)];
  if (trusted.length > 0 && !isTrusted(keys, trusted))
    return [fails('another key signed than the one you gave')];
  return [
    headStep(last, key, check),
    ...treeSteps(last, openCheckpoint(last.checkpoint, key), check),
    ...checkKey(key, trusted, last.attestation),
  ];
}

const isEndSigned = (
  { tenantHead, attestation, checkpoint, inclusion }: ExportEnd,
  key: KeyObject,
): boolean => isHeadSigned(tenantHead, { attestation, checkpoint: inclusion && checkpoint }, key);

function headStep(last: ExportEnd, key: KeyObject, { before }: RecordsCheck): Step {
  const head = last.tenantHead;
  if (!isEndSigned(last, key))
    return fails(
      'the chain’s end, the checkpoint and the attestation report of the last line are not signed together by the log',
    );
  if (head.seq > before.seq)
    return fails(`the newest records are missing: the log had ${head.seq} at ${head.at}`);
  return step(
    head.seq === before.seq && head.chainHash === before.chainHash,
    `the last record is the newest that there was at ${head.at}`,
    'the last record is not the one that the log says its chain ends with',
  );
}

/** Whether the records are those of the tree: the newest one is in it, and commits to the others. */
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
    ...(newest === null || !isNewest ? [] : [inclusionStep(inclusion, newest, before.leafIndex, head)]),
    ...(anchor === undefined || anchor === null ? [] : [anchorStep(anchor, head)]),
    ...(anchor && before.leafIndex >= anchor.size
      ? [told('the newest records came after that root: until the next one only the log vouches for them')]
      : []),
  ];
}

function inclusionStep(
  inclusion: ExportEnd['inclusion'],
  newest: string,
  index: number,
  { size, root }: Checkpoint,
): Step {
  if (inclusion === undefined)
    return missing('nothing shows that these records are in the tree of the checkpoint: export them again');
  const path = inclusion.map((hash) => Buffer.from(hash, 'hex'));
  const led = rootFromInclusion(leafHash(newest), index, size, path);
  return step(
    led !== null && root.equals(led),
    'the last record is in the tree of the checkpoint, and with it each one before',
    'the records are not those in the tree of the checkpoint: they were written anew',
  );
}

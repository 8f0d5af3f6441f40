import canonicalize from 'canonicalize';
import type { KeyObject } from 'node:crypto';
import { type Address } from '@countersign/protocol/address';
import { z } from 'zod';
import { canonicalText, readCanonical, sha256 } from '../canonical.ts';
import { verdictOf } from './outcome.ts';
import { type ExportHead, exportHead, inputNames, noReceiptHash, type Receipt, receipt } from './receipt.ts';
import { readPublicHalf, signedBy } from './public-half.ts';
import { type Inputs, MissingInput } from './recorded-ports.ts';
import { replay } from './replay.ts';
import { paymentOf } from './seal.ts';
import { traceOf } from './trace.ts';
import { type Paid, Whose, type Word } from './whose.ts';

/** `line` is null for what concerns the whole file. */
export type Problem = {
  readonly line: number | null;
  readonly kind: 'bad' | 'incomplete';
  readonly what: string;
};
export type Verified = {
  readonly problems: readonly Problem[];
  readonly receipts: number;
  readonly paid: readonly Paid[];
  readonly words: readonly Word[];
  /** Base64; null when no key is known. */
  readonly publicKey: string | null;
};

const exportedLine = z.union([
  z.strictObject({
    receipt,
    signature: z.string(),
    inputs: z.partialRecord(z.enum(inputNames), z.unknown()),
  }),
  z.strictObject({ head: exportHead, signature: z.string() }),
]);
type Line = z.infer<typeof exportedLine>;
type ReceiptLine = Extract<Line, { receipt: unknown }>;

/**
 * Checks an export without any help from outside: signatures, chain, hashes, and each verdict made again.
 * `lines` is read twice, because the key stands in the last one; `trusted` is the key that it has to be, `owner` the
 * wallet whose agents, or whose own payments, these have to be; null: anybody's.
 */
export async function verifyExport(
  lines: () => AsyncIterable<string>,
  trusted: string | null,
  owner: Address | null = null,
): Promise<Verified> {
  const head = await findHead(lines());
  const publicKey = trusted ?? head?.publicKey ?? null;
  const key = publicKey === null ? null : readPublicHalf(publicKey);
  const check = new ExportCheck(key, head, owner);
  for await (const line of lines()) await check.line(line);
  check.end();
  const { problems, receipts, whose } = check;
  if (publicKey !== null && head !== null && head.publicKey !== publicKey)
    problems.push({ line: null, kind: 'bad', what: `the file is signed for another key, ${head.publicKey}` });
  if (publicKey !== null && key === null)
    problems.push({ line: null, kind: 'bad', what: 'the key of the head is none' });
  return { problems, receipts, paid: whose.paid, words: whose.words, publicKey };
}

async function findHead(lines: AsyncIterable<string>): Promise<ExportHead | null> {
  let last = '';
  for await (const line of lines) last = line;
  const read = readLine(last);
  return read !== null && 'head' in read ? read.head : null;
}

/** Null unless the line is exactly what an export writes: RFC 8785, so that no byte can be another. */
function readLine(text: string): Line | null {
  try {
    const value: unknown = JSON.parse(text);
    if (canonicalize(value) !== text) return null;
    const parsed = exportedLine.safeParse(value);
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** Checks the lines of an export in one pass, first to last. */
class ExportCheck {
  readonly problems: Problem[] = [];
  receipts = 0;
  readonly #key: KeyObject | null;
  readonly #head: ExportHead | null;
  readonly #owner: Address | null;
  readonly whose = new Whose();
  #line = 0;
  #last: { readonly seq: number; readonly hash: string } | null = null;
  #ended = false;

  constructor(key: KeyObject | null, head: ExportHead | null, owner: Address | null) {
    this.#key = key;
    this.#head = head;
    this.#owner = owner;
  }

  async line(text: string): Promise<void> {
    this.#line += 1;
    const line = readLine(text);
    if (this.#ended) this.#bad('nothing may follow the head');
    if (line === null) return this.#bad('not a line of an export, or changed');
    const signed = canonicalize('head' in line ? line.head : line.receipt) ?? '';
    if (this.#key !== null && !signedBy(this.#key, signed, line.signature))
      this.#bad('the signature does not hold');
    if ('head' in line) return this.#checkHead(line.head);
    this.receipts += 1;
    this.#checkPlace(line.receipt, sha256(signed));
    this.#checkOwner(line);
    if (this.#checkInputs(line)) await this.#checkVerdict(line.receipt, readInputs(line));
  }

  end(): void {
    this.#line = 0;
    if (this.#key === null)
      this.#incomplete('without a key no signature can be checked: name one with --key');
    if (!this.#ended)
      this.#incomplete('the head is missing: nobody can see whether newer receipts were dropped');
  }

  #checkHead({ seq, hash, first }: ExportHead): void {
    this.#ended = true;
    const last = this.#last ?? { seq: first - 1, hash: first === 1 ? noReceiptHash : hash };
    if (last.seq !== seq || last.hash !== hash)
      this.#bad(`the newest receipt is number ${seq}, and this file ends with number ${last.seq}`);
  }

  #checkPlace({ seq, prev }: Receipt, hash: string): void {
    const first = this.#head?.first ?? seq;
    const before = this.#last ?? { seq: first - 1, hash: first === 1 ? noReceiptHash : prev };
    if (seq !== before.seq + 1) this.#bad(`receipt ${seq} follows receipt ${before.seq}`);
    else if (prev !== before.hash) this.#bad(`receipt ${seq} does not continue the one before it`);
    this.#last = { seq, hash };
  }

  #checkOwner({ receipt, inputs }: ReceiptLine): void {
    const owner = this.whose.count(receipt, inputs);
    if (this.#owner !== null && owner !== null && owner !== this.#owner)
      this.#bad(`receipt ${receipt.seq} is of another owner, ${owner}`);
  }

  /** Returns whether every input is there and is the one that was used. */
  #checkInputs({ receipt, inputs }: ReceiptLine): boolean {
    let usable = true;
    for (const name of inputNames) {
      const [expected, value] = [receipt.inputs[name], inputs[name]];
      if (expected === undefined && value === undefined) continue;
      if (value !== undefined && sha256(canonicalize(value) ?? '') === expected) continue;
      usable = false;
      if (value === undefined) this.#incomplete(`receipt ${receipt.seq}: the input "${name}" is missing`);
      else this.#bad(`receipt ${receipt.seq}: "${name}" is not what was used`);
    }
    return usable;
  }

  async #checkVerdict(recorded: Receipt, inputs: Inputs): Promise<void> {
    const { seq } = recorded;
    try {
      const end = await replay(recorded, inputs);
      const again = { trace: traceOf(end), verdict: verdictOf(end), ...movedBy(paymentOf(end)) };
      const { trace, verdict, payment } = recorded;
      if (!same(again, { trace, verdict, ...movedBy(payment) }))
        this.#bad(
          `receipt ${seq} says ${verdict.code}; judged again it is ${again.verdict.code}, or for another reason`,
        );
      if (end.kind === 'decided' && !same(end.judged.demand.cart, inputs.cart))
        this.#bad(`receipt ${seq}: the cart is not that of the requirement`);
    } catch (error) {
      if (error instanceof MissingInput) this.#incomplete(`receipt ${seq}: the input ${error.message}`);
      else this.#bad(`receipt ${seq} cannot be judged again: ${error instanceof Error ? error.message : ''}`);
    }
  }

  #bad(what: string): void {
    this.problems.push({ line: this.#line || null, kind: 'bad', what });
  }

  #incomplete(what: string): void {
    this.problems.push({ line: this.#line || null, kind: 'incomplete', what });
  }
}

/** When a payment expires was decided by a later reading of the clock, which nothing else rests on. */
const movedBy = (payment: Receipt['payment']) => ({
  nonce: payment?.nonce,
  transaction: payment?.transaction,
});

const readInputs = ({ inputs }: ReceiptLine): Inputs =>
  Object.fromEntries(Object.entries(inputs).map(([name, value]) => [name, readCanonical(value)]));

const same = (a: unknown, b: unknown): boolean => canonicalText(a) === canonicalText(b);

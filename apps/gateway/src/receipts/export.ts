import type { KeyObject } from 'node:crypto';
import { canonicalText } from '../canonical.ts';
import { type ExportHead, inputNames, type Receipt } from './receipt.ts';
import { publicHalf, signText } from './receipt-key.ts';
import type { readReceipts } from './store.ts';

type Store = Pick<ReturnType<typeof readReceipts>, 'head' | 'receipt' | 'input'>;

/**
 * The chain as JSON lines, oldest first: `{receipt, signature, inputs}`, and the signed head last. `since` leaves out
 * what is older; the head tells where the export begins, so that a line cut off at its front shows too.
 */
export function* exportLines(
  store: Store,
  key: KeyObject,
  since: number | null,
  now: number,
): Generator<string> {
  const { seq: newest, hash } = store.head();
  const first = since === null ? 1 : firstSince(store, newest, since);
  for (let seq = first; seq <= newest; seq++) yield line(store, seq);
  const head: ExportHead = {
    v: 'countersign-receipt-head-1',
    first,
    seq: newest,
    hash,
    publicKey: publicHalf(key),
    at: new Date(now).toISOString(),
  };
  const text = canonicalText(head);
  yield `{"head":${text},"signature":${JSON.stringify(signText(text, key))}}`;
}

/** Put together from texts that are RFC 8785 already, keys in order: so the line is. */
function line(store: Store, seq: number): string {
  const { text, signature, own } = stored(store, seq);
  const { inputs } = JSON.parse(text) as Receipt;
  const parts = inputNames.flatMap((name) => {
    const value = own[name] ?? store.input(inputs[name] ?? '');
    return value === undefined ? [] : [`"${name}":${value}`];
  });
  return `{"inputs":{${parts.join(',')}},"receipt":${text},"signature":${JSON.stringify(signature)}}`;
}

function firstSince(store: Store, newest: number, since: number): number {
  let first = newest + 1;
  while (first > 1 && timeOf(store, first - 1) >= since) first -= 1;
  return first;
}

const timeOf = (store: Store, seq: number): number =>
  Date.parse((JSON.parse(stored(store, seq).text) as Receipt).at);

function stored(store: Store, seq: number) {
  const found = store.receipt(seq);
  if (found === undefined) throw new Error(`receipt ${seq} is not in the store`);
  return found;
}

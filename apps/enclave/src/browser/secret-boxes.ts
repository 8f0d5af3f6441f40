import type { Driver } from './driver.ts';
import { Input } from './input.ts';
import type { Box } from './png.ts';

/** Which of the texts of a page hold a secret or a decoy, alone or with their neighbours. */
export type FindSecrets = (texts: readonly string[]) => readonly boolean[];

type Rectangle = readonly number[];

/** What `DOMSnapshot.captureSnapshot` gives, as far as it is read: texts are numbers of `strings`. */
type Snapshot = {
  readonly strings: readonly string[];
  readonly documents: readonly {
    readonly scrollOffsetX?: number;
    readonly scrollOffsetY?: number;
    readonly nodes: {
      readonly inputValue?: { readonly index: readonly number[]; readonly value: readonly number[] };
      readonly textValue?: { readonly index: readonly number[]; readonly value: readonly number[] };
      readonly contentDocumentIndex?: {
        readonly index: readonly number[];
        readonly value: readonly number[];
      };
    };
    readonly layout: {
      readonly nodeIndex: readonly number[];
      readonly bounds: readonly Rectangle[];
      readonly text: readonly number[];
    };
  }[];
};

/**
 * Where secrets and decoys stand in the page now, in its coordinates, scrolled or whole: in texts and fields of every
 * frame, closed shadow roots too.
 */
export async function secretBoxes(driver: Driver, find: FindSecrets, isWhole: boolean): Promise<Box[]> {
  const page = driver.page();
  const frames = driver.frames.within(page.targetId);
  const roots = frames.filter(
    ({ parentId, sessionId }) => parentId === null || driver.frames.get(parentId)?.sessionId !== sessionId,
  );
  const found = await Promise.all(
    roots.map(async (frame) => {
      const [snapshot, origin] = await Promise.all([
        driver.send<Snapshot>(frame.sessionId, 'DOMSnapshot.captureSnapshot', { computedStyles: [] }),
        new Input(driver).inPage(frame, { x: 0, y: 0 }),
      ]);
      return boxesIn(snapshot, 0, origin, find, isWhole && frame.parentId === null);
    }),
  );
  return found.flat();
}

function boxesIn(
  snapshot: Snapshot,
  place: number,
  origin: { readonly x: number; readonly y: number },
  find: FindSecrets,
  isWhole: boolean,
): Box[] {
  const document = snapshot.documents[place];
  if (document === undefined) return [];
  const { layout, nodes, scrollOffsetX = 0, scrollOffsetY = 0 } = document;
  const [left, top] = isWhole ? [0, 0] : [scrollOffsetX, scrollOffsetY];
  const boxAt = ([x = 0, y = 0, width = 0, height = 0]: Rectangle): Box => ({
    x: origin.x + x - left,
    y: origin.y + y - top,
    width,
    height,
  });
  const values = new Map(pairsOf(nodes.inputValue).concat(pairsOf(nodes.textValue)));
  const texts = layout.nodeIndex.map(
    (node, i) => snapshot.strings[values.get(node) ?? layout.text[i] ?? -1] ?? '',
  );
  const secret = find(texts);
  const inner = new Map(pairsOf(nodes.contentDocumentIndex));
  return layout.bounds.flatMap((bounds, i) => {
    const box = boxAt(bounds);
    const frame = inner.get(layout.nodeIndex[i] ?? -1);
    return [
      ...(secret[i] === true ? [box] : []),
      ...(frame === undefined ? [] : boxesIn(snapshot, frame, box, find, false)),
    ];
  });
}

const pairsOf = (data?: { readonly index: readonly number[]; readonly value: readonly number[] }) =>
  (data?.index ?? []).map((index, i) => [index, data?.value[i] ?? -1] as const);

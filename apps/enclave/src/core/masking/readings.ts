import { allReaders, type Readers, singleReaders } from './decoders.ts';
import { skeletonOf } from './skeleton.ts';
import { decodeOnce, type View, viewOf } from './view.ts';

/** Encodings may be nested so deep; a text deeper still is looked at in the layers above. */
const maxLayers = 6;

/**
 * A text as it stands and decoded: each encoding alone, because a secret may itself look like another; then all together,
 * layer by layer, the most decoded last. One at a time, since each is as large as the text.
 */
export function* decodingsOf(source: Uint8Array): Generator<View> {
  const view = viewOf(source);
  yield view;
  for (const readers of [...singleReaders, allReaders]) yield* layersOf(view, readers);
}

/** The same, as skeletons. */
export function* readingsOf(source: Uint8Array): Generator<View> {
  for (const view of decodingsOf(source)) yield skeletonOf(view);
}

/** The most decoded reading: it has the fewest bytes. */
export function fullyDecoded(source: Uint8Array): View {
  let last = viewOf(source);
  for (const layer of layersOf(last, allReaders)) last = layer;
  return skeletonOf(last);
}

function* layersOf(source: View, readers: Readers): Generator<View> {
  let view = decodeOnce(source, readers);
  for (let layer = 0; view !== null && layer < maxLayers; layer++) {
    yield view;
    view = decodeOnce(view, readers);
  }
}

import { expect, test } from 'vitest';
import { boxesIn } from './boxes-in.ts';

const [plain, telling] = ['data:image/png;base64,AAAA', 'data:image/svg+xml,<text>482133</text>'];

/** A page that shows so many pictures, as Chromium writes it. */
function pageOf(addresses: readonly string[]): Uint8Array {
  const strings = ['https://shop.example/', 'frame', '#document', 'IMG', 'src', ...addresses];
  const images = addresses.map((_, i) => i + 1);
  const document = {
    documentURL: 0,
    frameId: 1,
    nodes: {
      parentIndex: [-1, ...images.map(() => 0)],
      nodeType: [9, ...images.map(() => 1)],
      nodeName: [2, ...images.map(() => 3)],
      nodeValue: [-1, ...images.map(() => -1)],
      backendNodeId: [1, ...images.map((place) => place + 1)],
      attributes: [[], ...addresses.map((_, i) => [4, 5 + i])],
    },
    layout: {
      nodeIndex: images,
      styles: images.map(() => []),
      bounds: images.map((place) => [0, 10 * place, 10, 10]),
      text: images.map(() => -1),
    },
    textBoxes: { layoutIndex: [], bounds: [], start: [], length: [] },
  };
  return Buffer.from(JSON.stringify({ result: { strings, documents: [document] } }));
}

test('the address of a picture is looked at once, however often it is shown, and each that tells a secret is covered', () => {
  const seen: string[] = [];
  const all = (texts: readonly string[]) => {
    seen.push(...texts.filter((text) => text.includes('data:')));
    return texts.map((text) => text.replaceAll('482133', '***'));
  };
  const page = pageOf([plain, telling, plain, telling, plain]);
  const [found] = boxesIn([page], { all, secrets: (texts) => [...texts] }, false);
  expect(found?.boxes).toHaveLength(2);
  expect(seen).toEqual([plain, telling]);
});

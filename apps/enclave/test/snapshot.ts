import type { SnapshotDocument } from '../src/core/browser/mirror/snapshot.ts';

type Node = {
  readonly tag: string;
  readonly text: string;
  readonly attribute: string;
  readonly value: string;
  /** Names and values of other attributes, before that one. */
  readonly others?: readonly string[];
};

/** A page of elements, each with a text, an attribute and what stands in it, as Chromium tells it. */
export function snapshotOf(nodes: readonly Node[], url = 'https://shop.example/'): Uint8Array {
  const strings: string[] = [];
  const at = (text: string): number => strings.push(text) - 1;
  const all = {
    parentIndex: [-1],
    nodeType: [9],
    nodeName: [at('#document')],
    nodeValue: [-1],
    backendNodeId: [1],
    attributes: [[]] as number[][],
    inputValue: { index: [] as number[], value: [] as number[] },
  };
  const add = (parent: number, type: number, name: string, value: string, attributes: number[]): number => {
    all.parentIndex.push(parent);
    all.nodeName.push(at(name));
    all.nodeValue.push(at(value));
    all.attributes.push(attributes);
    all.backendNodeId.push(all.nodeType.length + 1);
    return all.nodeType.push(type) - 1;
  };
  const root = add(0, 1, 'HTML', '', []);
  for (const { tag, text, attribute, value, others = [] } of nodes) {
    const element = add(root, 1, tag, '', [...others, 'data-x', attribute].map(at));
    add(element, 3, '#text', text, []);
    all.inputValue.index.push(element);
    all.inputValue.value.push(at(value));
  }
  const document: SnapshotDocument = {
    documentURL: at(url),
    frameId: at('frame'),
    nodes: all,
    layout: { nodeIndex: [], styles: [], bounds: [], text: [] },
  };
  return Buffer.from(JSON.stringify({ id: 1, result: { strings, documents: [document] } }));
}

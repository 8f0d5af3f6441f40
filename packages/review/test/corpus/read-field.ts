import type { ObservedField } from '../../src/observation.ts';

const buttons = new Set(['submit', 'button', 'reset']);

/** A field of a line: `type:label:name:autocomplete`, with `-` before what nobody sees. */
export function fieldOf(text: string): ObservedField {
  const [kind = '', label = '', name = '', autocomplete = ''] = text.split(':');
  const type = kind.replace('-', '');
  return {
    tag: buttons.has(type) ? 'button' : ['select', 'textarea'].includes(type) ? type : 'input',
    type: ['select', 'textarea'].includes(type) ? '' : type,
    autocomplete,
    names: [label, name].filter((one) => one !== ''),
    visible: !kind.startsWith('-') && type !== 'hidden',
  };
}

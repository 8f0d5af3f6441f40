import type { ObservedField, Review } from '../../src/observation.ts';
import { fieldOf } from './read-field.ts';
import { fill, shop, target } from './situations.ts';

const page = `${shop}/`;
const after = (parts: readonly string[], mark: string): string[] =>
  parts.flatMap((part) => (part.startsWith(mark) ? [part.slice(mark.length)] : []));

/** A real form: each field that its suite says is filled to log in is filled, on a page whose address says nothing. */
export function realReviewsOf(line: string): Review[] {
  const [, place = '', ...parts] = line.split(' | ');
  const [how, path = place] = /^(GROUP|UNSAID) /.test(place) ? place.split(' ') : ['POST', place];
  const written = parts.filter((part) => !/^(title|elsewhere):/.test(part));
  const fields = written.map((part) => fieldOf(part.replace(/^\*/, '')));
  const form = {
    action: shop + path,
    method: how === 'UNSAID' ? ('UNSAID' as const) : ('POST' as const),
    otherActions: after(parts, 'elsewhere:').map((to) => shop + to),
    fields,
  };
  const place_ = how === 'GROUP' ? { group: fields } : { form };
  const at = (one: ObservedField) =>
    target({
      ...one,
      ...place_,
      field: one.names.at(-1) ?? one.type,
      frameUrl: page,
      titles: after(parts, 'title:'),
    });
  return fields.flatMap((one, i) =>
    written[i]?.startsWith('*') === true ? [fill(placeholderFor(one), at(one), { url: page })] : [],
  );
}

/** A password hides, but for those few that a site shows. */
const placeholderFor = ({ type, names, autocomplete }: ObservedField): string => {
  const isShown = names.some((name) => /^(inp_)?pass(word)?$/i.test(name)) || /password/.test(autocomplete);
  return type === 'password' || isShown ? '{{CREDENTIAL.password}}' : '{{CREDENTIAL.username}}';
};

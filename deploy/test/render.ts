import { parseAllDocuments, stringify } from 'yaml';

type Tree = { readonly [name: string]: unknown };

const action = /\{\{-?\s*(.*?)\s*-?\}\}/g;

/**
 * Renders a template of ours as Helm does. Ours use little of Helm's language, and whatever else stands between the braces
 * is an error: `{{ .Values.a.b }}`, also with `| default "c"` and `| quote`; `(.Values.a).b` where values of an earlier release have
 * no `a`; `{{- toYaml .Values.a | nindent N }}` on a line of its own;
 * `{{- if .Values.a }}` and `{{- end }}` around a whole file.
 */
export function render(template: string, about: { readonly Values: Tree; readonly Release: Tree }): Tree[] {
  const whole = /^\{\{- if (\.[\w.]+) \}\}\n([^]*)\{\{- end \}\}\n$/.exec(template);
  if (whole !== null && lookUp(whole[1] ?? '', about) !== true) return [];
  const text = (whole?.[2] ?? template).replace(/^( *)\{\{- toYaml/gm, '{{- toYaml');
  return documentsOf(text.replaceAll(action, (_, expression: string) => valueOf(expression, about)));
}

/** The documents of a file, each a mapping. Braces of Helm that are left over are an error. */
export function documentsOf(text: string): Tree[] {
  return parseAllDocuments(text).map((document) => {
    for (const problem of document.errors) throw problem;
    return document.toJS() as Tree;
  });
}

function valueOf(expression: string, about: Tree): string {
  const list = /^toYaml (\.[\w.]+) \| nindent (\d+)$/.exec(expression);
  if (list !== null)
    return stringify(lookUp(list[1] ?? '', about))
      .trimEnd()
      .replace(/^/gm, ' '.repeat(Number(list[2])));
  const one = /^(\(\.[\w.]+\)\.\w+|\.[\w.]+)( \| default "([^"]*)")?( \| quote)?$/.exec(expression);
  if (one === null) throw new Error(`a template may not say {{ ${expression} }}`);
  const [, path = '', , otherwise, quote] = one;
  const found = lookUp(path, about);
  // What Helm calls empty.
  const value = [undefined, null, '', 0, false].includes(found as string) ? (otherwise ?? found) : found;
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
    throw new Error(`${path} is no single value`);
  return quote === undefined ? `${value}` : JSON.stringify(`${value}`);
}

/** What is in parentheses may be missing: then what is asked of it is undefined. */
function lookUp(path: string, about: Tree): unknown {
  const optional = /^\((.*)\.(\w+)\)\.(\w+)$/.exec(path);
  if (optional !== null) {
    const [, above = '', name = '', below = ''] = optional;
    const found = (lookUp(above, about) as Tree)[name] as Tree | null | undefined;
    return found?.[below];
  }
  let value: unknown = about;
  for (const name of path.slice(1).split('.')) value = (value as Tree | undefined)?.[name];
  if (value === undefined) throw new Error(`values.yaml has no ${path}`);
  return value;
}

import type { Operation, Schema } from './document.ts';
import { boundsOf, shapeOf } from './shape.ts';

/** One operation as a section of Markdown. */
export function sectionOf(method: string, path: string, operation: Operation): string {
  return [
    `## ${headingOf(method, path)}`,
    `${operation.summary}.`,
    ...[[operation.description, proofText(operation)].filter(Boolean).join(' ')].filter(Boolean),
    ...parametersOf(operation),
    ...bodyOf(operation),
    ...answersOf(operation),
    ...refusalsOf(operation),
  ].join('\n\n');
}

/** As it stands above the section. */
export const headingOf = (method: string, path: string): string => `${method.toUpperCase()} ${path}`;

function proofText({ security, requestBody }: Operation): string {
  const inBody = Object.values(requestBody?.content ?? {}).some(
    ({ schema }) => schema.properties?.['apiKey'],
  );
  const ways = [
    ...security.map((way) => Object.keys(way).join(' and ')),
    ...(inBody ? ['`apiKey` in the body'] : []),
  ];
  const named = ways.filter((way) => way !== '');
  if (named.length === 0) return '';
  return `Proof of who asks: ${named.join(', or ')}${ways.includes('') ? ', or none' : ''}.`;
}

function parametersOf({ parameters }: Operation): readonly string[] {
  if (parameters.length === 0) return [];
  const rows = parameters.map(
    ({ name, in: place, required, schema }) =>
      `| \`${name}\` | ${place} | ${required ? 'yes' : 'no'} | ${cell(schema)} |`,
  );
  return [['| parameter | in | needed | value |', '|---|---|---|---|', ...rows].join('\n')];
}

function cell(schema: Schema): string {
  const bounds = boundsOf(schema);
  return `\`${shapeOf(schema).replace(/\s+/g, ' ')}\`${bounds === '' ? '' : ` ${bounds}`}`.replaceAll(
    '|',
    '\\|',
  );
}

function bodyOf({ requestBody }: Operation): readonly string[] {
  return Object.entries(requestBody?.content ?? {}).map(([type, { schema }]) =>
    block(`Body, \`${type}\``, schema),
  );
}

const answersOf = ({ responses }: Operation): readonly string[] =>
  Object.entries(responses)
    .filter(([status]) => Number(status) < 400)
    .flatMap(([status, { description, content }]) =>
      Object.entries(content).map(([type, { schema }]) =>
        block(`Answer ${status}, \`${type}\`${description === 'Success' ? '' : `: ${description}`}`, schema),
      ),
    );

const block = (title: string, schema: Schema): string => `${title}:\n\n\`\`\`ts\n${shapeOf(schema)}\n\`\`\``;

function refusalsOf({ responses }: Operation): readonly string[] {
  const rows = Object.entries(responses)
    .filter(([status]) => Number(status) >= 400)
    .map(([status, { description }]) => `| ${status} | ${codesOf(description)} |`);
  return rows.length === 0 ? [] : [['| refused with | codes |', '|---|---|', ...rows].join('\n')];
}

const codesOf = (description: string): string =>
  description
    .split(', ')
    .map((code) => `\`${code}\``)
    .join(', ');

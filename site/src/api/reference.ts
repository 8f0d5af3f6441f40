import { controlDialect } from '@countersign/protocol/control/dialect';
import { controlRoutes } from '@countersign/protocol/control/routes';
import { dashboardDialect } from '@countersign/protocol/dashboard/dialect';
import { dashboardRoutes } from '@countersign/protocol/dashboard/routes';
import { vaultDialect } from '@countersign/protocol/vault/dialect';
import { vaultRoutes } from '@countersign/protocol/vault/routes';
import { describeApi } from '@countersign/service/openapi';
import { slugOf } from '../markdown.ts';
import type { Item } from '../sidebar.ts';
import type { Document, Operation } from './document.ts';
import { headingOf, sectionOf } from './operation.ts';

/** The documents that the services answer at `/openapi.json`. */
const documents = {
  dashboard: describeApi('Dashboard', dashboardRoutes, dashboardDialect),
  vault: describeApi('Vault', vaultRoutes, vaultDialect),
  'control-plane': describeApi('Control plane', controlRoutes, controlDialect),
} as unknown as Readonly<Record<string, Document>>;

/** A page for each service, one for each of its tags, and what the sidebar says of them. */
export function apiPages(): { readonly pages: ReadonlyMap<string, string>; readonly sidebar: Item } {
  const pages = new Map<string, string>();
  const items = Object.entries(documents).map(([service, document]) => {
    const tags = tagsOf(document);
    pages.set(`api/${service}/index.md`, indexOf(service, document, tags));
    for (const [tag, operations] of tags)
      pages.set(`api/${service}/${tag}.md`, tagPage(document, tag, operations));
    return {
      text: document.info.title,
      collapsed: true,
      items: [
        { text: 'All', link: `/api/${service}/` },
        ...[...tags.keys()].map((tag) => ({ text: tag, link: `/api/${service}/${tag}` })),
      ],
    };
  });
  return { pages, sidebar: { text: 'HTTP APIs', items } };
}

type Route = { readonly method: string; readonly path: string; readonly operation: Operation };

function tagsOf({ paths }: Document): ReadonlyMap<string, readonly Route[]> {
  const tags = new Map<string, Route[]>();
  for (const [path, methods] of Object.entries(paths))
    for (const [method, operation] of Object.entries(methods)) {
      const tag = operation.tags[0] ?? 'other';
      tags.set(tag, [...(tags.get(tag) ?? []), { method, path, operation }]);
    }
  return tags;
}

function indexOf(service: string, { info }: Document, tags: ReadonlyMap<string, readonly Route[]>): string {
  const sections = [...tags].map(([tag, routes]) => {
    const rows = routes.map(({ method, path, operation }) => {
      const heading = headingOf(method, path);
      return `| [\`${heading}\`](/api/${service}/${tag}.md#${slugOf(heading)}) | ${escaped(operation.summary)} |`;
    });
    return [`## ${tag}`, '', '| operation | does |', '|---|---|', ...rows].join('\n');
  });
  return `# ${info.title}: HTTP API\n\nVersion ${info.version}. [What the three APIs have in common](/api/index.md).\n\n${sections.join('\n\n')}\n`;
}

function tagPage({ info }: Document, tag: string, routes: readonly Route[]): string {
  const sections = routes.map(({ method, path, operation }) => sectionOf(method, path, operation));
  return `# ${info.title}: ${tag}\n\n${sections.join('\n\n')}\n`;
}

const escaped = (text: string): string => text.replaceAll('|', '\\|');

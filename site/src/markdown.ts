import type { MarkdownOptions } from 'vitepress';

/** As code hosts name headings, so that a link to one holds there and here. */
export const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');

/** Pages are text: no HTML, and braces mean nothing. A picture ends in `-light`, and has a dark one beside it. */
export const plainText: MarkdownOptions = {
  html: false,
  attrs: false,
  anchor: { slugify: slugOf },
  headers: { slugify: slugOf },
  toc: { slugify: slugOf },
  theme: { light: 'github-light', dark: 'github-dark' },
  config(md) {
    for (const rule of ['text', 'code_inline'] as const) {
      const render = md.renderer.rules[rule];
      md.renderer.rules[rule] = (...about) => (render?.(...about) ?? '').replaceAll('{{', '&#123;&#123;');
    }
    md.renderer.rules.image = (tokens, index) => {
      const token = tokens[index];
      const alt = md.utils.escapeHtml(token?.content ?? '');
      const source = md.utils.escapeHtml(token?.attrGet('src') ?? '');
      const picture = (src: string, look: string) =>
        `<img class="picture ${look}" src="${src}" alt="${alt}" loading="lazy" width="1280" height="800">`;
      if (!source.endsWith('-light.webp')) return picture(source, '');
      return (
        picture(source, 'light-only') + picture(source.replace(/-light\.webp$/, '-dark.webp'), 'dark-only')
      );
    };
  },
};

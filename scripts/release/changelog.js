// CHANGELOG.md has a section for each release, the newest first, and before them what is not released.

const heading = /^## (?:Unreleased|(\d+\.\d+\.\d+) \((\d{4}-\d{2}-\d{2})\))$/;

/** What is wrong with its sections, in one sentence; null where nothing is. */
export function whyNoChangelog(text) {
  const headings = text.split('\n').filter((line) => line.startsWith('## '));
  const wrong = headings.find((line) => !heading.test(line));
  if (wrong !== undefined) return `"${wrong}" is neither "## Unreleased" nor "## 1.2.3 (2026-01-31)"`;
  const dates = headings
    .slice(headings[0] === '## Unreleased' ? 1 : 0)
    .map((line) => heading.exec(line)?.[2]);
  const inOrder = dates.every((date, n) => date !== undefined && (n === 0 || date <= dates[n - 1]));
  return inOrder ? null : 'the newest release has to come first, after "## Unreleased"';
}

/** What a release changed; null where it has no section. */
export function sectionOf(text, version) {
  const sections = text.split(/^(?=## )/m);
  const section = sections.find((each) => each.startsWith(`## ${version} (`));
  return section === undefined ? null : section.slice(section.indexOf('\n')).trim();
}

/** What no release has yet, without its heading; empty where there is nothing. */
export function unreleasedOf(text) {
  const section = text.split(/^(?=## )/m).find((each) => each.startsWith('## Unreleased'));
  return section === undefined ? '' : section.replace('## Unreleased', '').trim();
}

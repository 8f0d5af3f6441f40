import type { Theme } from '../session/memory.ts';

/** `system` follows the browser. The tokens in styles.css hold both. */
export function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}

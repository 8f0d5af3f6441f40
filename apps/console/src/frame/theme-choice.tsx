import { useId, useState } from 'react';
import { rememberedTheme, rememberTheme, type Theme, themes } from '../session/memory.ts';
import { applyTheme } from './theme.ts';

/** What people read for each theme. */
export const themeNames = { system: 'As the system', light: 'Light', dark: 'Dark' } as const;

/** Light, dark, or as the system has it; kept in this browser. */
export function useTheme(): readonly [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState(rememberedTheme());
  return [
    theme,
    (chosen) => {
      setTheme(chosen);
      rememberTheme(chosen);
      applyTheme(chosen);
    },
  ];
}

/** The choice of a theme as three buttons of which one is down. */
export function ThemeChoice() {
  const name = useId();
  const [theme, choose] = useTheme();
  return (
    <fieldset className="flex flex-wrap items-center justify-between gap-3 text-sm">
      <legend className="float-left text-muted">Theme</legend>
      <div className="flex rounded-md border border-line p-0.5">
        {themes.map((each) => (
          <label
            key={each}
            className="cursor-pointer rounded-sm px-2.5 py-1 text-muted has-checked:bg-accent-tint has-checked:font-medium has-checked:text-accent-ink has-focus-visible:outline-2 has-focus-visible:outline-accent-ink"
          >
            <input
              type="radio"
              name={name}
              checked={theme === each}
              onChange={() => choose(each)}
              className="sr-only"
            />
            {themeNames[each]}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

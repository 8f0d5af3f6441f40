import { useState } from 'react';
import { rememberedTheme, rememberTheme, type Theme } from '../session/memory.ts';
import { Choice } from '../ui/choice.tsx';
import { applyTheme } from './theme.ts';

/** The label of each theme. */
export const themeNames = { system: 'System', light: 'Light', dark: 'Dark' } as const;

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
  const [theme, choose] = useTheme();
  return <Choice label="Theme" names={themeNames} value={theme} onChoose={choose} />;
}

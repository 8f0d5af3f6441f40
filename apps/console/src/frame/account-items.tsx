import { Check, Copy, LogOut, Monitor, Moon, Sun } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { type Theme, themes } from '../session/memory.ts';
import { useSignOut } from '../session/sign-out.ts';
import { showToast } from '../ui/toasts.tsx';
import { themeNames, useTheme } from './theme-choice.tsx';

const item =
  'flex min-h-9 cursor-default items-center gap-2.5 rounded-sm px-2.5 text-sm outline-none select-none ' +
  'data-[highlighted]:bg-sunken [&_svg]:size-4 [&_svg]:text-muted';

const icons = { system: Monitor, light: Sun, dark: Moon } as const;

/** The entries of the account menu. */
export function AccountItems({ address }: { address: string }) {
  const signOut = useSignOut();
  const [theme, choose] = useTheme();
  const copy = async () => {
    await navigator.clipboard.writeText(address);
    showToast({ tone: 'ok', text: 'Address copied.' });
  };
  return (
    <>
      <DropdownMenu.Item className={item} onSelect={() => void copy()}>
        <Copy aria-hidden="true" />
        Copy address
      </DropdownMenu.Item>
      <DropdownMenu.Separator className="my-1.5 h-px bg-line" />
      <DropdownMenu.RadioGroup
        value={theme}
        onValueChange={(chosen) => choose(chosen as Theme)}
        aria-label="Theme"
      >
        {themes.map((each) => {
          const Icon = icons[each];
          return (
            <DropdownMenu.RadioItem key={each} value={each} className={item}>
              <Icon aria-hidden="true" />
              {themeNames[each]}
              <DropdownMenu.ItemIndicator className="ml-auto">
                <Check aria-hidden="true" />
              </DropdownMenu.ItemIndicator>
            </DropdownMenu.RadioItem>
          );
        })}
      </DropdownMenu.RadioGroup>
      <DropdownMenu.Separator className="my-1.5 h-px bg-line" />
      <DropdownMenu.Item className={item} onSelect={() => void signOut()}>
        <LogOut aria-hidden="true" />
        Sign out
      </DropdownMenu.Item>
    </>
  );
}

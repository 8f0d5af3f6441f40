import { ChevronsUpDown, Wallet } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { useSession } from '../session/session.ts';
import { shortAddress } from '../ui/address.tsx';
import { AccountItems } from './account-items.tsx';

/** Who is signed in, the theme, and the way out. */
export function AccountMenu() {
  const { account } = useSession();
  return (
    // Not modal: the library would lock scrolling by an inline style, which our policy forbids.
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger className="flex w-full min-h-11 items-center gap-2.5 rounded-md px-2.5 text-left hover:bg-sunken">
        <span className="grid size-7 place-items-center rounded-full bg-accent-tint text-accent-ink">
          <Wallet aria-hidden="true" className="size-3.5" />
        </span>
        <span className="min-w-0 flex-1">
          <span className="sr-only">Account </span>
          <span className="block truncate font-mono text-xs">{shortAddress(account.walletAddress)}</span>
        </span>
        <ChevronsUpDown aria-hidden="true" className="size-4 text-muted" />
      </DropdownMenu.Trigger>
      <DropdownMenu.Content
        align="start"
        side="top"
        sideOffset={6}
        className="card arriving z-10 w-[208px] p-1.5"
      >
        <AccountItems address={account.walletAddress} />
      </DropdownMenu.Content>
    </DropdownMenu.Root>
  );
}

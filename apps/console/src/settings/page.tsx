import { ThemeChoice } from '../frame/theme-choice.tsx';
import { RecoverySection } from '../recovery/section.tsx';
import { useMay, useSession } from '../session/session.ts';
import { Address } from '../ui/address.tsx';
import { Fact, Facts } from '../ui/facts.tsx';
import { Page, Section } from '../ui/page.tsx';
import { Time } from '../ui/time.tsx';
import { roleNames } from '../people/roles.ts';
import { Verbatim } from '../ui/verbatim.tsx';
import { YourData } from '../personal/your-data.tsx';
import { Notifications } from './notifications.tsx';
import { Sessions } from './sessions.tsx';

/** The account, where it is signed in, how the console speaks and looks. */
export function SettingsPage() {
  const { account, person } = useSession();
  const mayRead = useMay('personalData');
  return (
    <Page title="Settings">
      <Section title="Account">
        <div className="px-5 py-1">
          <Facts>
            <Fact name="Wallet">
              <Address value={account.walletAddress} />
            </Fact>
            <Fact name="You are">
              <Verbatim text={person.name} />, {person.roles.map((role) => roleNames[role]).join(', ')}
            </Fact>
            <Fact name="Account">
              <Address value={account.platformId} name="account id" />
            </Fact>
            <Fact name="Since">
              <Time at={account.createdAt} as="day" />
            </Fact>
          </Facts>
        </div>
      </Section>
      <Sessions />
      <RecoverySection />
      <Notifications />
      {mayRead && <YourData />}
      <Section title="Appearance">
        <div className="px-5 py-4">
          <ThemeChoice />
        </div>
      </Section>
    </Page>
  );
}

import { Unplug } from 'lucide-react';
import { Message } from '../ui/message.tsx';
import { Page } from '../ui/page.tsx';

const services = {
  vault: { title: 'Vault', variable: 'VAULT_URL', pages: 'Credentials, tokens and browser sessions' },
  'control plane': {
    title: 'Control plane',
    variable: 'CONTROL_PLANE_URL',
    pages: 'Actions that wait for approval',
  },
} as const;

/** Stands where pages of a service would, in a deployment without it. */
export function Absent({ service }: { service: keyof typeof services }) {
  const { title, variable, pages } = services[service];
  return (
    <Page title={title}>
      <div className="card">
        <Message icon={Unplug} title={`No ${service} is connected`}>
          {pages} appear here once the dashboard’s operator sets{' '}
          <code className="font-mono text-xs">{variable}</code>.
        </Message>
      </div>
    </Page>
  );
}

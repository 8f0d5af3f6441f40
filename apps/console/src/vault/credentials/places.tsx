import type { CredentialUse } from '@countersign/protocol/vault/credential-use';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { legible } from '../../ui/legible.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Notice } from '../../ui/notice.tsx';
import { BoneRows } from '../../ui/skeleton.tsx';
import { Time } from '../../ui/time.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { askVault, useVaultDeed } from '../call.ts';
import { PlaceInWords } from '../place.tsx';
import { AllowAddress, type SayAddresses } from './allow-address.tsx';

const lists = '/api/v1/credentials';

/** Lists where a credential may be used: its URLs and the allowed places, each with a button to revoke it. */
export function Places({ id }: { id: string }) {
  const credential = useQuery(askVault('GET /api/v1/credentials/:id', { params: { id } }));
  const uses = useQuery(askVault('GET /api/v1/credentials/:id/uses', { params: { id } }));
  const { run, busy, problem } = useVaultDeed('PATCH /api/v1/credentials/:id', lists);
  // All addresses are said at once: a change waits for what the one before made of them, else it would undo it.
  const isChanging = busy || credential.isFetching;
  const say: SayAddresses = async (allowed_urls) =>
    (await run({ params: { id }, body: { allowed_urls } })) !== null;
  return (
    <section aria-label="Where it may be used" className="mt-5">
      <h3 className="mb-1 text-base">Where it may be used</h3>
      <Loaded query={credential} skeleton={<BoneRows rows={1} />}>
        {({ allowed_urls }) => (
          <Loaded query={uses} skeleton={<BoneRows rows={1} />}>
            {({ items }) => (
              <>
                {allowed_urls.length === 0 && (
                  <p className="text-sm text-pretty text-muted">
                    {items.length === 0
                      ? 'Nowhere yet. Allow an address, or approve the first use when you are asked.'
                      : 'No address is listed. You are asked before it is filled in anywhere else.'}
                  </p>
                )}
                <ul className="divide-y divide-line">
                  {allowed_urls.map((url) => (
                    <Address key={url} url={url} all={allowed_urls} busy={isChanging} say={say} />
                  ))}
                  {items.map((use) => (
                    <UsedPlace key={use.id} id={id} use={use} />
                  ))}
                </ul>
                {problem !== null && <Notice tone="bad">{problem}</Notice>}
                <AllowAddress known={allowed_urls} busy={isChanging} say={say} />
              </>
            )}
          </Loaded>
        )}
      </Loaded>
    </section>
  );
}

type AddressProps = {
  readonly url: string;
  readonly all: readonly string[];
  readonly busy: boolean;
  readonly say: SayAddresses;
};

function Address({ url, all, busy, say }: AddressProps) {
  const revoke = async () => {
    if (await say(all.filter((each) => each !== url)))
      showToast({ tone: 'ok', text: 'Revoked, starting with the next operation.' });
  };
  return (
    <Row name={url} busy={busy} problem={null} onRevoke={() => void revoke()}>
      <code className="font-mono text-xs [overflow-wrap:anywhere]">{legible(url)}</code>
    </Row>
  );
}

function UsedPlace({ id, use }: { id: string; use: CredentialUse }) {
  const { run, busy, problem } = useVaultDeed('DELETE /api/v1/credentials/:id/uses/:use_id', lists);
  const revoke = async () => {
    if ((await run({ params: { id, use_id: use.id } })) !== null)
      showToast({ tone: 'ok', text: 'Revoked, starting with the next operation.' });
  };
  const name = `field ${use.field} at ${use.origin}${use.path}`;
  return (
    <Row name={name} busy={busy} problem={problem} onRevoke={() => void revoke()}>
      <PlaceInWords place={use} />
      <span className="block text-xs text-muted">
        Allowed by {use.allowed_by}, <Time at={use.created_at} />
      </span>
    </Row>
  );
}

type RowProps = {
  /** The accessible name of what the button revokes. */
  readonly name: string;
  readonly busy: boolean;
  readonly problem: string | null;
  readonly onRevoke: () => void;
  readonly children: ReactNode;
};

const Row = ({ name, busy, problem, onRevoke, children }: RowProps) => (
  <li className="py-2.5">
    <div className="flex items-center justify-between gap-4">
      <div className="min-w-0 text-sm">{children}</div>
      <Button kind="danger" busy={busy} onClick={onRevoke} aria-label={`Revoke ${legible(name)}`}>
        Revoke
      </Button>
    </div>
    {problem !== null && <Notice tone="bad">{problem}</Notice>}
  </li>
);

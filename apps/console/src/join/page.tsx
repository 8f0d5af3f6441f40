import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { AnswerOf } from '../api/endpoint.ts';
import { call } from '../api/call.ts';
import { problemText } from '../api/problem.ts';
import { Brand } from '../frame/brand.tsx';
import { namesOf } from '../people/roles.ts';
import { sayFarewell } from '../session/farewell.ts';
import { Address } from '../ui/address.tsx';
import { Bone } from '../ui/skeleton.tsx';
import { Notice } from '../ui/notice.tsx';
import { Verbatim } from '../ui/verbatim.tsx';
import { Accept } from './accept.tsx';

type Invitation = AnswerOf<'POST /api/invitations/look'>;
type Found =
  | { readonly kind: 'open'; readonly invitation: Invitation }
  | { readonly kind: 'closed'; readonly why: string };

/** The page behind an invitation: what it offers, and how to sign in. */
export function JoinPage() {
  const [token] = useState(() => window.location.hash.slice(1));
  const found = useInvitation(token);
  const enter = useEntrance();
  useEffect(() => {
    document.title = 'Join an account · Countersign';
  }, []);
  return (
    <main className="grid min-h-dvh place-items-center px-4 py-12">
      <div className="w-full max-w-[400px]">
        <Brand />
        <h1 className="mt-10 text-xl">Join an account</h1>
        <div className="mt-5 grid gap-6">
          {found === null && <Bone className="w-2/3" />}
          {found?.kind === 'closed' && <Notice tone="bad">{found.why}</Notice>}
          {found?.kind === 'open' && (
            <>
              <Offer {...found.invitation} />
              <Accept token={token} invitation={found.invitation} onDone={enter} />
            </>
          )}
        </div>
      </div>
    </main>
  );
}

function useInvitation(token: string): Found | null {
  const [found, setFound] = useState<Found | null>(null);
  useEffect(() => {
    const look = async () => {
      const answer = await call('POST /api/invitations/look', { body: { token } });
      setFound(
        answer.ok
          ? { kind: 'open', invitation: answer.value }
          : { kind: 'closed', why: problemText(answer.error) },
      );
    };
    if (token === '') setFound({ kind: 'closed', why: 'This link is incomplete. Ask for it again.' });
    else void look();
  }, [token]);
  return found;
}

function useEntrance() {
  const queries = useQueryClient();
  const router = useRouter();
  return () => {
    sayFarewell(null);
    queries.clear();
    // The token is spent, and stays in no history.
    router.history.replace('/');
  };
}

const Offer = ({ name, roles, walletAddress, renews }: Invitation) => (
  <p className="text-pretty [overflow-wrap:anywhere]">
    {renews ? 'Choose a new sign-in for ' : 'You are invited as '}
    <strong className="font-medium">
      <Verbatim text={name} />
    </strong>{' '}
    ({namesOf(roles)}) in the account of <Address value={walletAddress} />.
    {renews && ' Your current one stops working.'}
  </p>
);

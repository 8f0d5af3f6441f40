import { ReadableStream } from 'node:stream/web';
import { erasureStatement } from '@countersign/protocol/dashboard/erasure-statement';
import type { PersonalDataKind } from '@countersign/protocol/dashboard/personal-data';
import { ok } from '@countersign/protocol/result';
import type { Streamed } from '@countersign/service/http';
import type { Logger } from '@countersign/service/logger';
import type { Account } from '../accounts/account.ts';
import type { Sessions } from '../auth/session.ts';
import { type ProofParts, proveWallet } from '../auth/wallet-proof.ts';
import type { DashboardHandlers } from '../callers.ts';
import type { Sealer } from '../compliance/seal.ts';
import type { Tell } from '../events/notice.ts';
import { refusal } from '../refusal.ts';
import { countPersonalData, erasedLast, type Subject } from './count.ts';
import { erasePersonalData } from './erase.ts';
import { exportPersonalData } from './export.ts';
import { personalDataKinds } from './kinds.ts';

type PersonalParts = ProofParts & {
  readonly sealer: Sealer | null;
  readonly sessions: Sessions;
  readonly kycRetentionDays: number;
  readonly tell: Tell;
  readonly log: Logger;
};

/** Handles an account's personal data: summary, export, erasure. */
export function personalDataHandlers(
  parts: PersonalParts,
): Pick<DashboardHandlers, 'personalData' | 'exportPersonalData' | 'erasePersonalData'> {
  const { pool, sessions, kycRetentionDays, now, tell, log } = parts;
  return {
    async personalData({ caller: { account } }) {
      const counts = await countPersonalData(pool, subjectOf(account));
      const erased = await erasedLast(pool, account.id);
      const kinds = Object.entries(personalDataKinds(kycRetentionDays));
      const data = kinds.map(([name, about]) => {
        const kind = name as PersonalDataKind;
        return { kind, ...about, count: counts[kind] };
      });
      return ok({ data, erasedAt: erased?.at.toISOString() ?? null, erasedBy: erased?.by ?? null });
    },

    exportPersonalData: async ({ caller: { account } }) => download(parts, account),

    async erasePersonalData({ body, caller: { account } }) {
      const proof = await proveWallet(parts, body);
      // A session can be stolen. What cannot be undone takes the wallet, and a message that says so and nothing else.
      const refused = (why: string) => refusal('UNAUTHORIZED_OPERATION', `nothing was erased: ${why}`);
      if (!proof.ok) return refused(proof.error);
      const { address, statement } = proof.value.message;
      if (address !== account.walletAddress) return refused('the message belongs to another wallet');
      if (statement !== erasureStatement) return refused('the message does not ask for an erasure');
      const erasedAt = now();
      const { erased, notices } = await erasePersonalData(pool, subjectOf(account), 'person', erasedAt);
      for (const notice of notices) tell(notice);
      log.info({ account: account.id, erased }, 'personal data were erased as the person asked');
      return {
        ...ok({ erasedAt: erasedAt.toISOString(), erased }),
        headers: { 'set-cookie': sessions.forget },
      };
    },
  };
}

const subjectOf = ({ id, walletAddress }: Account): Subject => ({ accountId: id, wallet: walletAddress });

function download({ pool, sealer, kycRetentionDays, now }: PersonalParts, account: Account): Streamed {
  const at = now();
  const pieces = exportPersonalData(
    { db: pool, sealer, subject: subjectOf(account) },
    { account, retentionDays: kycRetentionDays, now: at },
  );
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-disposition': `attachment; filename="personal-data-${at.toISOString().slice(0, 10)}.json"`,
  };
  return { ok: true, stream: ReadableStream.from(pieces), headers };
}

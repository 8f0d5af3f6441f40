import type { Address } from '@countersign/protocol/address';
import {
  noAddress,
  type RecoveryMessages,
  type RecoveryStatement,
  recoveryTypedData,
} from '@countersign/protocol/dashboard/recovery-statement';
import { createLogger } from '@countersign/service/logger';
import { createPool } from '@countersign/service/sql';
import { closeDue } from '../../src/recovery/upkeep.ts';
import { chainId, type Json, type TestDashboard, type Wallet } from '../dashboard.ts';
import { urlOf } from '../personal-data.ts';

export const [hourMs, dayMs] = [60 * 60_000, 24 * 60 * 60_000];

type Owner = {
  readonly wallet: Wallet;
  readonly address: Address;
  readonly token: string;
  readonly account: Json;
};

/** A fresh nonce, and the statement about it that this wallet signs. */
const signerOf =
  (dashboard: TestDashboard) =>
  async <S extends RecoveryStatement>(
    wallet: Wallet,
    name: S,
    message: Omit<RecoveryMessages[S], 'nonce'>,
  ) => {
    const { nonce } = (await dashboard.post('/api/auth/nonce', {})).data;
    const whole = { ...message, nonce } as RecoveryMessages[S];
    return { nonce, signature: wallet.signTypedData(recoveryTypedData(name, whole, chainId)) };
  };

/** What a test does about lost wallets. Sessions of its accounts are renewed, as the clock moves by days. */
export function recoveryCalls(dashboard: TestDashboard) {
  const log = createLogger('dashboard', 'silent');
  const again = async (owner: Owner): Promise<string> =>
    (await dashboard.loginReply(owner.wallet)).data.token;

  const signed = signerOf(dashboard);
  async function name(owner: Owner, address: Address | null, wallet = owner.wallet) {
    const message = {
      accountId: owner.account.id,
      wallet: owner.address,
      recoveryAddress: address ?? noAddress,
    };
    const proof = await signed(wallet, 'NameRecoveryAddress', message);
    return dashboard.post(
      '/api/recovery/address',
      { recoveryAddress: address, ...proof },
      await again(owner),
    );
  }
  async function claim(by: Owner, lost: Pick<Owner, 'address'>, wallet = by.wallet) {
    const message = {
      wallet: lost.address,
      recoveryAddress: by.address,
      recoveringAccountId: by.account.id,
    };
    const proof = await signed(wallet, 'RecoverAccount', message);
    return dashboard.post('/api/recovery/claims', { walletAddress: lost.address, ...proof }, await again(by));
  }
  async function object(by: Owner, id: string, wallet = by.wallet) {
    const proof = await signed(wallet, 'ObjectToRecovery', { id, wallet: by.address });
    return dashboard.post('/api/recovery/objections', { id, ...proof }, await again(by));
  }
  async function read(owner: Owner): Promise<Json> {
    const token = await again(owner);
    return (await dashboard.request('GET', '/api/recovery', { token })).data.recovery;
  }
  /** One round of the process that closes what is due. */
  async function closeNow() {
    const pool = createPool(urlOf(dashboard), log);
    try {
      await closeDue(pool, dashboard.clock.now, () => {}, log);
    } finally {
      await pool.end();
    }
  }
  /** An account, and another one that it names. */
  async function newPair() {
    const [owner, helper] = [await dashboard.newAccount(), await dashboard.newAccount()];
    await name(owner, helper.address);
    return { owner, helper };
  }
  /** The account of `owner` is recovered by `helper`. */
  async function recover(owner: Owner, helper: Owner) {
    const claimed = await claim(helper, owner);
    dashboard.clock.advance(2 * dayMs);
    await closeNow();
    return claimed;
  }
  return { again, signed, name, claim, object, read, closeNow, newPair, recover };
}

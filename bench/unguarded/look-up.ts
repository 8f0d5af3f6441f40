// In place of apps/dashboard/src/payees/look-up.ts: every payee is admitted, and no record is asked.
import type { partyLookUp as realPartyLookUp } from '../../apps/dashboard/src/payees/look-up.ts';

export const partyLookUp: typeof realPartyLookUp =
  ({ kyc }) =>
  async (address) => {
    const found = await kyc.lookUp(address);
    return found.kind === 'unavailable' || found.status === 'rejected'
      ? found
      : { ...found, status: 'approved' };
  };

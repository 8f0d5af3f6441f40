import type { X509Certificate } from 'node:crypto';
import { type DerItem, derItems, extensionsOf, itemsIn } from '../der.ts';

/** The claims of a processor's certificate (Intel SGX PCK Certificate Profile, 1.3.5). Hex is lower case. */
export type Processor = {
  readonly ppid: string;
  readonly fmspc: string;
  readonly pceId: string;
  /** 16 security versions of the firmware, and that of the provisioning enclave. */
  readonly cpuSvn: readonly number[];
  readonly pceSvn: number;
};

/** Intel's arc 1.2.840.113741.1.13.1 in hex. */
const arc = '2a864886f84d010d01';
const ids = { ppid: `${arc}01`, tcb: `${arc}02`, pceId: `${arc}03`, fmspc: `${arc}04` } as const;
const componentId = (n: number): string => `${ids.tcb}${n.toString(16).padStart(2, '0')}`;

/** Null when the certificate is not that of a processor. */
export function readProcessor(pck: X509Certificate | undefined): Processor | null {
  const extension = pck === undefined ? undefined : extensionsOf(pck.raw).get(arc);
  const [list] = extension === undefined ? [] : (derItems(extension) ?? []);
  const entries = entriesOf(list);
  const tcb = entriesOf(entries.get(ids.tcb));
  const cpuSvn = Array.from({ length: 16 }, (_, i) => numberOf(tcb.get(componentId(i + 1))));
  const pceSvn = numberOf(tcb.get(componentId(17)));
  const [ppid, pceId, fmspc] = [ids.ppid, ids.pceId, ids.fmspc].map((id) =>
    entries.get(id)?.value.toString('hex'),
  );
  if (ppid === undefined || pceId === undefined || fmspc === undefined) return null;
  if (pceSvn === null || !cpuSvn.every((svn) => svn !== null)) return null;
  return { ppid, pceId, fmspc, cpuSvn, pceSvn };
}

/** Pairs of object identifier (hex) and value. */
const entriesOf = (list: DerItem | undefined): ReadonlyMap<string, DerItem> =>
  new Map(
    itemsIn(list).flatMap((entry): [string, DerItem][] => {
      const [id, value] = itemsIn(entry);
      return id === undefined || value === undefined ? [] : [[id.value.toString('hex'), value]];
    }),
  );

/** An INTEGER of at most two bytes beside its sign; null for anything else. */
function numberOf(item: DerItem | undefined): number | null {
  const [integer, maxBytes] = [2, 3];
  if (item?.tag !== integer || item.value.length === 0 || item.value.length > maxBytes) return null;
  return item.value.readIntBE(0, item.value.length);
}

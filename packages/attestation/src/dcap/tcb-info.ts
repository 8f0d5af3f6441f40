import { z } from 'zod';

/** Lower-case hex of so many bytes. */
const hex = (bytes: number) =>
  z
    .string()
    .regex(new RegExp(`^[0-9a-fA-F]{${2 * bytes}}$`))
    .transform((text) => text.toLowerCase());
const svn = z.int().min(0).max(65_535);
const components = z
  .array(z.object({ svn: z.int().min(0).max(255) }))
  .length(16)
  .transform((list) => list.map((component) => component.svn));
const advisoryIDs = z.array(z.string().max(64)).max(1000).default([]);

/** Intel's status of a TCB level. Modules and enclaves use only the first value and the last two. */
export const levelStatus = z.enum([
  'UpToDate',
  'SWHardeningNeeded',
  'ConfigurationNeeded',
  'ConfigurationAndSWHardeningNeeded',
  'OutOfDateConfigurationNeeded',
  'OutOfDate',
  'Revoked',
]);
const moduleStatus = levelStatus.extract(['UpToDate', 'OutOfDate', 'Revoked']);

const dates = { issueDate: z.iso.datetime(), nextUpdate: z.iso.datetime() };

const moduleLevels = z
  .array(z.object({ tcb: z.object({ isvsvn: svn }), tcbStatus: moduleStatus, advisoryIDs }))
  .max(1000);
export type ModuleLevels = z.infer<typeof moduleLevels>;

const moduleIdentity = { mrsigner: hex(48), attributes: hex(8), attributesMask: hex(8) };

const tcbLevel = z.object({
  tcb: z.object({
    sgxtcbcomponents: components,
    pcesvn: svn,
    tdxtcbcomponents: components.optional(),
  }),
  tcbStatus: levelStatus,
  advisoryIDs,
});
export type TcbLevel = z.infer<typeof tcbLevel>;

/** Intel's TCB info, version 3 (Intel PCS, "Get TCB Info"). Newest level first. Believed once its signature is checked. */
export const tcbInfo = z.object({
  id: z.enum(['SGX', 'TDX']),
  version: z.literal(3),
  ...dates,
  fmspc: hex(6),
  pceId: hex(2),
  tcbLevels: z.array(tcbLevel).min(1).max(1000),
  /** TDX only: the module with version 0. */
  tdxModule: z.object(moduleIdentity).optional(),
  /** TDX only: modules of later versions, by `TDX_` and the version in hex. */
  tdxModuleIdentities: z
    .array(
      z.object({
        id: z.string().transform((text) => text.toUpperCase()),
        ...moduleIdentity,
        tcbLevels: moduleLevels,
      }),
    )
    .max(256)
    .default([]),
});
export type TcbInfo = z.infer<typeof tcbInfo>;

/** Intel's identity of its quoting enclaves, version 2 or later (Intel PCS, "Get Quoting Enclave Identity"). */
export const qeIdentity = z.object({
  id: z.enum(['QE', 'TD_QE']),
  version: z.int().min(2).max(3),
  ...dates,
  miscselect: hex(4),
  miscselectMask: hex(4),
  attributes: hex(16),
  attributesMask: hex(16),
  mrsigner: hex(32),
  isvprodid: svn,
  tcbLevels: moduleLevels,
});
export type QeIdentity = z.infer<typeof qeIdentity>;

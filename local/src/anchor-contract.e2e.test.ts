import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { auditAnchor } from '@countersign/contracts/audit-anchor';
import { createPublicClient, http } from 'viem';
import { afterAll, expect, test } from 'vitest';
import { startSystem } from './system.ts';

const dir = mkdtempSync(join(tmpdir(), 'countersign-anchor-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

test('the chain holds AuditAnchor at the address of the card, for the operator, over restarts [system.start.anchor-contract]', async () => {
  const addresses = [];
  for (let start = 0; start < 2; start += 1) {
    const { card, stop } = await startSystem({ dir, portBase: 0, env: process.env, only: ['chain'] });
    const { rpcUrl, anchorAddress, operator } = card;
    if (rpcUrl === null || anchorAddress === null) throw new Error('the chain is not up');
    const client = createPublicClient({ transport: http(rpcUrl) });
    const contract = { address: anchorAddress, abi: auditAnchor.abi } as const;
    expect(await client.readContract({ ...contract, functionName: 'publisher' })).toBe(operator.address);
    expect(await client.getCode({ address: anchorAddress })).toBe(auditAnchor.deployedBytecode);
    addresses.push(anchorAddress);
    await stop();
  }
  expect(addresses[1]).toBe(addresses[0]);
});

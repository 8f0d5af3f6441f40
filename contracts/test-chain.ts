import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

export type TestChain = { url: string; stop: () => Promise<void> };

/**
 * A fresh chain with Base Sepolia's id, on a free port of its own choice, ready to answer.
 *
 * anvil does not die with its parent: whoever starts a chain stops it.
 */
export async function startTestChain(): Promise<TestChain> {
  const anvil = spawn(anvilPath(), ['--port', '0', '--chain-id', '84532'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(anvil, 'exit');
  const url = await urlPrinted(anvil.stdout);

  return {
    url,
    stop: async () => {
      anvil.kill();
      await ended;
    },
  };
}

/** The binary itself: npm's `anvil` is a script that would stand between us and the process to stop. */
function anvilPath(): string {
  // The platform's binary is a dependency of anvil, not of ours, and is looked for from there.
  const require = createRequire(import.meta.url);
  const anvil = createRequire(require.resolve('@foundry-rs/anvil/package.json'));
  const cpu = process.arch === 'x64' ? 'amd64' : process.arch;
  const file = process.platform === 'win32' ? 'anvil.exe' : 'anvil';
  return anvil.resolve(`@foundry-rs/anvil-${process.platform}-${cpu}/bin/${file}`);
}

function urlPrinted(stdout: Readable): Promise<string> {
  return new Promise((resolve, reject) => {
    // Reads on after the address, or anvil would block on a full pipe.
    createInterface({ input: stdout })
      .on('line', (line) => {
        const address = /^Listening on (\S+)/.exec(line)?.[1];
        if (address !== undefined) resolve(`http://${address}`);
      })
      .on('close', () => reject(new Error('anvil ended before it listened')));
  });
}

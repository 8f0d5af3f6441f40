import type { Agent } from '@countersign/protocol/dashboard/agents';
import { Time } from '../ui/time.tsx';

const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;

const listed = (texts: readonly string[]): string =>
  [texts.slice(0, -1).join(', '), texts.at(-1)].filter(Boolean).join(' and ');

/** Shows what stopping the agent ended with it, as recorded. */
export function WhatStopDid({ agent: { stop } }: { agent: Agent }) {
  const after = 'This agent pays nothing; its key can still move what is left in its wallet.';
  if (stop === null) return `Stopped. ${after}`;
  const ended = [
    counted(stop.mandates.length, 'mandate'),
    counted(stop.keys.length, 'API key'),
    counted(stop.connections.length, 'connected client'),
  ].filter((text) => !text.startsWith('0 '));
  return (
    <>
      Stopped <Time at={stop.at} />.{ended.length > 0 && ` Revoked with it: ${listed(ended)}.`} {after}
    </>
  );
}

import { fail } from '@countersign/protocol/result';
import type { Handlers } from '../core/serve.ts';

type SessionCommand = keyof Handlers & `session.${string}`;

const unavailable = fail({ code: 'SANDBOX_UNAVAILABLE' } as const);

/** The commands on browser sessions. */
export const sessionHandlers = (): Pick<Handlers, SessionCommand> => ({
  'session.open': () => unavailable,
  'session.operate': () => unavailable,
  'session.decide': () => unavailable,
  'session.screenshot': () => unavailable,
  'session.export': () => unavailable,
  'session.pause': () => unavailable,
  'session.resume': () => unavailable,
  'session.close': () => unavailable,
  'session.state': () => unavailable,
  'session.events': () => unavailable,
});

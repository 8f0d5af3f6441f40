import { type Env, text, Variables } from '@countersign/service/config';

/** The gateway's state directory, for commands that need nothing else of its configuration. */
export const stateDirOf = (env: Env): string =>
  new Variables(env).withDefault('GATEWAY_STATE_DIR', '.countersign/gateway', text);

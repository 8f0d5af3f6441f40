import { refusal } from '../refusal.ts';
import type { StoredRotation } from './store.ts';

/** Why nothing else is done with a credential meanwhile. */
export const underWay = ({ id, state, executionId }: StoredRotation) =>
  refusal('rotation_under_way', waysOut[state === 'unresolved' ? 'unresolved' : 'running'], {
    rotation_id: id,
    execution_id: executionId,
    state,
  });

const waysOut = {
  running: 'a rotation is in progress: wait until it ends, or cancel its execution before it runs',
  unresolved: 'the outcome of its last rotation is unknown: confirm which value is valid',
} as const;

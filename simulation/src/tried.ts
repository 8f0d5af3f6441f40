export { putBack } from './bugs.ts';
export { replay, runSeeds } from './run.ts';

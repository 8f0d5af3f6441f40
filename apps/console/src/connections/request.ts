import type { AnswerOf } from '../api/endpoint.ts';

/** A client that waits for its owner, and the agents that it can act as. */
export type ConnectionRequest = AnswerOf<'GET /oauth/interactions/:uid/request'>;

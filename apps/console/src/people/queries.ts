import type { AnswerOf } from '../api/endpoint.ts';
import { ask } from '../api/queries.ts';

export type Person = AnswerOf<'GET /api/people'>['data'][number];
export type Invitation = AnswerOf<'GET /api/people/invitations'>['data'][number];
export type Change = AnswerOf<'GET /api/people/changes'>['data'][number];
export type ShutOut = AnswerOf<'GET /api/people/shut-out'>['data'][number];
export type NewInvitation = AnswerOf<'POST /api/people/invitations'>;

export const people = ask('GET /api/people', {});
export const invitations = ask('GET /api/people/invitations', {});
export const shutOut = ask('GET /api/people/shut-out', {});

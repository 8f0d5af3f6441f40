import type { AnswerOf } from '../api/endpoint.ts';

export type Overview = AnswerOf<'GET /api/overview'>;
export type Day = Overview['daily'][number];

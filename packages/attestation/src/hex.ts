import { z } from 'zod';

/** Hex of whole bytes, of any case. Not by a pattern with a repeated group: long text would exhaust its stack. */
export const isHex = (text: string): boolean => text.length % 2 === 0 && /^[0-9a-fA-F]*$/.test(text);

export const hexText = z.string().refine(isHex, 'must be hex');

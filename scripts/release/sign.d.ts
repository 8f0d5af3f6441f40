import type { KeyObject } from 'node:crypto';

export function readSigningKey(file: string): KeyObject;
export function sumsOf(folder: string, files: readonly string[]): string;
export function signatureOf(text: string, key: KeyObject): Buffer;
export function attestationOf(statement: object, key?: KeyObject | null): string;
export function fingerprintOf(key: KeyObject): string;

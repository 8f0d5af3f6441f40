import type { fileTypes, PayeeFile } from '@countersign/protocol/dashboard/payees';

/** So many bytes a file may have, as the server says. */
export const maxKiB = 180;

/** Media type of a file that may be added; null for another kind. */
export const typeOf = ({ type }: Pick<File, 'type'>): PayeeFile['mediaType'] | null =>
  types.find((each) => each === type) ?? null;

const types: typeof fileTypes = ['application/pdf', 'image/png', 'image/jpeg', 'text/plain'];
export const accepted = types.join(',');

/** Returns a file's content in base64. */
export async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

/** The bytes of base64. */
export const bytesOf = (content: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));

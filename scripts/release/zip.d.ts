export function withOneTime(archive: Uint8Array): Buffer;

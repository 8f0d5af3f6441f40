/** Gives a text to the reader as a file. */
export const download = (text: string, name: string, type = 'application/json'): void =>
  save(new Blob([text], { type }), name);

/** Gives bytes to the reader as a file, never as something that the browser shows. */
export const downloadBytes = (bytes: Uint8Array<ArrayBuffer>, name: string, type: string): void =>
  save(new Blob([bytes], { type }), name);

function save(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

// Makes a ZIP archive the same whenever it was packed (APPNOTE.TXT 6.3.10, 4.3.7, 4.3.12 and 4.3.16).

const signatures = { file: 0x04034b50, entry: 0x02014b50, end: 0x06054b50 };
/** 1 January 1980, 0:00: the first that the format knows. */
const firstTime = 0x0021_0000;

/** A copy in which every file has one time. Throws where it is no archive whose end is its last 22 bytes. */
export function withOneTime(archive) {
  const zip = Buffer.from(archive);
  const end = zip.length - 22;
  if (end < 0 || zip.readUInt32LE(end) !== signatures.end) throw new Error('this is no ZIP archive');
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    expectAt(zip, at, signatures.entry);
    zip.writeUInt32LE(firstTime, at + 12);
    const file = zip.readUInt32LE(at + 42);
    expectAt(zip, file, signatures.file);
    zip.writeUInt32LE(firstTime, file + 10);
    at += 46 + zip.readUInt16LE(at + 28) + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return zip;
}

function expectAt(zip, at, signature) {
  if (zip.readUInt32LE(at) !== signature) throw new Error('this ZIP archive is not whole');
}

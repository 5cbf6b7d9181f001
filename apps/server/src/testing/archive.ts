import { inflateRawSync } from 'node:zlib'

const END = 0x06054b50
const END_BYTES = 22
const ENTRY_BYTES = 46
const LOCAL_BYTES = 30

/** The files of a small ZIP archive by name, found through its central directory (APPNOTE 4.3). */
export function filesIn(zip: Buffer): Map<string, Buffer> {
  const end = zip.length - END_BYTES
  if (zip.readUInt32LE(end) !== END) throw new Error('no archive')
  const files = new Map<string, Buffer>()
  let place = zip.readUInt32LE(end + 16)
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    const at = (offset: number) => zip.readUInt16LE(place + offset)
    const [method, size, local] = [at(10), zip.readUInt32LE(place + 20), zip.readUInt32LE(place + 42)]
    const name = zip.toString('utf8', place + ENTRY_BYTES, place + ENTRY_BYTES + at(28))
    const start = local + LOCAL_BYTES + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
    const bytes = zip.subarray(start, start + size)
    files.set(name, method === 0 ? Buffer.from(bytes) : inflateRawSync(bytes))
    place += ENTRY_BYTES + at(28) + at(30) + at(32)
  }
  return files
}

/** How files of the formats that are taken begin, as hex; `..` stands for any byte. */
const BEGINNINGS = {
  jpeg: 'ffd8ff',
  png: '89504e470d0a1a0a0000000d49484452',
  webp: '52494646........57454250',
} as const

export type PictureFormat = keyof typeof BEGINNINGS

/** The format that the first bytes name, whatever the file is called; null for all that is not taken. */
export function pictureFormatOf(bytes: Buffer): PictureFormat | null {
  const head = bytes.subarray(0, 16).toString('hex')
  const formats = Object.keys(BEGINNINGS) as PictureFormat[]
  return formats.find((format) => new RegExp(`^${BEGINNINGS[format]}`).test(head)) ?? null
}

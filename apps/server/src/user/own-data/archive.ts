import { Readable } from 'node:stream'
import type { ZipFile } from 'yazl'
import { zip as zipPackage } from '../../load-when-needed.ts'
import { csvFileOf, jsonOf, type Section } from './section.ts'

/** A picture of an archive: its name, and how its bytes are had once its turn comes. Null: they are gone. */
export type ArchivedPicture = { readonly name: string; bytes(): Promise<Buffer | null> }

type Contents = {
  readonly about: string
  readonly sections: readonly Section[]
  readonly pictures: readonly ArchivedPicture[]
}

/**
 * A ZIP archive that is made while it is read, one file after the other: at any moment a page of rows or one picture is in memory.
 * Whoever stops reading stops the making; what goes wrong while reading ends the stream with that error.
 */
export function archiveOf({ about, sections, pictures }: Contents): Readable {
  const zip = new (zipPackage().ZipFile)()
  const output = zip.outputStream as Readable
  zip.on('error', (error: Error) => output.destroy(error))
  zip.addBuffer(Buffer.from(about), 'about.txt')
  for (const section of sections) {
    addText(zip, `${section.name}.json`, () => jsonOf(section))
    addText(zip, `${section.name}.csv`, () => csvFileOf(section))
  }
  for (const { name, bytes } of pictures)
    zip.addReadStreamLazy(`pictures/${name}`, { compress: false }, (take) => {
      bytes().then(
        (found) => take(null, Readable.from(found === null ? [] : [found])),
        (error: unknown) => take(error, Readable.from([])),
      )
    })
  zip.end()
  return output
}

const addText = (zip: ZipFile, name: string, text: () => AsyncGenerator<string>): void =>
  zip.addReadStreamLazy(name, (take) => take(null, Readable.from(text(), { objectMode: false })))

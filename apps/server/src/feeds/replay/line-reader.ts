import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'

/** Longer lines are no recording: what has come of them is dropped, so a file without line ends cannot fill the memory. */
const LONGEST_LINE = 65_536

/** Lines of a text file (`.gz`: unpacked on the way), some thousand at a time. Throws when it cannot be read. */
export async function* readLines(path: string): AsyncGenerator<string[]> {
  let rest = ''
  for await (const chunk of textOf(path)) {
    const lines = (rest + String(chunk)).split(/\r?\n/)
    rest = (lines.pop() ?? '').slice(0, LONGEST_LINE)
    if (lines.length > 0) yield lines
  }
  if (rest) yield [rest]
}

function textOf(path: string): AsyncIterable<unknown> {
  const bytes = createReadStream(path)
  if (!path.toLowerCase().endsWith('.gz')) return bytes.setEncoding('utf8')
  // The callback keeps a broken archive from ending the process; the error comes out of the loop that reads.
  return pipeline(bytes, createGunzip(), () => undefined).setEncoding('utf8')
}

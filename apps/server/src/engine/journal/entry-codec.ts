import type { Entry, Event, Request } from '@fairlot/core'
import { eventCodec } from './event-codec.ts'
import { list, number, orNull, record, text, type Codec } from './field-codec.ts'
import { upgradeEntry, upgradeEvent } from './first-version.ts'
import { authorCodec } from './terms-codec.ts'

/** What the journal is written in; entries that name none are of the first version. */
const VERSION = 2

const requestCodec = orNull(record<Request>({ accountId: number(), call: text, id: text, digest: text }))

const versionCodec: Codec<typeof VERSION> = {
  write: String,
  read: (raw) => {
    if (raw === VERSION) return VERSION
    throw new Error(
      `this journal has entries of version ${String(raw)}; this program knows them up to ${VERSION}`,
    )
  },
}

const entryCodec = record<Entry & { readonly version: typeof VERSION }>({
  version: versionCodec,
  at: number(),
  author: authorCodec,
  request: requestCodec,
  events: list(eventCodec),
})

/** An entry as JSON text, and the text of each of its events: what follows the journal need not write them again. */
export type EncodedEntry = { readonly text: string; readonly events: readonly string[] }

export function encodeEntry({ at, author, request, events }: Entry): EncodedEntry {
  const texts = events.map((event) => inOnePiece(eventCodec.write(event)))
  const head = `{"version":${VERSION},"at":${at},"author":${authorCodec.write(author)}`
  return {
    text: `${head},"request":${requestCodec.write(request)},"events":${listed(texts)}}`,
    events: texts,
  }
}

/**
 * The same text in one piece. One that was joined of many is a tree of its pieces to the runtime until somebody reads it; kept like that
 * until the tables have it, it costs the garbage collector more than all the rest of an order.
 */
const inOnePiece = (text: string): string => {
  Buffer.byteLength(text)
  return text
}

/** Texts of values as the text of a list of them. */
export const listed = (texts: readonly string[]): string => `[${texts.join(',')}]`

/** Entries of any version so far. Throws where the text is none of them. */
export const decodeEntries = (text: string): Entry[] => parseList(text).map(readEntry)

/** An entry with the texts of its events as the journal has them, whatever their version: receipts are hashes of these. */
export type WrittenEntry = {
  readonly version: 1 | typeof VERSION
  readonly entry: Entry
  readonly texts: readonly string[]
}

export const decodeWritten = (text: string): WrittenEntry[] =>
  parseList(text).map((raw) => ({
    version: isFirstVersion(raw) ? 1 : VERSION,
    entry: readEntry(raw),
    texts: (raw as { events: unknown[] }).events.map((event) => JSON.stringify(event)),
  }))

const isFirstVersion = (raw: unknown): boolean =>
  typeof raw === 'object' && raw !== null && !('version' in raw)

function readEntry(raw: unknown): Entry {
  const { version: _, ...entry } = entryCodec.read(isFirstVersion(raw) ? upgradeEntry(raw as never) : raw)
  return entry
}

/** One event of any version so far, as JSON.parse gives it. */
export const readEvent = (raw: unknown): Event => eventCodec.read(upgradeEvent(raw))

export const decodeEvent = (text: string): Event => readEvent(JSON.parse(text))

export const encodeEvent = eventCodec.write

function parseList(text: string): unknown[] {
  const parsed: unknown = JSON.parse(text)
  if (Array.isArray(parsed)) return parsed
  throw new Error('the journal has no list where entries belong')
}

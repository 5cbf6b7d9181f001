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

/** An entry as JSON text. Its events stand at its end, each as long as `eventLengths` says. */
export type EncodedEntry = { readonly text: string; readonly eventLengths: readonly number[] }

export function encodeEntry({ at, author, request, events }: Entry): EncodedEntry {
  let text = `{"version":${VERSION},"at":${at},"author":${authorCodec.write(author)}`
  text += `,"request":${requestCodec.write(request)},"events":[`
  const eventLengths: number[] = []
  for (const event of events) {
    const written = eventCodec.write(event)
    text += eventLengths.length === 0 ? written : `,${written}`
    eventLengths.push(written.length)
  }
  return { text: text + EVENTS_END, eventLengths }
}

const EVENTS_END = ']}'

/** Entries as one text, as a row of the journal has them. */
export function listed(entries: readonly EncodedEntry[]): string {
  // Not a join: each entry is a tree of its pieces to the runtime, and so they are all put together once.
  let text = ''
  for (const entry of entries) text += text === '' ? entry.text : `,${entry.text}`
  return `[${text}]`
}

/**
 * The texts of the events of each entry: what follows the journal need not write them again. They are cut out of the text that has all
 * entries, and so share its place in memory: kept one by one they cost the garbage collector more than all the rest of an order.
 */
export function eventTexts(text: string, entries: readonly EncodedEntry[]): string[][] {
  let entryAt = 1
  return entries.map((entry) => {
    const entryEnd = entryAt + entry.text.length
    const between = Math.max(0, entry.eventLengths.length - 1)
    let at = entry.eventLengths.reduce(
      (start, length) => start - length,
      entryEnd - EVENTS_END.length - between,
    )
    entryAt = entryEnd + 1
    return entry.eventLengths.map((length) => {
      const written = text.slice(at, at + length)
      at += length + 1
      return written
    })
  })
}

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

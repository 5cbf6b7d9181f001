import type { Entry, Event, Request } from '@fairlot/core'
import { authorCodec, eventCodec } from './event-codec.ts'
import { list, number, orNull, record, text, type Codec } from './field-codec.ts'
/** Version of the entries written; entries without a version are of the first. */
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

/** An entry as JSON text. Its events are at the end; `eventLengths` has the length of each. */
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

/** Entries as one JSON list, as stored in a row of the journal. */
export function listed(entries: readonly EncodedEntry[]): string {
  // Not a join: V8 holds each entry as a rope, and so flattens them all only once.
  let text = ''
  for (const entry of entries) text += text === '' ? entry.text : `,${entry.text}`
  return `[${text}]`
}

/**
 * The texts of the events of each entry, so that the tables need not encode them again. They are slices of the text of all
 * entries and share its memory: as separate strings they cost the garbage collector more than all the rest of an order.
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

/** Reads entries of any version so far. Throws when the text is not a list of entries. */
export const decodeEntries = (text: string): Entry[] => parseList(text).map(readEntry)

/** An entry with the texts of its events exactly as in the journal, of any version: receipts are hashes of these. */
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
  throw new Error('the journal has no list where entries are expected')
}

/**
 * Entries of the first version have no version, author or terms. They are upgraded when they are read; the journal itself,
 * whose texts receipts are hashes of, stays as it was written.
 */
type Raw = Readonly<Record<string, unknown>>

const isObject = (raw: unknown): raw is Raw => typeof raw === 'object' && raw !== null && !Array.isArray(raw)

/** An entry of the first version as the second would have written it. */
function upgradeEntry(raw: Raw): Raw {
  const events = Array.isArray(raw['events']) ? raw['events'].map(upgradeEvent) : []
  return { version: 2, ...raw, author: authorOf(raw['request'], events), events }
}

/** Upgrades an event of the first version; later ones are returned unchanged. */
function upgradeEvent(raw: unknown): unknown {
  if (!isObject(raw)) return raw
  const { receipt } = raw
  if (isObject(receipt) && receipt['terms'] === undefined)
    return { ...raw, receipt: { ...receipt, terms: 0 } }
  // In the first version `moneyMoved` was written only by a demo reset.
  return raw['type'] === 'moneyMoved' ? { ...raw, type: 'demoReset' } : raw
}

const operator = (reason: unknown) => ({
  type: 'operator',
  id: 0,
  role: 'administrator',
  reason: typeof reason === 'string' ? reason : '',
  second: null,
})
const MARKET = { type: 'market' }
const CLOCK = { type: 'clock' }

/** The author of an entry, derived from its request or from its first event. */
function authorOf(request: unknown, [first]: readonly unknown[]): Raw {
  if (isObject(request)) return user(request)
  if (!isObject(first)) return CLOCK
  switch (first['type']) {
    case 'instrumentHalted':
      return operator(first['reason'])
    case 'tradingModeSet':
      return operator('')
    case 'rolledOver':
      return CLOCK
    case 'stopsSet':
      // Setting the stops ends the trailing, so only a user clears the distance.
      return first['trailingDistance'] === null ? user(first) : MARKET
    default:
      return isObject(first['receipt']) ? byTrigger(first, first['receipt']['trigger']) : user(first)
  }
}

const user = ({ accountId }: Raw): Raw => ({ type: 'user', accountId })

function byTrigger(event: Raw, trigger: unknown): Raw {
  switch (trigger) {
    case 'user':
      return user(event)
    case 'operator':
      return operator('')
    case 'expiry':
    case 'rollover':
      return CLOCK
    default:
      return MARKET
  }
}

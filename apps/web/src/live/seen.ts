import type { InstrumentListing } from '@fairlot/contract'
import type { QueryKey } from '@tanstack/react-query'
import { useConnection } from './connection/connection-state.ts'
import { readStored, writeStored } from './device/storage.ts'
import { currentToken, onTokenChange } from './device/token.ts'
import { quoteOf, receiveListing } from './market/quotes.ts'
import { languageOfPage } from './requests/page-data.ts'
import { queryClient } from './requests/query-client.ts'

/** Answers that a start without a connection shows again, with their age. */
const PUBLIC: readonly QueryKey[] = [['instruments'], ['categories'], ['basicInfo']]
const OWN: readonly QueryKey[] = [
  ['user', 'info'],
  ['figures'],
  ['watched'],
  ['orders', 'holding'],
  ['orders', 'pending'],
  ['orders', 'history'],
]
/** More than that is not stored: a phone's storage holds about five times as much, in characters. */
const LENGTH_MAX = 1_000_000

type Seen = {
  /** The build that stored it; another may have other fields. */
  readonly build: string
  /** When it was the newest, epoch ms on the device's clock. */
  readonly at: number
  readonly answers: readonly (readonly [QueryKey, unknown])[]
}

const BUILD = import.meta.url

const listeners = new Set<() => void>()

/** Calls back before the answers are stored, to bring them up to date with what was pushed since. */
export const beforeKeeping = (listener: () => void): void => void listeners.add(listener)

/** Stores what was seen when the page is hidden or the connection is lost, and forgets it at the log-out. Called once. */
export function startKeepingSeen(): void {
  document.addEventListener('visibilitychange', () => document.hidden && keepSeen(Date.now()))
  useConnection.subscribe(({ isOffline }, before) => {
    if (isOffline && !before.isOffline) keepSeen(Date.now())
  })
  onTokenChange((token) => token === null && writeStored('seen', null))
}

/** Stores the answers on the screen. `now` is epoch ms. */
export function keepSeen(now: number): void {
  const { isOffline, lostAt } = useConnection.getState()
  const at = isOffline ? lostAt : now
  // Nothing has come from the server in this visit: what an earlier one stored stays.
  if (at === null) return
  for (const listener of listeners) listener()
  const answers = [...PUBLIC, ...(currentToken() === null ? [] : OWN)].flatMap((key) => {
    const answer: unknown = queryClient.getQueryData(key)
    return answer === undefined
      ? []
      : [[key, key[0] === 'instruments' ? withQuotes(answer, at) : answer] as const]
  })
  const text = JSON.stringify({ build: BUILD, at, answers } satisfies Seen, (_, value: unknown) =>
    typeof value === 'bigint' ? { bigint: String(value) } : value,
  )
  if (answers.length > 0 && text.length <= LENGTH_MAX) writeStored('seen', text)
}

/** The instruments with their newest prices in place of those of the fetch, as old as they are at a time in epoch ms. */
const withQuotes = (instruments: unknown, at: number): readonly InstrumentListing[] =>
  (instruments as readonly InstrumentListing[]).map((row) => {
    const quote = quoteOf(row.id)
    if (!quote || !row.day) return row
    const { bid, ask, source, time, seq, mid, open, high, low, changePercent } = quote
    const day = { ...row.day, close: mid, open, high, low, changePercent }
    const quoteAgeMs = Math.max(0, at - quote.receivedAt)
    return { ...row, bid, ask, source, quoteTime: time, quoteSeq: seq, quoteAgeMs, day }
  })

function readSeen(): Seen | null {
  try {
    const seen = JSON.parse(readStored('seen') ?? 'null', (_, value: unknown) =>
      isBigint(value) ? BigInt(value.bigint) : value,
    ) as Seen | null
    return seen?.build === BUILD ? seen : null
  } catch {
    return null
  }
}

const isBigint = (value: unknown): value is { bigint: string } =>
  typeof value === 'object' && value !== null && 'bigint' in value && typeof value.bigint === 'string'

/**
 * Shows what was seen last, as data of a lost connection, when the page came from this device; the server's own page brings newer
 * data. Called once, before anything is fetched.
 */
export function showSeen(): void {
  const seen = languageOfPage() === null ? readSeen() : null
  if (!seen) return
  for (const [key, answer] of seen.answers) {
    if (currentToken() === null && !PUBLIC.some(([name]) => name === key[0])) continue
    // As old as possible, so that the first screen fetches it again.
    queryClient.setQueryData(key, answer, { updatedAt: 0 })
    if (key[0] === 'instruments')
      for (const row of answer as readonly InstrumentListing[]) receiveListing(row, seen.at)
  }
  useConnection.setState({ isOffline: true, lostAt: seen.at })
}

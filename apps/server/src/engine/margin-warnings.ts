import {
  decimalText,
  figuresOf,
  isPriced,
  isStoppedOut,
  MarginWatch,
  percentOf,
  safeRanges,
  type Account,
  type Event,
  type Quote,
  type SafeRanges,
  type State,
} from '@fairlot/core'
import type { Queries } from '../database/open.ts'
import type { NoticeFact } from '../notifications/notice-fact.ts'
import { writeNotice } from '../notifications/notice-row.ts'
import type { Committed, Engine } from './engine.ts'
import { isUnavailable } from './pending-command.ts'
import { userOf } from './projection/row-mapping.ts'

/** How often accounts are looked at that prices or decisions have moved; and those that were warned, for whether they have recovered. */
const LOOK_EVERY_MS = 250
const RECOVERY_EVERY_MS = 2_000
/** How many accounts are looked at in one piece: the loop is kept for a millisecond or two. */
const SLICE = 50
/** A warned account has recovered at this part of the level, in percent: prices that move around it warn once. */
const RECOVERED = 110

type Warning = Extract<NoticeFact, { kind: 'marginWarning' }>

/** What a look at an account has found: where it is watched from here on, or how low it is. */
type Finding = {
  readonly id: number
  readonly warning: Warning | null
  readonly isRecovered: boolean
  readonly ranges: SafeRanges
}

type Options = {
  readonly engine: Pick<Engine, 'state' | 'read' | 'onCommitted' | 'onQuote'>
  readonly queries: Queries
  /** Epoch ms on the market clock. */
  readonly now: () => number
  /** Told after a warning stands in the table. */
  readonly onWarned: (userId: number, warning: Warning, at: number) => void
  readonly onError: (error: unknown, doing: string) => void
}

/**
 * Warns accounts whose margin level falls to the level of the margin call: once, until they have recovered. As for the stop-out, a tick
 * costs two looks at heap tops while accounts stay within their safe ranges; who leaves theirs is looked at a moment later, apart from
 * all decisions. Who was warned is in a table: a restart neither warns them again nor forgets who fell meanwhile.
 */
export async function startMarginWarnings(options: Options): Promise<{ stop(): Promise<void> }> {
  const { engine, queries, onError } = options
  const rows = await queries.selectFrom('margin_warned').select('user_id').execute()
  const watch = new WarningWatch(rows.map(({ user_id }) => Number(user_id)))
  watch.lookAtAll(engine.state())
  const stops = [
    engine.onCommitted((committed) => watch.onCommitted(committed, engine.state())),
    engine.onQuote(watch.onQuote),
  ]
  let isStopped = false
  let underWay: Promise<void> | null = null
  const look = async () => {
    const ids = watch.take()
    for (let first = 0; first < ids.length && !isStopped; first += SLICE) {
      const slice = ids.slice(first, first + SLICE)
      const seen = await engine.read((state) => slice.map((id) => lookAt(state, id)))
      if (isUnavailable(seen)) watch.putBack(slice)
      else for (const finding of seen) await settle(options, watch, finding)
    }
    watch.taken()
  }
  const timer = setInterval(() => {
    underWay ??= look()
      .catch((error: unknown) => isStopped || onError(error, 'warning of margins'))
      .then(() => void (underWay = null))
  }, LOOK_EVERY_MS)
  return {
    stop: async () => {
      isStopped = true
      clearInterval(timer)
      for (const stop of stops) stop()
      await underWay
    },
  }
}

/** Writes down what a look has found. What cannot be written is looked at again. */
async function settle(
  { queries, now, onWarned, onError }: Options,
  watch: WarningWatch,
  found: Finding,
): Promise<void> {
  const { id, warning, isRecovered, ranges } = found
  try {
    if (warning && !watch.warned.has(id)) {
      const at = now()
      await queries.transaction().execute(async (within) => {
        await within
          .insertInto('margin_warned')
          .values({ user_id: BigInt(id), at: BigInt(at) })
          .execute()
        await writeNotice(within, { userId: id, at, fact: warning })
      })
      watch.warned.add(id)
      onWarned(id, warning, at)
    }
    if (isRecovered && watch.warned.has(id)) {
      await queries.deleteFrom('margin_warned').where('user_id', '=', BigInt(id)).execute()
      watch.warned.delete(id)
    }
    watch.settle(id, ranges)
  } catch (error) {
    watch.putBack([id])
    onError(error, 'warning of a margin')
  }
}

/** Which accounts are to be looked at: those that were moved, and those that have been warned. */
class WarningWatch {
  readonly warned: Set<number>
  readonly #watch = new MarginWatch()
  readonly #due = new Set<number>()
  /** The latest prices that came while accounts were being looked at: some of those may not be watched yet. */
  readonly #missed = new Map<number, Quote>()
  #isLooking = false
  #recoveriesAt = 0

  constructor(warned: readonly number[]) {
    this.warned = new Set(warned)
  }

  lookAtAll(state: State): void {
    for (const account of state.accounts.values()) if (account.margin > 0n) this.#due.add(account.id)
  }

  onCommitted({ entry, postings }: Committed, state: State): void {
    for (const event of entry.events) {
      if (CHANGES_TERMS.has(event.type)) this.lookAtAll(state)
      if ('accountId' in event && event.accountId !== null) this.#due.add(event.accountId)
    }
    for (const { debit, credit } of postings) {
      const id = userOf(debit) ?? userOf(credit)
      if (id !== null) this.#due.add(id)
    }
  }

  readonly onQuote = (quote: Quote): void => {
    if (this.#isLooking) this.#missed.set(quote.instrumentId, quote)
    if (!this.#watch.isReachedBy(quote)) return
    for (const id of this.#watch.due(quote)) {
      this.#watch.forget(id)
      this.#due.add(id)
    }
  }

  take(): number[] {
    this.#isLooking = true
    const ids = new Set(this.#due)
    this.#due.clear()
    if (performance.now() >= this.#recoveriesAt + RECOVERY_EVERY_MS) {
      this.#recoveriesAt = performance.now()
      for (const id of this.warned) ids.add(id)
    }
    return [...ids]
  }

  taken(): void {
    this.#isLooking = false
    for (const quote of this.#missed.values()) this.onQuote(quote)
    this.#missed.clear()
  }

  putBack(ids: readonly number[]): void {
    for (const id of ids) this.#due.add(id)
  }

  settle(id: number, ranges: SafeRanges): void {
    this.#watch.watch(id, ranges)
  }
}

const CHANGES_TERMS: ReadonlySet<Event['type']> = new Set(['termsSet', 'termsTookEffect'])

/** How an account stands at the prices of now. A warned one is not watched by prices: it is looked at until it has recovered. */
function lookAt(state: State, id: number): Finding {
  const account = state.accounts.get(id)
  const nothing = { id, warning: null, isRecovered: false, ranges: new Map() }
  if (!account || account.margin === 0n) return { ...nothing, isRecovered: true }
  const { instruments, quotes, conversionPaths, settings } = state
  const { warningLevel: stopOutLevel } = settings
  const pricing = { instruments, quotes, conversionPaths, settings: { stopOutLevel } }
  // Without a price its level is not known: it is looked at when the price comes.
  if (!isPriced(state, account)) return { ...nothing, ranges: safeRanges(pricing, account) }
  const { equity, margin } = figuresOf(state, account)
  if (isStoppedOut(pricing, equity, margin)) return { ...nothing, warning: warningOf(state, account) }
  const isRecovered = equity * 10_000n > BigInt(stopOutLevel * RECOVERED) * margin
  return { ...nothing, isRecovered, ranges: safeRanges(pricing, account) }
}

function warningOf({ settings, ...state }: State, account: Account): Warning {
  const { equity, margin } = figuresOf(state, account)
  const level = decimalText(percentOf({ numerator: equity, denominator: margin }))
  const { warningLevel, stopOutLevel } = settings
  return { kind: 'marginWarning', level, warningLevel, stopOutLevel }
}

import {
  decimalText,
  figuresOf,
  isPriced,
  isStoppedOut,
  MarginWatch,
  percentOf,
  stopOutPriceBands,
  type Account,
  type Event,
  type Quote,
  type StopOutPriceBands,
  type State,
} from '@fairlot/core'
import { isUnavailable, type Committed, type Engine } from '../engine/engine.ts'
import { writeNotice, type NoticeFact } from '../engine/projection/notice-facts.ts'
import { userOf } from '../engine/projection/row-mapping.ts'
import type { Queries } from '../platform/database/open.ts'

/** Intervals of checking changed accounts, and warned ones for recovery, ms. */
const CHECK_EVERY_MS = 250
const RECOVERY_EVERY_MS = 2_000
/** Accounts checked without a pause: the event loop is blocked for a millisecond or two. */
const SLICE = 50
/** A warned account has recovered at this share of the warning level, in percent, so prices that move around the level warn once. */
const RECOVERED = 110

type Warning = Extract<NoticeFact, { kind: 'marginWarning' }>

/** The result of checking an account: its new price bands, and a warning if one is due. */
type Finding = {
  readonly id: number
  readonly warning: Warning | null
  readonly isRecovered: boolean
  readonly bands: StopOutPriceBands
}

type Options = {
  readonly engine: Pick<Engine, 'state' | 'read' | 'onCommitted' | 'onQuote'>
  readonly queries: Queries
  /** Epoch ms on the market clock. */
  readonly now: () => number
  /** Called once a warning is in the table. */
  readonly onWarned: (userId: number, warning: Warning, at: number) => void
  readonly onError: (error: unknown, doing: string) => void
}

/**
 * Warns accounts whose margin level falls to the margin call level: once, until they have recovered. As for the stop-out, a
 * tick costs two reads of heap tops while accounts stay within their price bands; accounts that leave theirs are checked soon
 * after, independently of trading decisions. Warned accounts are in a table: a restart neither warns them again nor misses
 * accounts that fell meanwhile.
 */
export async function startMarginWarnings(options: Options): Promise<{ stop(): Promise<void> }> {
  const { engine, queries, onError } = options
  const rows = await queries.selectFrom('margin_warned').select('user_id').execute()
  const watch = new WarningWatch(rows.map(({ user_id }) => Number(user_id)))
  watch.checkAll(engine.state())
  const stops = [
    engine.onCommitted((committed) => watch.onCommitted(committed, engine.state())),
    engine.onQuote(watch.onQuote),
  ]
  let isStopped = false
  let inProgress: Promise<void> | null = null
  const checkDue = async () => {
    const ids = watch.take()
    for (let first = 0; first < ids.length && !isStopped; first += SLICE) {
      const slice = ids.slice(first, first + SLICE)
      const findings = await engine.read((state) => slice.map((id) => check(state, id)))
      if (isUnavailable(findings)) watch.putBack(slice)
      else for (const finding of findings) await settle(options, watch, finding)
    }
    watch.taken()
  }
  const timer = setInterval(() => {
    inProgress ??= checkDue()
      .catch((error: unknown) => isStopped || onError(error, 'warning of margins'))
      .then(() => void (inProgress = null))
  }, CHECK_EVERY_MS)
  return {
    stop: async () => {
      isStopped = true
      clearInterval(timer)
      for (const stop of stops) stop()
      await inProgress
    },
  }
}

/** Records a finding. An account whose finding cannot be written is checked again. */
async function settle(
  { queries, now, onWarned, onError }: Options,
  watch: WarningWatch,
  found: Finding,
): Promise<void> {
  const { id, warning, isRecovered, bands } = found
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
    watch.settle(id, bands)
  } catch (error) {
    watch.putBack([id])
    onError(error, 'warning of a margin')
  }
}

/** The accounts to check: those that have changed or left their price bands, and those that have been warned. */
class WarningWatch {
  readonly warned: Set<number>
  readonly #watch = new MarginWatch()
  readonly #due = new Set<number>()
  /** The latest prices during a check, whose accounts are not watched again until it ends. */
  readonly #missed = new Map<number, Quote>()
  #isChecking = false
  #recoveriesAt = 0

  constructor(warned: readonly number[]) {
    this.warned = new Set(warned)
  }

  checkAll(state: State): void {
    for (const account of state.accounts.values()) if (account.margin > 0n) this.#due.add(account.id)
  }

  onCommitted({ entry, postings }: Committed, state: State): void {
    for (const event of entry.events) {
      if (CHANGES_TERMS.has(event.type)) this.checkAll(state)
      if ('accountId' in event && event.accountId !== null) this.#due.add(event.accountId)
    }
    for (const { debit, credit } of postings) {
      const id = userOf(debit) ?? userOf(credit)
      if (id !== null) this.#due.add(id)
    }
  }

  readonly onQuote = (quote: Quote): void => {
    if (this.#isChecking) this.#missed.set(quote.instrumentId, quote)
    if (!this.#watch.isReachedBy(quote)) return
    for (const id of this.#watch.due(quote)) {
      this.#watch.forget(id)
      this.#due.add(id)
    }
  }

  take(): number[] {
    this.#isChecking = true
    const ids = new Set(this.#due)
    this.#due.clear()
    if (performance.now() >= this.#recoveriesAt + RECOVERY_EVERY_MS) {
      this.#recoveriesAt = performance.now()
      for (const id of this.warned) ids.add(id)
    }
    return [...ids]
  }

  taken(): void {
    this.#isChecking = false
    for (const quote of this.#missed.values()) this.onQuote(quote)
    this.#missed.clear()
  }

  putBack(ids: readonly number[]): void {
    for (const id of ids) this.#due.add(id)
  }

  settle(id: number, bands: StopOutPriceBands): void {
    this.#watch.watch(id, bands)
  }
}

const CHANGES_TERMS: ReadonlySet<Event['type']> = new Set(['termsSet', 'termsTookEffect'])

/** Checks an account at current prices. A warned account has no price bands: it is checked regularly until it has recovered. */
function check(state: State, id: number): Finding {
  const account = state.accounts.get(id)
  const nothing = { id, warning: null, isRecovered: false, bands: new Map() }
  // A copy's margin is shown with the copy: its owner risks no more than was put in.
  const isWarned = account && account.copy === null && account.margin > 0n
  if (!isWarned) return { ...nothing, isRecovered: true }
  const { instruments, quotes, conversionPaths, settings } = state
  const { warningLevel: stopOutLevel } = settings
  const pricing = { instruments, quotes, conversionPaths, settings: { stopOutLevel } }
  // Without a price the level is unknown: the account is checked when the price arrives.
  if (!isPriced(state, account)) return { ...nothing, bands: stopOutPriceBands(pricing, account) }
  const { equity, margin } = figuresOf(state, account)
  if (isStoppedOut(pricing, equity, margin)) return { ...nothing, warning: warningOf(state, account) }
  const isRecovered = equity * 10_000n > BigInt(stopOutLevel * RECOVERED) * margin
  return { ...nothing, isRecovered, bands: stopOutPriceBands(pricing, account) }
}

function warningOf({ settings, ...state }: State, account: Account): Warning {
  const { equity, margin } = figuresOf(state, account)
  const level = decimalText(percentOf({ numerator: equity, denominator: margin }))
  const { warningLevel, stopOutLevel } = settings
  return { kind: 'marginWarning', level, warningLevel, stopOutLevel }
}

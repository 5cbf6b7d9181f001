import {
  admit,
  hasSingleOperatorLimits,
  checkTightened,
  createTickGuard,
  freshnessOf,
  instrumentsBehind,
  isStoppedOut,
  markUpTicks,
  openProfit,
  ratio,
  sourcePrice,
  type Account,
  type Core,
  type Entry,
  type Event,
  type Instrument,
  type Receipt,
  type ReceiptTick,
  type State,
  type TrailingMoved,
} from '@fairlot/core'
import type { ProvenEvent } from '../engine/projection/receipt-chain.ts'
import { firstDifference, type Figure } from './figure.ts'

/** The first version did not journal how long recorded bars are, so their freshness cannot be judged. */
const RECORDED = /^replay:/

/** The ticks of a receipt: accepted by the guard, fresh, and complete for the conversion. `at` is epoch ms. */
export function tickFigures(state: State, event: ProvenEvent, at: number): Figure[] {
  const { tick, conversion, delayMs } = event.receipt
  const figures = named(event.receipt).map((one): Figure => tickValidity(state, one))
  if (!tick) return figures
  // A swap's price dates from its rollover: see `swapFigures`.
  if (event.type !== 'swapBooked' || isOld(event)) figures.push(['delay', delayMs, at - tick.receivedAt])
  figures.push(['delay is not negative', delayMs >= 0, true])
  const instrument = state.instruments.get(tick.instrumentId)
  if (instrument && needsFreshTick(event) && !(isOld(event) && RECORDED.test(tick.source))) {
    const longest = freshnessOf(state, instrument)
    figures.push([`age of the tick, up to ${longest} ms`, Math.min(delayMs, longest), delayMs])
  }
  if (conversion.length > 0) figures.push(['conversion', conversion.map(idOf), pathOf(state, tick)])
  return figures
}

/** Every tick that a receipt names. */
export const named = ({ tick, conversion, prices = [] }: Receipt): readonly ReceiptTick[] =>
  tick ? [tick, ...conversion, ...prices] : [...conversion, ...prices]

/** Every tick that an event names. */
export function ticksOf(event: Event): readonly ReceiptTick[] {
  if ('receipt' in event) return named(event.receipt)
  if (event.type === 'pricesMarked' || event.type === 'copyReduced') return event.prices
  if (event.type === 'copyStarted') return event.openOrders?.prices ?? []
  if (event.type === 'copyStopped') return event.proof?.prices ?? []
  if (event.type === 'depositOpened') return event.sent?.quotes ?? []
  if (event.type === 'depositEnded') return event.arrived?.quotes ?? []
  if (event.type === 'alertSet') return event.tick ? [event.tick] : []
  if (event.type === 'alertFired') return [event.tick, ...(event.margin?.prices ?? [])]
  return event.type === 'trailingMoved' || event.type === 'alertRearmed' ? [event.tick] : []
}

/** The prices behind the rate of a deposit: accepted by the guard, and not later than `at`, epoch ms. */
export const depositTickFigures = (state: State, event: Event, at: number): Figure[] =>
  event.type === 'depositOpened' || event.type === 'depositEnded'
    ? ticksOf(event).flatMap((tick) => [
        tickValidity(state, tick),
        ['price from the future', tick.receivedAt > at, false] as const,
      ])
    : []

const idOf = ({ instrumentId }: ReceiptTick): number => instrumentId

const pathOf = (state: State, { instrumentId }: ReceiptTick): number[] | undefined =>
  state.conversionPaths.get(instrumentId)?.map(({ instrument }) => instrument.id)

/** Checks a tick with the guard, as the first of its source, since the ticks before it are unknown. */
export function tickValidity({ instruments }: State, tick: ReceiptTick): Figure {
  const instrument = instruments.get(tick.instrumentId)
  if (!instrument) return ['instrument of the tick', tick.instrumentId, 'a known one']
  // Ticks of closed markets were prices once: whether one was open is compared where it decided.
  const moment = { at: tick.receivedAt, openSince: null, isOpen: true }
  // The guard judges the price before mark-up.
  const sent = { ...tick, ...sourcePrice(tick) }
  const admission = admit(createTickGuard(), instrument, sent, moment)
  return ['tick', admission.accepted ? 'accepted' : admission.reason, 'accepted']
}

const isOld = ({ receipt }: ProvenEvent): boolean => receipt.ruleVersion === 1

/** Fills and reserves need a fresh price; a cancel, a swap and a demo reset take the last one known. */
const needsFreshTick = (event: ProvenEvent): boolean =>
  event.type === 'orderPlaced' ||
  event.type === 'positionOpened' ||
  event.type === 'positionReduced' ||
  (event.type === 'positionClosed' && event.reason !== 'demoReset')

/**
 * Ticks as the receipts of one run of the engine name them, the newest of each instrument: each number has one price
 * (I20), and a higher number is not older. Receipts may name an older tick: after a failed commit it is decided again.
 */
export function createTickBook() {
  const newest = new Map<number, ReceiptTick>()
  let run = ''
  const take = (tick: ReceiptTick): string | null => {
    const known = newest.get(tick.instrumentId)
    if (!known || tick.seq > known.seq) newest.set(tick.instrumentId, tick)
    if (!known) return null
    if (tick.seq === known.seq) return firstDifference(tick, known, `tick ${tick.seq}`)
    const isLater = tick.seq > known.seq
    const isInOrder = isLater ? tick.receivedAt >= known.receivedAt : tick.receivedAt <= known.receivedAt
    return isInOrder
      ? null
      : `tick ${tick.seq} arrived ${isLater ? 'before' : 'after'} tick ${known.seq} of its instrument`
  }
  const faultOfAny = (ticks: readonly ReceiptTick[]): string | null => {
    for (const tick of ticks) {
      const fault = take(tick)
      if (fault !== null) return fault
    }
    return null
  }
  return {
    /** The first fault in the ticks of an event in a row of `writer`, or null. */
    fault(writer: string, ticks: readonly ReceiptTick[]): string | null {
      if (writer !== run) newest.clear()
      run = writer
      return faultOfAny(ticks)
    },
  }
}

type MarkUpSince = { readonly from: number; readonly markUp: number }

/** Follows the mark-ups in the terms: a published price has the one in effect when it arrived. */
export function createMarkUpBook() {
  const known = new Map<number, MarkUpSince[]>()
  let version = -1
  let lastAt = -Infinity

  /** The mark-up in effect when a price arrived, and later ones, since a price may have waited in the queue. */
  function possible(instrumentId: number, receivedAt: number): number[] {
    const all = known.get(instrumentId) ?? []
    const first = all.findLastIndex(({ from }) => from < receivedAt)
    return all.slice(Math.max(0, first)).map(({ markUp }) => markUp)
  }

  function figure({ instruments }: State, tick: ReceiptTick): Figure {
    const { markUp: found = 0, instrumentId } = tick
    const instrument = instruments.get(instrumentId)
    if (!instrument) return ['mark-up', found, 0]
    const sent = sourcePrice(tick)
    const ticks = possible(instrumentId, tick.receivedAt).map((markUp) =>
      markUpTicks({ ...instrument, markUp: ratio(markUp) }, sent),
    )
    return ['mark-up', found, ticks.includes(found) ? found : (ticks[0] ?? 0)]
  }

  return {
    /** Must be called before every event, with the time of its entry, epoch ms. */
    follow({ instruments, termsVersion }: State, at: number): void {
      if (termsVersion !== version) {
        for (const { id, markUp = 0 } of instruments.values()) {
          const all = known.get(id)
          if (!all) known.set(id, [{ from: -Infinity, markUp }])
          else if (all.at(-1)?.markUp !== markUp) all.push({ from: lastAt, markUp })
        }
      }
      version = termsVersion
      lastAt = at
    },
    /** The prices that an event names. */
    figures: (state: State, event: Event): Figure[] => ticksOf(event).map((tick) => figure(state, tick)),
  }
}

/** No order fills, is placed or trails while its market is closed or halted, or trading is paused. */
export function openingFigures(core: Core, event: Event, at: number): Figure[] {
  const { state, isOpen } = core
  const instrumentId = tradedInstrument(state, event)
  const instrument = instrumentId === null ? undefined : state.instruments.get(instrumentId)
  if (!instrument) return []
  return [
    [`market of ${instrument.code}`, isOpen(instrument, at) ? 'open' : 'closed', 'open'],
    [`halt of ${instrument.code}`, state.halts.get(instrument.id) ?? null, null],
    ['trading', state.mode, isReducing(event) && state.mode === 'reduceOnly' ? 'reduceOnly' : 'normal'],
    ...(event.type === 'trailingMoved' ? trailingFigures(core, event, { instrument, at }) : []),
    ...(event.type === 'orderPlaced' || event.type === 'positionOpened'
      ? openingAllowed(state, event, instrument)
      : []),
  ]
}

/** Events that are still allowed while risk can only be reduced. */
const isReducing = (event: Event): boolean => event.type !== 'orderPlaced' && event.type !== 'positionOpened'

/** No position opens on a disabled instrument or on an account that is not active. */
const openingAllowed = (
  { accounts }: State,
  { accountId }: { readonly accountId: number },
  { code, isEnabled }: Instrument,
): Figure[] => [
  [code, isEnabled ? 'on' : 'off', 'on'],
  ['account status', accounts.get(accountId)?.status, 'active'],
]

/** Stops trail only a fresh price that the guard accepts and that improves at least one of them. */
function trailingFigures(
  { state, triggers }: Core,
  { instrumentId, tick }: TrailingMoved,
  { instrument, at }: { instrument: Instrument; at: number },
): Figure[] {
  const delay = at - tick.receivedAt
  const longest = freshnessOf(state, instrument)
  return [
    ['instrument', tick.instrumentId, instrumentId],
    tickValidity(state, tick),
    [`age of the tick, 0 to ${longest} ms`, Math.max(0, Math.min(delay, longest)), delay],
    ['stops that follow', triggers.trailing(tick).length > 0 ? 'some' : 'none', 'some'],
  ]
}

const WHILE_FROZEN: readonly Event['type'][] = ['withdrawalHeld', 'withdrawalEnded']
/** Since rules 2 a frozen account may reduce its risk, and be notified of it. */
const REDUCING: readonly Event['type'][] = [
  'positionClosed',
  'positionReduced',
  'orderCancelled',
  'stopsSet',
  'alertSet',
  'alertRemoved',
]

/** A frozen account opens nothing; under rules 1 its owner could only request a withdrawal. */
export function frozenFigures(state: State, event: Event, { author }: Entry): Figure[] {
  if (author.type !== 'user' || WHILE_FROZEN.includes(event.type)) return []
  const account = state.accounts.get(author.accountId)
  if (hasSingleOperatorLimits(state) && REDUCING.includes(event.type)) return stopsFigures(account, event)
  return [['account status', account?.status === 'frozen' ? 'frozen' : 'active', 'active']]
}

/** Stops of a frozen account can only be tightened. */
function stopsFigures(account: Account | undefined, event: Event): Figure[] {
  const order = event.type === 'stopsSet' ? account?.orders.get(event.orderId) : undefined
  if (!account || !order || event.type !== 'stopsSet') return []
  return [['stops', checkTightened(account, order, event) ? 'loosened' : 'tightened', 'tightened']]
}

/** The instrument that an event trades; null for an event that needs no market. */
function tradedInstrument(state: State, event: Event): number | null {
  switch (event.type) {
    case 'orderPlaced':
    case 'positionOpened':
    case 'trailingMoved':
      return event.instrumentId
    case 'positionReduced':
      return event.position.instrumentId
    case 'positionClosed':
      return event.closePrice === null ? null : (state.orders.get(event.orderId)?.instrumentId ?? null)
    default:
      return null
  }
}

/** A stop-out names every price of the account, and these reach the stop-out level. */
export function stopOutFigures(state: State, event: Event): Figure[] {
  if (event.type !== 'positionClosed' && event.type !== 'orderCancelled') return []
  if (event.reason !== 'stopOut' || event.receipt.ruleVersion === 1) return []
  const account = state.accounts.get(event.accountId)
  if (!account) return [['account', null, event.accountId]]
  const prices = event.receipt.prices ?? []
  const behind = instrumentsBehind(state, account).toSorted((a, b) => a - b)
  const byId = new Map<number, ReceiptTick>(prices.map((tick) => [tick.instrumentId, tick]))
  const equity = account.available.balance + openProfit({ ...state, quotes: byId }, account)
  return [
    ['prices of the stop-out', prices.map(({ instrumentId }) => instrumentId), behind],
    [
      'stop-out',
      isStoppedOut(state, equity, account.margin) ? 'due' : `not due at an equity of ${equity}`,
      'due',
    ],
    ...(event.type === 'positionClosed' ? pendingLeft(state, event.accountId) : []),
  ]
}

/** Pending orders are cancelled before any position is closed. */
function pendingLeft(state: State, accountId: number): Figure[] {
  const orders = [...(state.accounts.get(accountId)?.orders.values() ?? [])]
  return [['pending orders', orders.filter(({ status }) => status === 'pending').length, 0]]
}

/** From when an operator's admitted reference applied to an instrument, and the tick that settled it. */
type Admission = { readonly since: number; settled: ReceiptTick | null }

/** Follows admitted references through the journal; `figures` checks the ticks of an event on the state just before it. */
export function createAdmissionBook() {
  const known = new Map<number, Admission[]>()
  const isAdmitted = (tick: ReceiptTick): boolean | null => {
    for (const { since, settled } of known.get(tick.instrumentId) ?? []) {
      const isOver = settled !== null && tick.seq >= settled.seq && tick.receivedAt >= settled.receivedAt
      // Within the millisecond of the admission the order of tick and admission is unknown.
      if (tick.receivedAt === since) return null
      if (tick.receivedAt > since && !isOver) return true
    }
    return false
  }
  return {
    follow(event: Event, at: number): void {
      if (event.type === 'referenceAdmitted') {
        const all = known.get(event.instrumentId) ?? []
        known.set(event.instrumentId, [...all, { since: at, settled: null }])
      } else if (event.type === 'referenceSettled')
        for (const one of known.get(event.instrumentId) ?? []) one.settled ??= event.tick
    },
    figures(event: Event): Figure[] {
      if (event.type === 'pricesMarked' || event.type === 'trailingMoved') return []
      return ticksOf(event).flatMap((tick): Figure[] => {
        const expected = isAdmitted(tick)
        return expected === null
          ? []
          : [['reference admitted by operators', tick.admitted ?? false, expected]]
      })
    },
    /** Only an admitted reference is settled, and only by a tick that the guard accepts without it. */
    settling({ admitted }: Pick<State, 'admitted'>, event: Event): Figure[] {
      return event.type === 'referenceSettled'
        ? [
            ['admitted reference', admitted.has(event.instrumentId) ? 'waits' : 'none', 'waits'],
            ['instrument', event.tick.instrumentId, event.instrumentId],
            ['reference admitted by operators', event.tick.admitted ?? false, false],
          ]
        : []
    },
  }
}

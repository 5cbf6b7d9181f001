/** Whether an event could happen when it did: its market open, nothing halted, a stop-out due. */
import {
  freshnessOf,
  instrumentsBehind,
  isStoppedOut,
  openProfit,
  type Core,
  type Entry,
  type Event,
  type Instrument,
  type ReceiptTick,
  type State,
  type TrailingMoved,
} from '@fairlot/core'
import type { Figure } from './figure.ts'
import { soundness } from './tick-figures.ts'

/** Nothing fills, is placed or trails while its market is closed or halted, or trading is paused. */
export function openingFigures(core: Core, event: Event, at: number): Figure[] {
  const { state, isOpen } = core
  const instrumentId = tradedInstrument(state, event)
  const instrument = instrumentId === null ? undefined : state.instruments.get(instrumentId)
  if (!instrument) return []
  return [
    [`market of ${instrument.code}`, isOpen(instrument, at) ? 'open' : 'closed', 'open'],
    [`halt of ${instrument.code}`, state.halts.get(instrument.id) ?? null, null],
    ['trading', state.mode, 'normal'],
    ...(event.type === 'trailingMoved' ? trailingFigures(core, event, { instrument, at }) : []),
    ...(event.type === 'orderPlaced' || event.type === 'positionOpened'
      ? admittance(state, event, instrument)
      : []),
  ]
}

/** Nothing opens on an instrument that is off, nor on an account that may open nothing. */
const admittance = (
  { accounts }: State,
  { accountId }: { readonly accountId: number },
  { code, isEnabled }: Instrument,
): Figure[] => [
  [code, isEnabled ? 'on' : 'off', 'on'],
  ['account status', accounts.get(accountId)?.status, 'active'],
]

/** Stops trail a price that the guard accepts and that is fresh, and only one that is better for some of them. */
function trailingFigures(
  { state, triggers }: Core,
  { instrumentId, tick }: TrailingMoved,
  { instrument, at }: { instrument: Instrument; at: number },
): Figure[] {
  const delay = at - tick.receivedAt
  const longest = freshnessOf(state, instrument)
  return [
    ['instrument', tick.instrumentId, instrumentId],
    soundness(state, tick),
    [`age of the tick, 0 to ${longest} ms`, Math.max(0, Math.min(delay, longest)), delay],
    ['stops that follow', triggers.trailing(tick).length > 0 ? 'some' : 'none', 'some'],
  ]
}

/** A frozen account does nothing of its own, but ask for its money. */
export function frozenFigures({ accounts }: State, event: Event, { author }: Entry): Figure[] {
  if (author.type !== 'user' || event.type === 'withdrawalHeld' || event.type === 'withdrawalEnded') return []
  const isFrozen = accounts.get(author.accountId)?.status === 'frozen'
  return [['account status', isFrozen ? 'frozen' : 'active', 'active']]
}

/** The instrument that an event trades; null for one that needs no market. */
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

/** A stop-out names every price of the account, and at these the level is reached. */
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

/** Pending orders end before any position is closed. */
function pendingLeft(state: State, accountId: number): Figure[] {
  const orders = [...(state.accounts.get(accountId)?.orders.values() ?? [])]
  return [['pending orders', orders.filter(({ status }) => status === 'pending').length, 0]]
}

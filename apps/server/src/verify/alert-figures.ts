import {
  alertsMustCrossBack,
  dayReference,
  figuresOf,
  freshnessOf,
  instrumentsBehind,
  isMarginLevelMet,
  isPriceBack,
  isPriceMet,
  isSwitchedOff,
  type AlertCondition,
  type AlertEnded,
  type AlertFired,
  type AlertRearmed,
  type Entry,
  type Event,
  type ReceiptTick,
  type State,
} from '@fairlot/core'
import type { AlertTable } from '../platform/database/alert-schema.ts'
import type { Written } from '../platform/database/bulk.ts'
import type { Queries } from '../platform/database/open.ts'
import type { AlertRows } from '../engine/projection/alert-rows.ts'
import { firstDifference, type Figure } from './figure.ts'
import { createPager } from './pager.ts'
import { tickValidity } from './price-figures.ts'

/**
 * Alerts (trading-rules §13): an alert fires at a published price that meets its condition: once, or again after its
 * pause and a price on its other side.
 */
export function alertFigures(state: State, event: Event, entry: Entry): Figure[] {
  switch (event.type) {
    case 'alertSet':
      return event.tick ? [tickValidity(state, event.tick)] : []
    case 'alertFired':
      return firedFigures(state, event, entry.at)
    case 'alertRearmed':
      return rearmedFigures(state, event, entry.at)
    case 'alertEnded':
      return endedFigures(state, event, entry.at)
    case 'alertRemoved':
      return [['alert', isKnown(state, event) ? 'set' : 'not set', 'set'], ...removalFigures(event, entry)]
    case 'demoReset':
      return [['alerts', state.alerts.get(event.accountId)?.size ?? 0, 0]]
    default:
      return []
  }
}

const isKnown = (
  { alerts }: State,
  { accountId, alertId }: { accountId: number; alertId: number },
): boolean => alerts.get(accountId)?.has(alertId) ?? false

/** The command that removes an alert is alone; else the account was closed or reset. */
function removalFigures({ accountId }: { accountId: number }, { events }: Entry): Figure[] {
  const isOfAccount = events.some(
    (event) =>
      (event.type === 'demoReset' || event.type === 'accountClosed') && event.accountId === accountId,
  )
  return [
    [
      'removed',
      events.length === 1 || isOfAccount ? 'alone or with its account' : 'with others',
      'alone or with its account',
    ],
  ]
}

function firedFigures(state: State, event: AlertFired, at: number): Figure[] {
  const { condition, tick, wakesAt } = event
  const alert = state.alerts.get(event.accountId)?.get(event.alertId)
  if (!alert) return [['alert', 'not set', 'set']]
  const mustCrossBack =
    alertsMustCrossBack(state) && alert.pauseMs !== null && condition.kind !== 'marginLevel'
  return [
    ['condition', condition, alert.condition],
    ['pause', Math.max(at, alert.wakesAt), at],
    ['end of the pause', wakesAt, alert.pauseMs === null ? null : at + alert.pauseMs],
    ['expiry', alert.expiresAt === null || at < alert.expiresAt ? 'ahead' : 'over', 'ahead'],
    ['price on the other side', alert.awaitsReturn ? 'not yet' : 'seen', 'seen'],
    ['waits for the other side', event.awaitsReturn ?? false, mustCrossBack],
    ...freshFigures(state, tick, at),
    ...(condition.kind === 'marginLevel'
      ? marginFigures(state, event)
      : priceFigures(state, event, condition)),
  ]
}

function rearmedFigures(state: State, { accountId, alertId, tick }: AlertRearmed, at: number): Figure[] {
  const alert = state.alerts.get(accountId)?.get(alertId)
  if (!alert || alert.condition.kind === 'marginLevel') return [['alert', 'not set', 'set on a price']]
  return [
    ['waits for the other side', alert.awaitsReturn, true],
    ['instrument of the tick', tick.instrumentId, alert.condition.instrumentId],
    ...freshFigures(state, tick, at),
    [
      'price',
      isPriceBack(state, alert.condition, tick) ? 'on the other side' : 'not there',
      'on the other side',
    ],
  ]
}

function endedFigures(
  state: State,
  { accountId, alertId, condition, reason }: AlertEnded,
  at: number,
): Figure[] {
  const alert = state.alerts.get(accountId)?.get(alertId)
  if (!alert) return [['alert', 'not set', 'set']]
  const isOver = alert.expiresAt !== null && alert.expiresAt <= at
  const cause = isSwitchedOff(state, alert.condition) ? 'instrumentOff' : isOver ? 'expired' : 'none'
  return [
    ['condition', condition, alert.condition],
    ['reason', reason, cause],
  ]
}

/** A tick that was accepted, and fresh at the time. */
function freshFigures(state: State, tick: ReceiptTick, at: number): Figure[] {
  const instrument = state.instruments.get(tick.instrumentId)
  const delay = at - tick.receivedAt
  const longest = instrument ? freshnessOf(state, instrument) : 0
  return [
    tickValidity(state, tick),
    [`age of the tick, 0 to ${longest} ms`, Math.max(0, Math.min(delay, longest)), delay],
  ]
}

type PriceCondition = Exclude<AlertCondition, { kind: 'marginLevel' }>

function priceFigures(state: State, { tick, reference }: AlertFired, condition: PriceCondition): Figure[] {
  const instrument = state.instruments.get(condition.instrumentId)
  const measured = condition.kind === 'dayMove' && instrument ? dayReference(state, instrument) : undefined
  return [
    ['instrument of the tick', tick.instrumentId, condition.instrumentId],
    ['reference', reference, measured],
    ['alert', isPriceMet(state, condition, tick) ? 'reached' : 'not reached', 'reached'],
  ]
}

/** Every price behind the account is named, and gives the figures that reached the level. */
function marginFigures(state: State, { accountId, condition, tick, margin }: AlertFired): Figure[] {
  const account = state.accounts.get(accountId)
  if (!account || !margin || condition.kind !== 'marginLevel') return [['margin', margin, 'named']]
  const byId = new Map<number, ReceiptTick>(margin.prices.map((one) => [one.instrumentId, one]))
  const figures = figuresOf({ ...state, quotes: byId }, account)
  return [
    [
      'prices of the margin level',
      [...byId.keys()],
      instrumentsBehind(state, account).toSorted((a, b) => a - b),
    ],
    ...margin.prices.map((one) => tickValidity(state, one)),
    ['tick', byId.get(tick.instrumentId)?.seq ?? tick.seq, tick.seq],
    ['equity', margin.equity, figures.equity],
    ['margin', margin.margin, figures.margin],
    ['alert', isMarginLevelMet(condition, figures) ? 'reached' : 'not reached', 'reached'],
  ]
}

/** The table of alerts, compared at the end. */
export function createAlertTable(queries: Queries, accountId: number | null) {
  const expected = new Map<number, Written<AlertTable>>()
  const isMine = (id: unknown) => accountId === null || id === accountId
  const pager = createPager<AlertTable>((after, limit) =>
    queries
      .selectFrom('alert')
      .selectAll()
      .$if(accountId !== null, (rows) => rows.where('account_id', '=', BigInt(accountId ?? 0)))
      .where('id', '>', after)
      .orderBy('id')
      .limit(limit)
      .execute(),
  )
  return {
    take: ({ set, firings, returns, ends, removals }: AlertRows) => {
      for (const row of set) if (isMine(row.account_id)) expected.set(Number(row.id), { ...row })
      for (const changes of [firings, returns, ends, removals])
        for (const [id, change] of changes) Object.assign(expected.get(id) ?? {}, change)
    },
    finish: async function* (): AsyncGenerator<string> {
      for (const row of expected.values()) {
        const found = await pager.next()
        const difference = firstDifference(found, row, '')
        if (difference !== null) yield `alert ${row.id}: ${difference}`
      }
      const more = await pager.next()
      if (more) yield `alert ${more.id} is not in the journal`
    },
  }
}

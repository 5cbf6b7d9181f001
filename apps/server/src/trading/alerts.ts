/** Users' alerts: the calls that list, set and remove them. */
import {
  addAlert,
  listAlerts,
  listTypedAlerts,
  removeAlert,
  removeTypedAlert,
  setAlert,
  type AlertView,
  type NewAlert,
} from '@fairlot/contract'
import {
  alertLevel,
  fromTicks,
  fromUnits,
  percentOf,
  ratio,
  RATIO_DECIMALS,
  toTicks,
  type AlertCondition,
  type Decimal,
  type SetAlert,
  type State,
} from '@fairlot/core'
import { resultOf } from '../engine/calls.ts'
import type { Engine } from '../engine/engine.ts'
import { alertFrom, type AlertRecord } from '../engine/projection/alert-rows.ts'
import type { Queries } from '../platform/database/open.ts'
import type { Api, UserCall } from '../platform/http/api.ts'
import { isRefusal, refuse, type Refusal } from '../platform/refusal.ts'

/** How long alerts that have fired for good, or ended, are listed, ms. */
const LISTED_MS = 30 * 86_400_000
/** Decimals of a percentage whose smallest step is 1e-6. */
const PERCENT_DECIMALS = RATIO_DECIMALS - 2

/** `now`: the market clock, epoch ms. */
export function registerAlerts(api: Api, engine: Engine, queries: Queries, now: () => number): void {
  const list = async ({ user }: UserCall<null>) => {
    await engine.caughtUp()
    const records = await alertsOf(queries, user.id, now())
    return records.map((record) => viewOf(engine.state(), record))
  }

  const set = async ({ user, input, request }: UserCall<NewAlert>) => {
    const { pauseMs, expiresAt } = input
    const condition = conditionOf(engine.state(), input)
    if (isRefusal(condition)) return condition
    const entry = await resultOf(engine, {
      type: 'setAlert',
      accountId: user.id,
      condition,
      pauseMs,
      expiresAt,
      request,
    })
    if (isRefusal(entry)) return entry
    const event = entry.events.find(({ type }) => type === 'alertSet')
    if (event?.type !== 'alertSet') return refuse('internal')
    return viewOf(engine.state(), {
      id: event.alertId,
      accountId: event.accountId,
      condition: event.condition,
      pauseMs: event.pauseMs,
      wakesAt: 0,
      awaitsReturn: false,
      expiresAt: event.expiresAt ?? null,
      endedAt: null,
      state: 'waiting',
      setAt: entry.at,
      fired: null,
    })
  }

  const remove = async ({ user, input: { alertId }, request }: UserCall<{ readonly alertId: number }>) => {
    const entry = await resultOf(engine, { type: 'removeAlert', accountId: user.id, alertId, request })
    return isRefusal(entry) ? entry : null
  }

  // Each under two paths: one of the orders' calls, and one of the protocol's own for alerts.
  for (const endpoint of [listAlerts, listTypedAlerts]) api.user(endpoint, list)
  for (const endpoint of [setAlert, addAlert]) api.user(endpoint, set)
  for (const endpoint of [removeAlert, removeTypedAlert]) api.user(endpoint, remove)
}

/** Those that wait, the newest first, then those that have fired for good or ended, the last first. `now`: epoch ms. */
async function alertsOf(queries: Queries, userId: number, now: number): Promise<AlertRecord[]> {
  const mine = queries.selectFrom('alert').selectAll().where('account_id', '=', BigInt(userId))
  const waiting = await mine.where('state', '=', 'waiting').orderBy('id', 'desc').execute()
  const since = BigInt(Math.floor(now - LISTED_MS))
  const over = await mine
    .where('state', 'in', ['fired', 'expired', 'instrumentOff'])
    .where((row) => row(row.fn.coalesce('ended_at', 'fired_at'), '>=', since))
    .orderBy((row) => row.fn.coalesce('ended_at', 'fired_at'), 'desc')
    .orderBy('id', 'desc')
    .execute()
  return [...waiting, ...over].map(alertFrom)
}

/** A condition with prices in ticks; the engine checks the rest. */
function conditionOf(
  { instruments }: Pick<State, 'instruments'>,
  { condition }: NewAlert,
): SetAlert['condition'] | Refusal {
  if (condition.kind === 'marginLevel') return condition
  const { instrumentId, direction } = condition
  if (condition.kind === 'dayMove') {
    const move = toTicks(condition.percent, PERCENT_DECIMALS)
    return move === null
      ? refuse('alertInvalid', { field: 'move' })
      : { kind: 'dayMove', instrumentId, direction, move: ratio(move) }
  }
  const instrument = instruments.get(instrumentId)
  if (!instrument) return refuse('unknownInstrument')
  const { priceDecimals } = instrument
  const ticks = toTicks(condition.price, priceDecimals)
  return ticks === null
    ? refuse('priceTooManyDigits', { priceDecimals, field: 'price' })
    : { kind: 'price', instrumentId, side: condition.side, direction, price: ticks }
}

/** The mid in price, also between two ticks. */
const midOf = (halfTicks: number, decimals: number): Decimal =>
  fromUnits(5n * BigInt(halfTicks), decimals + 1)

function viewOf(state: State, { condition, wakesAt, fired, ...record }: AlertRecord): AlertView {
  const { id, pauseMs, setAt, expiresAt, endedAt, awaitsReturn } = record
  return {
    id,
    pauseMs,
    setAt,
    expiresAt,
    endedAt,
    // Removed ones are not listed.
    state: record.state === 'removed' ? 'fired' : record.state,
    wakesAt: wakesAt > 0 ? wakesAt : null,
    awaitsReturn,
    condition: targetOf(condition),
    target: condition.kind === 'dayMove' ? targetPrice(state, condition) : null,
    fired: fired && firingOf(state, condition, fired),
  }
}

function targetOf(condition: AlertCondition): AlertView['condition'] {
  if (condition.kind === 'marginLevel') return condition
  const { instrumentId, direction, decimals } = condition
  return condition.kind === 'price'
    ? {
        kind: 'price',
        instrumentId,
        side: condition.side,
        direction,
        price: fromTicks(condition.price, decimals),
      }
    : { kind: 'dayMove', instrumentId, direction, percent: fromUnits(condition.move, PERCENT_DECIMALS) }
}

function targetPrice(state: State, condition: Extract<AlertCondition, { kind: 'dayMove' }>): Decimal | null {
  const at = alertLevel(state, condition)
  return at && midOf(at.level, condition.decimals)
}

function firingOf(
  { instruments }: Pick<State, 'instruments'>,
  condition: AlertCondition,
  { at, tick, reference, margin }: NonNullable<AlertRecord['fired']>,
): NonNullable<AlertView['fired']> {
  const isMargin = condition.kind === 'marginLevel'
  const decimals = isMargin ? (instruments.get(tick.instrumentId)?.priceDecimals ?? 0) : condition.decimals
  const inPrice = (ticks: number) => fromUnits(ticks, decimals)
  const side = condition.kind === 'price' ? condition.side : 'mid'
  const watched = side === 'mid' ? midOf(tick.bid + tick.ask, decimals) : inPrice(tick[side])
  return {
    time: at,
    instrumentId: tick.instrumentId,
    bid: inPrice(tick.bid),
    ask: inPrice(tick.ask),
    seq: tick.seq,
    quoteTime: tick.time,
    source: tick.source,
    price: isMargin ? null : watched,
    reference: reference ? midOf(reference.bid + reference.ask, decimals) : null,
    level: margin ? percentOf({ numerator: margin.equity, denominator: margin.margin }) : null,
  }
}

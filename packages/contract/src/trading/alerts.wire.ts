import type { AlertDirection, AlertSide } from '@fairlot/core'
import type { Decimal } from '@fairlot/core/decimal'
import { object, refine, transform, type Codec, type Infer } from '../protocol/codec.ts'
import {
  choice,
  flag,
  id,
  int,
  listOf,
  omittable,
  omittableOrBlank,
  percent,
  price,
  text,
  time,
  withDefault,
} from '../protocol/field.ts'

const SIDES = { bid: 'bid', ask: 'ask', mid: 'mid' } as const satisfies Record<AlertSide, AlertSide>
const DIRECTIONS = { above: 'above', below: 'below' } as const satisfies Record<
  AlertDirection,
  AlertDirection
>

/** Each kind of condition has some of these fields. */
const CONDITION = {
  kind: ['kind', choice({ price: 'price', dayMove: 'day_move', marginLevel: 'margin_level' })],
  instrumentId: ['forex_id', omittableOrBlank(id)],
  side: ['side', omittableOrBlank(choice(SIDES))],
  /** `above` fires at or above, `below` at or below. */
  direction: ['direction', omittableOrBlank(choice(DIRECTIONS))],
  price: ['price', omittableOrBlank(price)],
  /** Of the day's reference, above zero in both directions. */
  percent: ['percent', omittableOrBlank(percent)],
  /** The margin level in percent. */
  level: ['level', omittableOrBlank(int(0))],
} as const

/** The same for the calls under `/api/alert`; without a type it is an alert on a price. */
const TYPED_CONDITION = { ...CONDITION, kind: ['type', withDefault(CONDITION.kind[1], 'price')] } as const

const MINUTE_MS = 60_000
/** A pause in whole minutes, 0 for an alert that fires once; in ms, null for none. */
const againMinutes: Codec<number | null> = transform(omittableOrBlank(int(0)), {
  decode: (minutes) => (minutes ? minutes * MINUTE_MS : null),
  encode: (pauseMs) => (pauseMs === null ? 0 : Math.ceil(pauseMs / MINUTE_MS)),
})

const flat = object(CONDITION)
type Flat = Infer<typeof flat>

/** What an alert waits for. */
export type AlertCondition =
  | {
      readonly kind: 'price'
      readonly instrumentId: number
      readonly side: AlertSide
      readonly direction: AlertDirection
      readonly price: Decimal
    }
  | {
      readonly kind: 'dayMove'
      readonly instrumentId: number
      readonly direction: AlertDirection
      readonly percent: Decimal
    }
  | { readonly kind: 'marginLevel'; readonly level: number }

/** Null where a field of the kind is missing. */
function conditionFrom({
  kind,
  instrumentId,
  side,
  direction,
  price,
  percent,
  level,
}: Flat): AlertCondition | null {
  if (kind === 'marginLevel') return level === null ? null : { kind: 'marginLevel', level }
  if (instrumentId === null || direction === null) return null
  if (kind === 'dayMove')
    return percent === null ? null : { kind: 'dayMove', instrumentId, direction, percent }
  return side === null || price === null ? null : { kind: 'price', instrumentId, side, direction, price }
}

const NONE = { instrumentId: null, side: null, direction: null, price: null, percent: null, level: null }
const flatFrom = (condition: AlertCondition): Flat => ({ ...NONE, ...condition })

/** The parameters of `set_alert`. */
export const newAlert = refine(
  object({
    ...CONDITION,
    /** How long it waits after it has fired before it can fire again, ms; none: it fires once. */
    pauseMs: ['pause', omittableOrBlank(int(0))],
    /** When it ends without firing; none: it waits without limit. */
    expiresAt: ['expires_at', omittableOrBlank(time)],
  }),
  {
    decode: ({ pauseMs, expiresAt, ...fields }) => {
      const condition = conditionFrom(fields)
      return condition && { condition, pauseMs, expiresAt }
    },
    encode: ({ condition, pauseMs, expiresAt }) => ({ ...flatFrom(condition), pauseMs, expiresAt }),
    reason: 'alertInvalid',
  },
)

/** The parameters of `add`. */
export const addedAlert = refine(
  object({
    ...TYPED_CONDITION,
    pauseMs: ['again_minutes', againMinutes],
    /** When it ends without firing; none: it waits without limit. */
    expiresAt: ['expires_at', omittableOrBlank(time)],
  }),
  {
    decode: ({ pauseMs, expiresAt, ...fields }) => {
      const condition = conditionFrom(fields)
      return condition && { condition, pauseMs, expiresAt }
    },
    encode: ({ condition, pauseMs, expiresAt }) => ({ ...flatFrom(condition), pauseMs, expiresAt }),
    reason: 'alertInvalid',
  },
)

export const alertId = object({ alertId: ['id', id] })

/** The tick that fired an alert. */
const firing = object({
  time: ['time', time],
  instrumentId: ['forex_id', id],
  bid: ['bid', price],
  ask: ['ask', price],
  seq: ['quote_seq', int()],
  quoteTime: ['quote_time', time],
  source: ['source', text],
  /** The watched side at that tick. */
  price: ['price', omittable(price)],
  /** Of a move of the day: the price that it is measured from. */
  reference: ['from', omittable(price)],
  /** Of a margin level: the level reached, in percent. */
  level: ['level', omittable(percent)],
})

const ROW = {
  id: ['id', id],
  ...CONDITION,
  pauseMs: ['pause', omittable(int(0))],
  setAt: ['set_at', time],
  /** `expired` and `instrumentOff` (switched off): ended by itself. */
  state: [
    'state',
    choice({ waiting: 'waiting', fired: 'fired', expired: 'expired', instrumentOff: 'instrument_off' }),
  ],
  expiresAt: ['expires_at', omittable(time)],
  /** When it ended by itself. */
  endedAt: ['ended_at', omittable(time)],
  /** The end of its pause; null outside of one. */
  wakesAt: ['wakes_at', omittable(time)],
  /** True after a firing until the price has been on the other side: before that it does not fire again. */
  awaitsReturn: ['awaits_return', flag(1, 0)],
  /** The price that a move of the day waits for now; null while the day has no reference. */
  target: ['target', omittable(price)],
  /** Its last firing. */
  fired: ['fired', omittable(firing)],
} as const

/** An alert: waiting, fired for good, or ended by itself. */
export const alert = refine(object(ROW), {
  decode: ({ kind, instrumentId, side, direction, price, percent, level, ...rest }) => {
    const condition = conditionFrom({ kind, instrumentId, side, direction, price, percent, level })
    return condition && { ...rest, condition }
  },
  encode: ({ condition, ...rest }) => ({ ...rest, ...flatFrom(condition) }),
  reason: 'notUnderstood',
})

export const alertList = transform(object({ alerts: ['data', listOf(alert)] }), {
  decode: ({ alerts }) => alerts,
  encode: (alerts) => ({ alerts }),
})

/** The same for the calls under `/api/alert`. */
export const typedAlert = refine(
  object({
    ...ROW,
    ...TYPED_CONDITION,
    pauseMs: ['again_minutes', againMinutes],
    firedAt: ['fired_at', omittable(time)],
  }),
  {
    decode: ({ kind, instrumentId, side, direction, price, percent, level, firedAt: _, ...rest }) => {
      const condition = conditionFrom({ kind, instrumentId, side, direction, price, percent, level })
      return condition && { ...rest, condition }
    },
    encode: ({ condition, ...rest }) => ({
      ...rest,
      ...flatFrom(condition),
      firedAt: rest.fired?.time ?? null,
    }),
    reason: 'notUnderstood',
  },
)

export const typedAlertList = transform(object({ alerts: ['data', listOf(typedAlert)] }), {
  decode: ({ alerts }) => alerts,
  encode: (alerts) => ({ alerts }),
})

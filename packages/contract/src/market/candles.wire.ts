import type { Period } from '@fairlot/core'
import { object, transform } from '../protocol/codec.ts'
import { percentChange } from '@fairlot/core/percent'
import {
  choice,
  decimal,
  id,
  omittableOrBlank,
  nullable,
  percent,
  price,
  text,
  time,
  int,
} from '../protocol/field.ts'

const PERIOD_WORDS = {
  '1min': '1min',
  '5min': '5min',
  '15min': '15min',
  '30min': '30min',
  '60min': '60min',
  '1day': '1day',
} as const satisfies Record<Period, Period>

export const PERIODS = Object.keys(PERIOD_WORDS) as readonly Period[]

const period = choice(PERIOD_WORDS, { reason: 'periodInvalid' })

const bar = {
  period: ['Period', period],
  time: ['Time', time],
  open: ['Open', price],
  high: ['High', price],
  low: ['Low', price],
  close: ['Close', price],
  volume: ['Volume', decimal],
} as const

/** `kline` of a KLINE message. */
export const movingBar = object(bar)

const row = object({
  id: ['Id', int()],
  code: ['Code', text],
  instrumentId: ['ForexId', id],
  ...bar,
  turnover: ['Amount', nullable(decimal)],
  changePercent: ['Change', nullable(percent)],
})

/** A row of `kline`. A bar's Id is its start; Amount is null, as the feeds have no turnover. */
export const candle = transform(row, {
  decode: ({ id: _id, turnover: _turnover, changePercent: _change, ...rest }) => rest,
  encode: (rest) => ({
    ...rest,
    id: rest.time,
    turnover: null,
    changePercent: percentChange(rest.open, rest.close),
  }),
})

export const candleQuery = object({
  instrumentId: ['forex_id', id],
  period: ['period', period],
  before: ['to', omittableOrBlank(time)],
  limit: ['limit', omittableOrBlank(int(1, 'notUnderstood', 1000))],
})

export const recentCandleQuery = object({ instrumentId: ['forex_id', id], period: ['period', period] })

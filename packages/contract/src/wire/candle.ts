import type { Period } from '@fairlot/core'
import { noun, reshape } from '../codec.ts'
import { percentChange } from '@fairlot/core/percent'
import { choice, decimal, id, maybeBlank, orNull, percent, price, text, time, whole } from '../field.ts'

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
export const movingBar = noun(bar)

const row = noun({
  id: ['Id', whole()],
  code: ['Code', text],
  instrumentId: ['ForexId', id],
  ...bar,
  turnover: ['Amount', orNull(decimal)],
  changePercent: ['Change', orNull(percent)],
})

/** A row of `kline`. A bar's Id is its start; Amount is null, as the feeds give no turnover. */
export const candle = reshape(row, {
  decode: ({ id: _id, turnover: _turnover, changePercent: _change, ...rest }) => rest,
  encode: (rest) => ({
    ...rest,
    id: rest.time,
    turnover: null,
    changePercent: percentChange(rest.open, rest.close),
  }),
})

export const candleQuery = noun({
  instrumentId: ['forex_id', id],
  period: ['period', period],
  before: ['to', maybeBlank(time)],
  limit: ['limit', maybeBlank(whole(1, 'notUnderstood', 1000))],
})

export const recentCandleQuery = noun({ instrumentId: ['forex_id', id], period: ['period', period] })

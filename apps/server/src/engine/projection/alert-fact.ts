/** A fired or ended alert as a notice: everything that its sentence says, as texts. */
import {
  decimalText,
  fromUnits,
  percentOf,
  RATIO_DECIMALS,
  sideText,
  type AlertDirection,
  type AlertEnded,
  type AlertEndReason,
  type AlertFired,
  type AlertSide,
} from '@fairlot/core'

/** It ended by itself, without firing. `level`: a price, or a margin level in percent; `move`: a percentage. */
type Ended = { readonly kind: 'alertEnded'; readonly alertId: number; readonly reason: AlertEndReason }

type EndedFact =
  | (Ended & {
      readonly about: 'price'
      readonly instrumentId: number
      readonly side: AlertSide
      readonly direction: AlertDirection
      readonly level: string
    })
  | (Ended & {
      readonly about: 'dayMove'
      readonly instrumentId: number
      readonly direction: AlertDirection
      readonly move: string
    })
  | (Ended & { readonly about: 'marginLevel'; readonly level: string })

/** `seq`: the number of the tick that fired it. Prices and percentages are decimals. */
type Fired = { readonly kind: 'alertFired'; readonly alertId: number; readonly seq: string }

export type AlertFact =
  | EndedFact
  | (Fired & {
      readonly about: 'price'
      readonly instrumentId: number
      readonly side: AlertSide
      readonly direction: AlertDirection
      readonly level: string
      readonly price: string
    })
  /** `move`: the percentage that was waited for; `from`: the price that it is measured from. */
  | (Fired & {
      readonly about: 'dayMove'
      readonly instrumentId: number
      readonly direction: AlertDirection
      readonly move: string
      readonly price: string
      readonly from: string
    })
  /** In percent: the level that was waited for, and the one that was reached. */
  | (Fired & { readonly about: 'marginLevel'; readonly level: string; readonly reached: string })

const ticksText = (ticks: number, decimals: number): string =>
  decimalText(fromUnits(ticks, decimals), decimals)

/** A move (1e-6) in percent. */
const percentText = (move: number): string => decimalText(fromUnits(move, RATIO_DECIMALS - 2))

export function alertFact({ alertId, condition, tick, reference, margin }: AlertFired): AlertFact {
  const fired = { kind: 'alertFired', alertId, seq: String(tick.seq) } as const
  switch (condition.kind) {
    case 'price': {
      const { instrumentId, side, direction, price, decimals } = condition
      return {
        ...fired,
        about: 'price',
        instrumentId,
        side,
        direction,
        level: ticksText(price, decimals),
        price: sideText(side, tick, decimals),
      }
    }
    case 'dayMove': {
      const { instrumentId, direction, move, decimals } = condition
      return {
        ...fired,
        about: 'dayMove',
        instrumentId,
        direction,
        move: percentText(move),
        price: sideText('mid', tick, decimals),
        from: reference ? sideText('mid', reference, decimals) : '',
      }
    }
    case 'marginLevel': {
      const level = margin && { numerator: margin.equity, denominator: margin.margin }
      return {
        ...fired,
        about: 'marginLevel',
        level: String(condition.level),
        reached: level ? decimalText(percentOf(level)) : '',
      }
    }
  }
}

export function alertEndFact({ alertId, condition, reason }: AlertEnded): AlertFact {
  const ended = { kind: 'alertEnded', alertId, reason } as const
  switch (condition.kind) {
    case 'price': {
      const { instrumentId, side, direction, price, decimals } = condition
      return { ...ended, about: 'price', instrumentId, side, direction, level: ticksText(price, decimals) }
    }
    case 'dayMove': {
      const { instrumentId, direction, move } = condition
      return { ...ended, about: 'dayMove', instrumentId, direction, move: percentText(move) }
    }
    case 'marginLevel':
      return { ...ended, about: 'marginLevel', level: String(condition.level) }
  }
}

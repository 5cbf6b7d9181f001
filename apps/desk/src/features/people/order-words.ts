import type { Decimal, OrderView, Receipt } from '@fairlot/contract'
import { decimal } from '../../i18n/figures.ts'
import { decimalText, fromUnits } from '@fairlot/core/decimal'
import { LOTS_DECIMALS } from '@fairlot/core/number'

export const END_WORDS: Record<OrderView['endReason'], string> = {
  none: '',
  user: 'the person',
  stopOut: 'stop-out',
  takeProfit: 'stop profit',
  stopLoss: 'stop loss',
  operator: 'an operator',
  expired: 'its expiry',
  cancelledByUser: 'the person',
  notEnoughAtTrigger: 'too little prepayment',
  demoReset: 'demo reset',
  withdrawnByOperator: 'withdrawn',
}

export const ACTION_WORDS: Record<Receipt['action'], string> = {
  place: 'Placed',
  open: 'Opened',
  close: 'Closed',
  cancel: 'Cancelled',
  finance: 'Overnight financing',
}

/** A price with all decimals of its instrument. */
export const priceText = ({ instrument }: Pick<OrderView, 'instrument'>, price: Decimal): string =>
  decimal(decimalText(price, instrument.priceDecimals))

/** `0.1 lots` */
export const lotsText = ({ lots }: Pick<OrderView, 'lots'>): string =>
  `${decimalText(fromUnits(lots, LOTS_DECIMALS))} lots`

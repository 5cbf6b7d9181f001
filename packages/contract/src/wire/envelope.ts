import { noun } from '../codec.ts'
import { anything, integer, maybe, money, text, withDefault } from '../field.ts'

export const envelope = noun({
  code: ['code', integer],
  message: ['msg', withDefault(text, '')],
  data: ['data', anything],
})

/** `data` of a refusal: our reason, and figures that a screen may want beside the sentence. */
export const refusalData = noun({
  reason: ['reason', maybe(text)],
  /** Which field of the request was not understood, by its name on the wire. */
  field: ['field', maybe(text)],
  /** For lack of money: margin and fee together, the fee alone, what is free. */
  needed: ['should_deduct', maybe(money)],
  fee: ['trade_fee', maybe(money)],
  free: ['available_prepayment', maybe(money)],
})

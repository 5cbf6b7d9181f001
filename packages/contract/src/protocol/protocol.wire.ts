import { object, type Codec } from './codec.ts'
import { anything, integer, omittable, money, text, withDefault, choice } from './field.ts'
import type { OperatorRole } from '@fairlot/core'

export const envelope = object({
  code: ['code', integer],
  message: ['msg', withDefault(text, '')],
  data: ['data', anything],
})

/** `data` of a refusal: our reason, and figures for the screen. */
export const refusalData = object({
  reason: ['reason', omittable(text)],
  /** The invalid field of the request, by its wire name. */
  field: ['field', omittable(text)],
  /** With insufficient funds: margin and fee together, the fee alone, the free margin. */
  needed: ['should_deduct', omittable(money)],
  fee: ['trade_fee', omittable(money)],
  free: ['available_prepayment', omittable(money)],
})

const ROLES = {
  support: 'support',
  compliance: 'compliance',
  finance: 'finance',
  dealing: 'dealing',
  administrator: 'administrator',
} as const satisfies Record<OperatorRole, OperatorRole>

/** An operator's role, shown instead of the name to the user concerned. */
export const operatorRole: Codec<OperatorRole> = choice(ROLES)

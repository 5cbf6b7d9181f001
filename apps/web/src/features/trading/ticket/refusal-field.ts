import type { Failure } from '@fairlot/contract'
import type { TicketField } from './ticket-state.ts'

const FIELDS: { readonly [Reason in Failure['reason']]?: TicketField } = {
  lotsInvalid: 'lots',
  lotsBelowMinimum: 'lots',
  lotsAboveMaximum: 'lots',
  lotsOffStep: 'lots',
  priceMissing: 'target',
  priceInvalid: 'target',
  takeProfitWrongSide: 'takeProfit',
  stopLossWrongSide: 'stopLoss',
  expiryInPast: 'expiry',
}

/** The field that a refusal of the server is about; null when it is about none. */
export const fieldOf = ({ reason }: Failure): TicketField | null => FIELDS[reason] ?? null

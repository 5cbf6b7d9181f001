import type { OrderView } from '@fairlot/contract'
import { fromUnits, LOTS_DECIMALS } from '@fairlot/core'

/** An order for a row of a file: what its owner reads of it, without the receipts. */
export const orderCells = (order: OrderView): object => ({
  ...order,
  ...{ instrument: order.instrument.showCode, lots: fromUnits(BigInt(order.lots), LOTS_DECIMALS) },
  ...{ endedByRole: order.endedBy?.role, endedByReason: order.endedBy?.reason },
})

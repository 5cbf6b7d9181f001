import type { Engine } from '../engine/engine.ts'
import type { Queries } from '../platform/database/open.ts'
import type { Refusal } from '../platform/refusal.ts'
import type { OrderQueries } from '../trading/order-queries.ts'
import type { Ranking } from './ranking.ts'

/** What the calls of copying need. */
export type CopyingServices = {
  readonly engine: Engine
  readonly queries: Queries
  readonly orderQueries: OrderQueries
  readonly ranking: Ranking
  /** Epoch ms on the market clock. */
  readonly now: () => number
  /** How the operator is called. */
  readonly operatorName: () => string
  /** From how many days and closed orders on a strategy is ranked. */
  readonly rankedAfter: () => { readonly days: number; readonly orders: number }
  readonly instrumentOf: (id: number) => {
    readonly code: string
    readonly name: string
    readonly priceDecimals: number
  }
  readonly checkSecondFactor: (
    userId: number,
    code: string | null,
    purpose: 'copying',
    field: string,
  ) => Promise<Refusal | null>
}

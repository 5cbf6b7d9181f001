/** From events of strategies and copies to rows of their tables. */
import type { CopyingEvent, Event } from '@fairlot/core'
import type { Written } from '../../platform/database/bulk.ts'
import type {
  CopySkipTable,
  CopyTable,
  EquityRangeTable,
  StrategyTable,
} from '../../platform/database/copying-schema.ts'

type CopyColumns<Column extends keyof CopyTable> = Written<Pick<CopyTable, 'account_id' | Column>>

/** New rows, and changes of rows: the last of each kind by its key. */
export type CopyingRows = {
  readonly strategies: Written<StrategyTable>[]
  readonly strategyFees: Map<number, Written<Pick<StrategyTable, 'id' | 'fee_share'>>>
  readonly strategyEnds: Map<number, Written<Pick<StrategyTable, 'id' | 'ended_at' | 'end_reason'>>>
  readonly copies: Written<CopyTable>[]
  readonly statuses: Map<number, CopyColumns<'status' | 'end_reason'>>
  readonly stopLosses: Map<number, CopyColumns<'stop_loss'>>
  readonly terms: Map<number, CopyColumns<'multiplier' | 'exposure_limit' | 'excluded'>>
  readonly bases: Map<number, CopyColumns<'base'>>
  readonly marks: Map<number, CopyColumns<'mark'>>
  readonly fees: Map<number, CopyColumns<'fee_charged_at'>>
  readonly ends: Map<number, CopyColumns<'ended_at' | 'loss'>>
  readonly skips: Written<CopySkipTable>[]
  readonly ranges: Written<EquityRangeTable>[]
}

export const emptyCopyingRows = (): CopyingRows => ({
  strategies: [],
  strategyFees: new Map(),
  strategyEnds: new Map(),
  copies: [],
  statuses: new Map(),
  stopLosses: new Map(),
  terms: new Map(),
  bases: new Map(),
  marks: new Map(),
  fees: new Map(),
  ends: new Map(),
  skips: [],
  ranges: [],
})

type Projected = Exclude<CopyingEvent, { type: 'copySkipped' | 'monthFeesCharged' }>

/** `at` is epoch ms. */
export function projectCopying(rows: CopyingRows, event: Projected, at: number): void {
  const { accountId } = event
  switch (event.type) {
    case 'strategyPublished':
      rows.strategies.push({
        id: event.strategyId,
        account_id: accountId,
        fee_share: event.feeShare,
        equity: String(event.equity),
        published_at: at,
        ended_at: null,
        end_reason: null,
      })
      return
    case 'strategyFeeSet':
      rows.strategyFees.set(event.strategyId, { id: event.strategyId, fee_share: event.feeShare })
      return
    case 'strategyEnded':
      rows.strategyEnds.set(event.strategyId, {
        id: event.strategyId,
        ended_at: at,
        end_reason: event.reason,
      })
      return
    case 'copyStarted':
      rows.copies.push(copyRow(event, at))
      return
    case 'copyPaused':
      return setStatus(rows, accountId, 'paused')
    case 'copyResumed':
      return setStatus(rows, accountId, 'running')
    case 'copyStopped':
      return setStatus(rows, accountId, 'ending', event.reason)
    case 'copyStopLossSet':
      rows.stopLosses.set(accountId, { account_id: accountId, stop_loss: event.stopLoss })
      return
    case 'copyTermsSet':
      rows.terms.set(accountId, {
        account_id: accountId,
        multiplier: event.multiplier,
        exposure_limit: event.exposureLimit,
        excluded: event.excluded.join(','),
      })
      return
    case 'copyFunded':
    case 'copyReduced':
      rows.bases.set(accountId, { account_id: accountId, base: String(event.base) })
      rows.marks.set(accountId, { account_id: accountId, mark: String(event.mark) })
      return
    case 'performanceFeeCharged':
      rows.marks.set(accountId, { account_id: accountId, mark: String(event.mark) })
      rows.fees.set(accountId, { account_id: accountId, fee_charged_at: event.moment })
      return
    case 'copyEnded':
      setStatus(rows, accountId, 'ended', event.reason)
      rows.ends.set(accountId, { account_id: accountId, ended_at: at, loss: String(event.carriedLoss) })
  }
}

function setStatus(rows: CopyingRows, accountId: number, status: string, reason: string | null = null): void {
  rows.statuses.set(accountId, { account_id: accountId, status, end_reason: reason })
}

const copyRow = (event: Extract<Event, { type: 'copyStarted' }>, at: number): Written<CopyTable> => ({
  account_id: event.accountId,
  owner_id: event.ownerId,
  provider_id: event.providerId,
  strategy_id: event.strategyId,
  multiplier: event.terms.multiplier,
  exposure_limit: event.terms.exposureLimit,
  stop_loss: event.terms.stopLoss,
  excluded: '',
  fee_share: event.feeShare,
  status: 'running',
  end_reason: null,
  base: String(event.amount),
  mark: String(event.amount + event.carriedLoss),
  fee_charged_at: 0,
  amount: String(event.amount),
  carried_loss: String(event.carriedLoss),
  started_at: at,
  ended_at: null,
  loss: 0,
})

export function projectRange(
  { ranges }: CopyingRows,
  { accountId, moment, lowest, highest, equity }: Extract<Event, { type: 'equityRangeNoted' }>,
): void {
  ranges.push({
    account_id: accountId,
    moment,
    lowest: String(lowest),
    highest: String(highest),
    equity: String(equity),
  })
}

/** Its id is the journal row and the place within it, so that projecting twice gives the same rows. */
export function projectSkip(
  { skips }: CopyingRows,
  { accountId, source, reason, equity, multiplier }: Extract<Event, { type: 'copySkipped' }>,
  { at, seq }: { readonly at: number; readonly seq: number },
): void {
  const [row, place] = (skips.at(-1)?.id ?? '').split('.')
  const next = row === String(seq) ? Number(place) + 1 : 0
  skips.push({
    id: `${seq}.${next}`,
    account_id: accountId,
    provider_order_id: source.orderId,
    reason,
    equity: equity === null ? null : String(equity),
    multiplier: multiplier ?? null,
    at,
  })
}

/** Sums for reports by UTC day (epoch ms of its start), derived from append-only tables. */

/** The last counted row of a table, and its time on the market clock. */
type ReportProgressTable = { source: string; last_id: bigint; up_to: bigint }

/** Money that moved between the broker and its users; above zero for money that the broker received. */
export type MoneyDayTable = { day: bigint; ledger: string; kind: string; amount: bigint; count: bigint }

/** Fills; spread and slippage are sums in ticks. */
export type FillDayTable = {
  day: bigint
  ledger: string
  instrument_id: bigint
  trigger: string
  fills: bigint
  spread: bigint
  slippage: bigint
  better: bigint
  worse: bigint
  delay_ms: bigint
  delay_most_ms: bigint
}

/** Orders placed, positions closed, and results less fees and swaps. */
export type AccountDayTable = {
  account_id: bigint
  day: bigint
  orders: bigint
  closed: bigint
  result: bigint
}

export type ReportTables = {
  report_progress: ReportProgressTable
  money_day: MoneyDayTable
  fill_day: FillDayTable
  account_day: AccountDayTable
}

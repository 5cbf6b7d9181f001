/** Sums that reports read, by UTC day (epoch ms of its start). Everything in them follows from append-only tables. */

/** How far a table has been counted: its last row, and that row's moment on the market clock. */
type ReportProgressTable = { source: string; last_id: bigint; up_to: bigint }

/** Money that moved between the house and its users; above zero came to the house. */
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

/** Orders placed, positions closed, and results less fees and financing. */
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

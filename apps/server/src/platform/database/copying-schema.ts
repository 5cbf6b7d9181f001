/** The tables of copying. All but the texts of strategies and the reports of users follow from the journal. */

/** A published strategy. Times are epoch ms. */
export type StrategyTable = {
  id: bigint
  account_id: bigint
  /** The provider's part of a copy's profit, in 1e-6. */
  fee_share: bigint
  /** The equity with which it starts. */
  equity: bigint
  published_at: bigint
  ended_at: bigint | null
  end_reason: string | null
}

/** What makes an account a copy. */
export type CopyTable = {
  account_id: bigint
  owner_id: bigint
  provider_id: bigint
  strategy_id: bigint
  /** In 1e-6. */
  multiplier: bigint
  exposure_limit: bigint
  /** Percent of the base. */
  stop_loss: bigint
  /** Ids of the instruments that are not copied, separated by commas. */
  excluded: string
  fee_share: bigint
  /** running, paused, ending or ended. */
  status: string
  end_reason: string | null
  base: bigint
  mark: bigint
  /** The last month's end with a fee event, epoch ms; 0 before the first. */
  fee_charged_at: bigint
  /** The amount it started with, and the earlier loss that raised its mark. */
  amount: bigint
  carried_loss: bigint
  started_at: bigint
  ended_at: bigint | null
  /** The loss below its mark at the end. */
  loss: bigint
}

/** An order of a provider that a copy skipped, and why. */
export type CopySkipTable = {
  id: string
  account_id: bigint
  provider_order_id: bigint
  reason: string
  /** Of the copy; null while a price was missing, and where no size was asked for. */
  equity: bigint | null
  /** Of the copy, where a size was asked for. */
  multiplier: bigint | null
  at: bigint
}

/** The lowest and highest equity of a provider in the hour before a moment (epoch ms), in proportion to `equity`. */
export type EquityRangeTable = {
  account_id: bigint
  moment: bigint
  lowest: bigint
  highest: bigint
  /** Above zero: the equity at the moment, or the one that a flow has taken out completely. */
  equity: bigint
}

/** What a provider has written about a strategy. Not in the journal: names can be reported and hidden. */
export type StrategyTextTable = {
  strategy_id: bigint
  user_id: bigint
  name: string
  /** The name as the eye confuses it with others, see `skeletonOf`. */
  name_key: string
  description: string
  /** The reason for which an operator hides it, which its owner reads; null while it is shown. */
  hidden_for: string | null
  changed_at: bigint
}

/** A user's report about a strategy. */
export type StrategyReportTable = {
  id: bigint
  strategy_id: bigint
  user_id: bigint
  reason: string
  at: bigint
  /** When an operator closed it; null while it waits. */
  answered_at: bigint | null
}

/** A day (UTC) of a strategy's record. Growth is in 1e-12, ratios in 1e-6, money in 1e-6 of the account currency. */
export type StrategyDayTable = {
  strategy_id: bigint
  /** Days since 1970. */
  day: bigint
  /** The moment up to which the day is computed, epoch ms. */
  up_to: bigint
  /** Of one unit since publication, at the end; and its highest and lowest in the day, the start included. */
  growth: bigint
  highest: bigint
  lowest: bigint
  /** The deepest fall within the day: growth at its peak and at its low. */
  fall_from: bigint
  fall_to: bigint
  balance: bigint
  /** At the last priced point. */
  equity: bigint
  /** Time with at least the minimum equity, and in that with open positions, ms. */
  counted_ms: bigint
  exposed_ms: bigint
  /** Leverage x ms, over the exposed time. */
  leverage_ms: bigint
  highest_leverage: bigint
  /** Closed orders, those with a gain, and the sums of gains and of losses. */
  orders: bigint
  wins: bigint
  gains: bigint
  losses: bigint
  /** The largest result of one order. */
  best: bigint
}

/** A closed order of a strategy, with everything that was booked for it and for its closed parts. */
export type StrategyOrderTable = {
  order_id: bigint
  strategy_id: bigint
  instrument_id: bigint
  /** At the opening. */
  lots: bigint
  opened_at: bigint
  ended_at: bigint
  /** Profit and swaps less the fee. */
  result: bigint
}

/** The figures of a strategy in a window: a row of the ranking. Null where nothing can be said. */
export type StrategyFiguresTable = {
  strategy_id: bigint
  /** threeWeeks, threeMonths, year or all. */
  span: string
  ledger: string
  ended_at: bigint | null
  /** The moment up to which the figures count, epoch ms. */
  up_to: bigint
  /** The journal's row that the tables had when they were read, or a later one. */
  journal_seq: bigint
  is_short: bigint
  /** By what strategies are ranked; sorts as a text. */
  score: string
  rate: bigint | null
  profit: bigint
  win_rate: bigint | null
  drawdown: bigint
  profit_factor: bigint | null
  average_leverage: bigint | null
  highest_leverage: bigint | null
  exposed_share: bigint
  orders: bigint
  days: bigint
  /** Names of flags, separated by commas. */
  flags: string
  copiers: bigint
  copied_money: bigint
  copiers_result: bigint
  copiers_in_profit: bigint | null
  copiers_median: bigint | null
}

/** A demo account, and the registered user who has shown its secret: both are one person. */
export type DemoOwnerTable = { demo_id: bigint; user_id: bigint }

/** A user who works for the broker, as operators have recorded; such a person may not publish. */
export type StaffUserTable = { user_id: bigint }

/** What the owner of a copy has been notified of. The difference to `copy` is still to be sent, also after a crash. */
export type CopyNewsTable = {
  copy_id: bigint
  /** nothing, started or ended. */
  notified: string
  /** 1 while the notice of a provider's large deposit or withdrawal is still to be sent. */
  has_moved: bigint
}

/** Up to which row of `transfer` the flows of providers were looked at; one row. */
export type FlowNewsTable = { id: bigint; transfer_id: bigint }

export type CopyingTables = {
  strategy: StrategyTable
  copy: CopyTable
  copy_skip: CopySkipTable
  equity_range: EquityRangeTable
  strategy_text: StrategyTextTable
  strategy_report: StrategyReportTable
  copy_news: CopyNewsTable
  flow_news: FlowNewsTable
  demo_owner: DemoOwnerTable
  staff_user: StaffUserTable
  strategy_day: StrategyDayTable
  strategy_order: StrategyOrderTable
  strategy_figures: StrategyFiguresTable
}

/** Name and place of a category of instruments. The category of an instrument is one of its terms. */
export type InstrumentCategoryTable = {
  id: bigint
  /** Its name in terms. */
  code: string
  /** JSON: its names by language; null for the default names of the app. */
  names: string | null
  /** The position in lists, ascending. */
  place: bigint
  version: bigint
}

/** The latest refused prices of each instrument, in a limited number of slots. */
export type RefusedPriceTable = {
  /** The instrument's id and the number of the slot. */
  slot: string
  instrument_id: bigint
  number: bigint
  source: string
  /** As the source sent them. */
  bid: string
  ask: string
  time: bigint | null
  at: bigint
  reason: string
}

/** Held prices, which wait for operators, in ticks of their instrument. */
export type HeldPriceTable = {
  /** The instrument's id and the source. */
  key: string
  instrument_id: bigint
  number: bigint
  source: string
  bid: bigint
  ask: bigint
  price_decimals: bigint
  time: bigint
  at: bigint
  reason: string
}

export type QuoteTable = {
  instrument_id: bigint
  bid: bigint
  ask: bigint
  time: bigint
  received_at: bigint
  seq: bigint
  source: string
  /** The mark-up on each side, in ticks. */
  mark_up: bigint
}

export type CandleTable = {
  instrument_id: bigint
  /** The kind of source that its prices came from: live, recorded or simulated. */
  source: string
  period: string
  time: bigint
  open: bigint
  high: bigint
  low: bigint
  close: bigint
  volume: bigint
}

/** The number of refused ticks by reason; ticks of unknown instruments count for instrument 0. */
export type RefusedTickTable = { instrument_id: bigint; reason: string; count: bigint }

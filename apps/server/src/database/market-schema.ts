/** How a category of instruments is called, and where it stands. Which category an instrument is in is one of its terms. */
export type InstrumentCategoryTable = {
  id: bigint
  /** What terms name it by. */
  code: string
  /** JSON: its names by language; null where it is called as the app calls it. */
  names: string | null
  /** Rising. */
  place: bigint
  version: bigint
}

/** The newest prices of each instrument that were not let in: at most so many, each in a slot of its own. */
export type RefusedPriceTable = {
  /** The instrument's id and a number that goes round. */
  slot: string
  instrument_id: bigint
  number: bigint
  source: string
  /** As the source wrote them. */
  bid: string
  ask: string
  time: bigint | null
  at: bigint
  reason: string
}

/** Prices that wait for an operator's word, in ticks of their instrument. */
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
  /** Ticks on each side that its source did not send. */
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

/** Ticks that were refused, by reason; what nobody offers counts for instrument 0. */
export type RefusedTickTable = { instrument_id: bigint; reason: string; count: bigint }

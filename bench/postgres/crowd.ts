import { Client } from 'pg'

/** Instruments by id, with the price at which the positions were opened, in ticks. */
export type OpenPrices = readonly { readonly instrumentId: number; readonly price: number }[]

export type Crowd = {
  readonly accounts: number
  readonly positions: number
  /** Accepted requests that are still kept; none when left out. */
  readonly requests?: number
  readonly openPrices: OpenPrices
  /** When accounts and positions were opened, epoch ms; now when left out. */
  readonly openedAt?: number
}

/** Micro-units of the account currency on every account. */
const BALANCE = 100_000_000_000n
const MARGIN = 36_157_000n
const FEE = 36_157n
/** Distance of stops as a fraction of the price: one in six is nearer than one percent. */
const NEAREST = 0.005
const FARTHEST = 0.035

/**
 * Writes accounts and open positions, each with two stops, directly into the tables of a database that is not in use:
 * placing a million orders would take a minute each time.
 */
export async function writeCrowd(
  url: string,
  { accounts, positions, requests = 0, openPrices, openedAt = Date.now() }: Crowd,
): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(
      `insert into account (id, ledger, opened_at) select n, 'demo', $2 from generate_series(1, $1::bigint) n`,
      [accounts, openedAt],
    )
    await client.query(
      `insert into ledger_account (id, balance, entry_count)
       select 'available:' || n, $2::bigint, 1 from generate_series(1, $1::bigint) n
       union all select 'house:demo:issue', -$1::bigint * $2::bigint, $1`,
      [accounts, BALANCE],
    )
    await client.query(POSITIONS, [
      accounts,
      positions,
      openPrices.map(({ instrumentId }) => instrumentId),
      openPrices.map(({ price }) => price),
      openedAt,
    ])
    await client.query(REQUESTS, [accounts, requests, openedAt])
    await client.query('analyze')
  } finally {
    await client.end()
  }
}

/** Spread over the last day; older ones are forgotten. */
const REQUESTS = `
  insert into request (account_id, call, request_id, digest, at, journal_seq)
  select 1 + n % $1::bigint, 'submitOrder', gen_random_uuid()::text, encode(sha256(n::text::bytea), 'hex'),
    $3::bigint - n % 86400000, 1
  from generate_series(1, $2::bigint) n`

const POSITIONS = `
  insert into trade_order (id, account_id, instrument_id, side, kind, status, end_reason, lots, leverage, accepted_price,
    open_price, take_profit, stop_loss, margin, fee, profit, financed_at, created_at, opened_at)
  select n, 1 + n % $1::bigint, instrument, case when is_buy then 'buy' else 'sell' end, 'market', 'holding', 'none', 100, 30, price,
    price, case when is_buy then price + away else price - away end,
    case when is_buy then price - away else price + away end, ${MARGIN}, ${FEE}, 0, 0, $5::bigint, $5::bigint
  from (
    select n, ($3::bigint[])[1 + n % cardinality($3::bigint[])] as instrument,
      ($4::bigint[])[1 + n % cardinality($3::bigint[])] as price, n % 2 = 0 as is_buy,
      ceil(($4::bigint[])[1 + n % cardinality($3::bigint[])]
        * (${NEAREST} + ${FARTHEST - NEAREST} * ((n * 7919) % 10007) / 10007.0))::bigint as away
    from generate_series(1, $2::bigint) n
  ) as crowd`

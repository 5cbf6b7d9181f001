import { DESK_PAGE_ROWS, type RefusedPrice } from '@fairlot/contract/desk'
import type { Queries } from '../../database/open.ts'

type Asked = { readonly page: number; readonly instrumentId: number | null }

/** A page of the newest refused prices, of one instrument or of all; `codeOf` names one. */
export async function readRefusedPrices(
  queries: Queries,
  { page, instrumentId }: Asked,
  codeOf: (id: number) => string,
  limit = DESK_PAGE_ROWS,
): Promise<{ prices: RefusedPrice[]; total: number }> {
  const found = queries
    .selectFrom('refused_price')
    .$if(instrumentId !== null, (query) => query.where('instrument_id', '=', BigInt(instrumentId ?? 0)))
  const { total } = await found.select((select) => select.fn.countAll().as('total')).executeTakeFirstOrThrow()
  const rows = await found
    .selectAll()
    .orderBy('at', 'desc')
    .orderBy('slot')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute()
  const prices: RefusedPrice[] = rows.map((row) => ({
    ...{ instrumentId: Number(row.instrument_id), code: codeOf(Number(row.instrument_id)) },
    ...{ number: Number(row.number), source: row.source, bid: row.bid, ask: row.ask },
    ...{ time: row.time === null ? null : Number(row.time), at: Number(row.at), reason: row.reason },
  }))
  return { prices, total: Number(total) }
}

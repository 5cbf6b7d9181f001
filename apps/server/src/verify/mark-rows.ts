/** Marked prices and their moments, compared with what the journal tells. */
import type { Queries } from '../database/open.ts'
import type { TermsRows } from '../engine/projection/projection-terms.ts'
import { firstDifference } from './difference.ts'

/** Each price is compared when it is told of, for one may be added to a moment later; moments and their number at the end. */
export function createMarkRows(queries: Queries) {
  const toldAt = new Map<number, number>()
  let count = 0
  return {
    compare: async function* ({
      moments,
      marks,
    }: Pick<TermsRows, 'moments' | 'marks'>): AsyncGenerator<string> {
      for (const row of moments.values()) toldAt.set(Number(row.moment), Number(row.told_at))
      count += marks.length
      for (const [moment, told] of Map.groupBy(marks, (row) => Number(row.moment))) {
        const found = await queries
          .selectFrom('price_mark')
          .selectAll()
          .where('moment', '=', BigInt(moment))
          .execute()
        const byInstrument = new Map(found.map((row) => [Number(row.instrument_id), row]))
        for (const row of told) {
          const name = `price of instrument ${row.instrument_id} at ${moment}`
          const mark = byInstrument.get(Number(row.instrument_id))
          if (!mark) yield `${name}: it is missing`
          const difference = firstDifference(mark, row, name)
          if (difference !== null) yield difference
        }
      }
    },
    finish: async function* (): AsyncGenerator<string> {
      const moments = await queries.selectFrom('price_moment').selectAll().orderBy('moment').execute()
      for (const { moment, told_at } of moments) {
        const name = `marked moment ${moment}`
        const expected = toldAt.get(Number(moment))
        if (expected === undefined) yield `${name} is not in the journal`
        const difference = firstDifference(told_at, expected, `${name}: told_at`)
        if (difference !== null) yield difference
      }
      if (moments.length !== toldAt.size)
        yield `there are ${moments.length} marked moments in the table, the journal knows ${toldAt.size}`
      const { found } = await queries
        .selectFrom('price_mark')
        .select(({ fn }) => fn.countAll<bigint>().as('found'))
        .executeTakeFirstOrThrow()
      if (BigInt(found) !== BigInt(count))
        yield `there are ${found} marked prices in the table, the journal knows ${count}`
    },
  }
}

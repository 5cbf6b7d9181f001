import type { Entry } from '@fairlot/core'
import type { DeskActTable } from '../database/desk-schema.ts'
import type { Queries } from '../database/open.ts'
import { hashOfAct, NOTHING_BEFORE } from '../database/act-hash.ts'
import { createPager } from './pager.ts'

/** The acts of the desk: one chain without a gap, which says of the journal what the journal says of operators. */
export function createActRows(queries: Queries) {
  const journaled = new Set<string>()
  return {
    /** Takes what an entry of the journal says about operators. Those of before they had names say nothing. */
    take: ({ author, at, events }: Pick<Entry, 'author' | 'at' | 'events'>) => {
      if (author.type === 'operator' && author.id !== 0 && events.length > 0)
        journaled.add(keyOf(at, author.id))
    },
    finish: async function* (): AsyncGenerator<string> {
      const told = new Set<string>()
      yield* chainFaults(queries, journaled, told)
      yield* untold(journaled, told)
    },
  }
}

/** An operator decides one thing in a millisecond: moment and number name an entry. */
const keyOf = (at: number | bigint, operatorId: number | bigint): string => `${at} of operator ${operatorId}`

async function* chainFaults(
  queries: Queries,
  journaled: ReadonlySet<string>,
  told: Set<string>,
): AsyncGenerator<string> {
  const all = queries.selectFrom('desk_act').selectAll().orderBy('id')
  const pager = createPager<DeskActTable>((after, limit) =>
    all.where('id', '>', after).limit(limit).execute(),
  )
  let previous = { id: 0n, hash: NOTHING_BEFORE }
  for (let row = await pager.next(); row; row = await pager.next()) {
    const { hash, ...rest } = row
    const follows = row.id === previous.id + 1n && row.previous_hash === previous.hash
    if (!follows || hashOfAct(rest) !== hash)
      return yield `the acts of operators are broken at act ${row.id}: its hash or its number does not follow`
    previous = row
    if (row.journal_at === null) continue
    const key = keyOf(row.journal_at, row.operator_id)
    if (!journaled.has(key))
      return yield `act ${row.id} names an entry of the journal at ${key}: there is none`
    told.add(key)
  }
}

/** Only the last may be missing, which a crash kept from being told: the next start writes them down. */
function* untold(journaled: ReadonlySet<string>, told: ReadonlySet<string>): Generator<string> {
  const inOrder = [...journaled]
  const lastTold = inOrder.findLastIndex((key) => told.has(key))
  const missing = inOrder.slice(0, lastTold + 1).find((key) => !told.has(key))
  if (missing !== undefined) yield `what the journal has at ${missing} is not among the acts of operators`
}

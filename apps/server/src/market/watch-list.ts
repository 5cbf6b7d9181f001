import { getWatchList, setWatched } from '@fairlot/contract'
import type { Queries } from '../database/open.ts'
import type { Api } from '../http/api.ts'
import { refuse } from '../http/refusal.ts'
import type { InstrumentRegistry } from './instrument-registry.ts'

/** The list of instruments that a user keeps: as long as the list of all at most. */
export function registerWatchList(api: Api, queries: Queries, registry: InstrumentRegistry): void {
  const listOf = async (userId: number) => {
    const rows = await queries
      .selectFrom('watched_instrument')
      .select('instrument_id')
      .where('user_id', '=', BigInt(userId))
      .orderBy('instrument_id')
      .execute()
    return { instrumentIds: rows.map((row) => Number(row.instrument_id)) }
  }

  api.user(getWatchList, ({ user }) => listOf(user.id))

  api.user(setWatched, async ({ user, input: { instrumentIds, isWatched } }) => {
    if (!instrumentIds.every((id) => registry.byId.has(id))) return refuse('unknownInstrument')
    await setRows(queries, user.id, new Set(instrumentIds), isWatched)
    return listOf(user.id)
  })
}

async function setRows(
  queries: Queries,
  userId: number,
  instrumentIds: ReadonlySet<number>,
  isWatched: boolean,
): Promise<void> {
  const ids = [...instrumentIds].map(BigInt)
  if (ids.length === 0) return
  const user_id = BigInt(userId)
  if (isWatched)
    await queries
      .insertInto('watched_instrument')
      .values(ids.map((instrument_id) => ({ user_id, instrument_id })))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  else
    await queries
      .deleteFrom('watched_instrument')
      .where('user_id', '=', user_id)
      .where('instrument_id', 'in', ids)
      .execute()
}

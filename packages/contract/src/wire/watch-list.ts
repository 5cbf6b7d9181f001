import { noun } from '../codec.ts'
import { flag, id, listOf, oneOrMore } from '../field.ts'

export const watchList = noun({ instrumentIds: ['forex_ids', listOf(id)] })

/** Several at once: what was marked on a device before somebody logged in. */
export const watchChange = noun({
  instrumentIds: ['forex_ids', oneOrMore(id)],
  isWatched: ['watched', flag(1, 0)],
})

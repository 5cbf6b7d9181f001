import { listWaiting } from '@fairlot/contract/desk'
import { useDeskQuery } from '../../live/queries.ts'

/** The number of open cases, beside the entry in the side bar. */
export function WaitingCount() {
  const { data } = useDeskQuery(listWaiting, EVERYTHING)
  return data && data.all > 0 ? data.all : null
}

const EVERYTHING = { kind: null, held: null, search: null, page: 1, before: null } as const

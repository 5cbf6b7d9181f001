import { listWaiting } from '@fairlot/contract/desk'
import { useDeskQuery } from '../../live/use-desk-query.ts'

/** How much waits in all, beside the entry of the rail. */
export function WaitingCount() {
  const { data } = useDeskQuery(listWaiting, EVERYTHING)
  return data && data.all > 0 ? data.all : null
}

const EVERYTHING = { kind: null, held: null, search: null, page: 1 } as const

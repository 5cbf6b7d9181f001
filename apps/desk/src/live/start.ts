import { watchMissingParts } from '@fairlot/ui/feedback/missing-part.ts'
import { watchActivity } from './activity.ts'
import { queryClient } from './queries.ts'
import { followChanges } from './socket.ts'
import { onTokenChange } from './token.ts'

/** Starts the live data; call it once. */
export function startLiveData(): void {
  // The next operator must not see the data of the last one.
  onTokenChange((token) => token === null && queryClient.clear())
  watchMissingParts()
  followChanges()
  watchActivity()
}

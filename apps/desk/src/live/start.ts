import { watchHands } from './hands.ts'
import { queryClient } from './query-client.ts'
import { followChanges } from './socket.ts'
import { onTokenChange } from './token.ts'

/** Starts what lives beside the screens; once. */
export function startLiveData(): void {
  // What one operator saw is not for the next.
  onTokenChange((token) => token === null && queryClient.clear())
  followChanges()
  watchHands()
}

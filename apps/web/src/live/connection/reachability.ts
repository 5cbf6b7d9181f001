import { useAppVersion } from '../device/app-version.ts'
import type { Obstacle } from '../requests/request.ts'
import { useConnection } from './connection-state.ts'

/** Longer than that is no connection to trade by, ms. */
const ANSWER_WITHIN_MS = 3_000

/**
 * What prevents changes now. While the connection seems lost the server is asked first, because a socket may be blocked where
 * calls are not; a connection that hangs counts as none.
 */
export async function obstacleToChanges(): Promise<Obstacle | null> {
  if (useAppVersion.getState().isOutdated) return 'outdated'
  if (navigator.onLine && !useConnection.getState().isOffline) return null
  return (await isServerReached()) ? null : 'notConnected'
}

const isServerReached = (): Promise<boolean> =>
  fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(ANSWER_WITHIN_MS) }).then(
    ({ ok }) => ok,
    () => false,
  )

import { create } from 'zustand'
import type { ConnectionState } from '@fairlot/ui/connection/reconnecting-socket.ts'

/** `isOffline` only after an open connection was lost or the first attempt failed, not while the first is being made. */
export type Connection = {
  readonly state: ConnectionState
  readonly isOffline: boolean
  /** When the last connection was lost, epoch ms on the device's clock; null if none was lost. */
  readonly lostAt: number | null
}

const GRACE_MS = 1500

/** State of the live connection. */
export const useConnection = create<Connection>(() => ({ state: 'idle', isOffline: false, lostAt: null }))

let grace: ReturnType<typeof setTimeout> | undefined

/** Records a new state of the socket; a short interruption shows no banner. `now`: when it was last heard of, epoch ms. */
export function setConnectionState(state: ConnectionState, now: number): void {
  const previous = useConnection.getState()
  const isUp = state === 'open' || state === 'idle'
  // A connection that fell silent counts as lost since then.
  const lostAt = previous.state === 'open' && !isUp && !previous.isOffline ? now : previous.lostAt
  useConnection.setState(isUp ? { state, isOffline: false } : { state, lostAt })
  if (isUp) {
    clearTimeout(grace)
    grace = undefined
  } else if (state === 'waiting') {
    grace ??= setTimeout(() => useConnection.setState({ isOffline: true }), GRACE_MS)
  }
}

/** Records that an open connection receives nothing, or receives again. `now` as above. */
export function setConnectionSilent(isSilent: boolean, now: number): void {
  if (useConnection.getState().state !== 'open') return
  useConnection.setState(isSilent ? { isOffline: true, lostAt: now } : { isOffline: false })
}

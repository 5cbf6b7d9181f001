import { create } from 'zustand'
import type { ConnectionState } from './socket.ts'

/** `offline` only when a standing connection was lost or the first one fails: not while the first is on its way. */
export type Connection = {
  readonly state: ConnectionState
  readonly isOffline: boolean
  /** When the last connection was lost, epoch ms on the reader's clock; null if there never was one. */
  readonly lostAt: number | null
}

const GRACE_MS = 1500

/** The state of the live connection, for the banner. */
export const useConnection = create<Connection>(() => ({ state: 'idle', isOffline: false, lostAt: null }))

let grace: ReturnType<typeof setTimeout> | undefined

/** Takes a new state of the socket. A short break shows no banner. `now` is epoch ms. */
export function setConnectionState(state: ConnectionState, now: number): void {
  const previous = useConnection.getState()
  const isUp = state === 'open' || state === 'idle'
  const lostAt = previous.state === 'open' && !isUp ? now : previous.lostAt
  useConnection.setState(isUp ? { state, isOffline: false } : { state, lostAt })
  if (isUp) {
    clearTimeout(grace)
    grace = undefined
  } else if (state === 'waiting') {
    grace ??= setTimeout(() => useConnection.setState({ isOffline: true }), GRACE_MS)
  }
}

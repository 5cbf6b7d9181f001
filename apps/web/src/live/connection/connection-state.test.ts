import { SOCKET } from '@fairlot/contract'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { setConnectionSilent, setConnectionState, useConnection } from './connection-state.ts'
import { createHub } from './hub.ts'

const LATEST_MS = 3_000

beforeEach(() => {
  vi.useFakeTimers()
  setConnectionState('idle', 0)
  useConnection.setState({ lostAt: null })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const isOffline = () => useConnection.getState().isOffline

test('a lost connection counts as offline within 3 seconds, whatever the attempts meanwhile', () => {
  setConnectionState('open', 0)
  setConnectionState('waiting', 10)
  setConnectionState('connecting', 510)
  expect(isOffline()).toBe(false)
  vi.advanceTimersByTime(LATEST_MS)
  expect(useConnection.getState()).toMatchObject({ isOffline: true, lostAt: 10 })
  setConnectionState('open', 9_000)
  expect(isOffline()).toBe(false)
})

test('each failed attempt to connect again leaves the 3 seconds as they are', () => {
  setConnectionState('open', 0)
  setConnectionState('waiting', 10)
  for (const at of [1_000, 2_000]) {
    vi.advanceTimersByTime(1_000)
    setConnectionState('connecting', at)
    setConnectionState('waiting', at + 10)
  }
  vi.advanceTimersByTime(900)
  expect(useConnection.getState()).toMatchObject({ isOffline: true, lostAt: 10 })
})

test('a short interruption does not', () => {
  setConnectionState('open', 0)
  setConnectionState('waiting', 10)
  vi.advanceTimersByTime(1_000)
  setConnectionState('open', 1_010)
  vi.advanceTimersByTime(LATEST_MS)
  expect(isOffline()).toBe(false)
})

/** A connection that opens and then neither answers nor closes, as when a phone leaves its network. */
class DeadSocket {
  static readonly last: DeadSocket[] = []
  readonly OPEN = 1
  readonly readyState = 1
  readonly sent: string[] = []
  onopen: (() => void) | null = null
  onmessage: ((event: { readonly data: string }) => void) | null = null

  constructor() {
    DeadSocket.last.unshift(this)
  }

  send(frame: string): void {
    this.sent.push(frame)
  }

  close(): void {}
}

test('an open connection that receives nothing counts as offline within 3 seconds, once its ping is unanswered', () => {
  vi.stubGlobal('WebSocket', DeadSocket)
  const hub = createHub({
    url: () => `ws://localhost${SOCKET.path}`,
    random: () => 0,
    token: () => null,
    onState: (state) => setConnectionState(state, Date.now()),
    onSilent: (isSilent) => setConnectionSilent(isSilent, Date.now()),
    onReconnected: () => {},
  })
  hub.start()
  const [socket] = DeadSocket.last
  socket?.onopen?.()
  expect(isOffline()).toBe(false)
  vi.advanceTimersByTime(LATEST_MS)
  expect(socket?.sent).toContainEqual(expect.stringContaining('ping'))
  expect(isOffline()).toBe(true)
  hub.stop()
})

test('after an hour of sleep the prices count as an hour old, and the connection as lost within 3 seconds', () => {
  vi.stubGlobal('WebSocket', DeadSocket)
  const hub = createHub({
    url: () => `ws://localhost${SOCKET.path}`,
    random: () => 0,
    token: () => null,
    onState: (state, heardAt) => setConnectionState(state, heardAt ?? Date.now()),
    onSilent: (isSilent, heardAt) => setConnectionSilent(isSilent, heardAt ?? Date.now()),
    onReconnected: () => {},
  })
  hub.start()
  const [socket] = DeadSocket.last
  socket?.onopen?.()
  const heardAt = Date.now()
  socket?.onmessage?.({ data: '{"type":"pong"}' })
  // Timers do not run while a device sleeps, but its clock goes on.
  vi.setSystemTime(heardAt + 3_600_000)
  vi.advanceTimersByTime(LATEST_MS)
  expect(useConnection.getState()).toMatchObject({ isOffline: true, lostAt: heardAt })
  hub.stop()
})

import { DESK_SOCKET_PATH } from '@fairlot/contract/desk'
import { createSocket, type SocketTiming } from '@fairlot/ui/connection/reconnecting-socket.ts'
import { useEffect } from 'react'
import { create } from 'zustand'
import { queryClient, refetchTopics } from './queries.ts'
import { currentToken, onTokenChange } from './token.ts'

const TIMING: SocketTiming = {
  connectTimeoutMs: 10_000,
  pingEveryMs: 15_000,
  missedPongsMax: 2,
  quietMs: Infinity,
  answerMs: Infinity,
  firstRetryMs: 500,
  longestRetryMs: 15_000,
}

const url = (): string =>
  `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}${DESK_SOCKET_PATH}`

const useConnection = create<{ isLost: boolean }>(() => ({ isLost: false }))

/** Whether the connection was lost: what is on the screen may be out of date. */
export const useIsConnectionLost = (): boolean => useConnection(({ isLost }) => isLost)

/** Follows changes by socket while an operator is logged in. After a reconnect everything is fetched again. */
export function followChanges(): void {
  let isLoggedIn = false
  let isReconnect = false

  const send = (message: object) => socket.send(JSON.stringify(message))
  const reportCase = () => isLoggedIn && send({ type: 'viewing', caseKey: shownCase() })

  const socket = createSocket<DeskMessage>({
    url,
    timing: TIMING,
    ping: JSON.stringify({ type: 'ping' }),
    random: Math.random,
    onState: (state) => {
      if (state === 'open') return
      isLoggedIn = false
      if (state !== 'waiting' || !isReconnect) return
      useConnection.setState({ isLost: true })
      // The session may have ended: checking it removes its data from the screen. Not before the first log-in on this socket: an
      // operator who is setting up a second factor would lose the recovery codes on the screen.
      refetchTopics(['self'])
    },
    onOpen: () => {
      const token = currentToken()
      if (token !== null) send({ type: 'login', token })
    },
    read: readDeskMessage,
    onMessage: (message) => {
      if (message.type === 'changed') return refetchTopics(message.topics)
      if (message.type === 'viewing') return showViewers(message.caseKey, message.operators)
      isLoggedIn = true
      useConnection.setState({ isLost: false })
      if (isReconnect) void queryClient.invalidateQueries()
      isReconnect = true
      if (shownCase() !== null) reportCase()
    },
  })

  function follow(token: string | null) {
    isReconnect = false
    useConnection.setState({ isLost: false })
    socket.stop()
    if (token !== null) socket.start()
  }

  follow(currentToken())
  onTokenChange(follow)
  addEventListener('online', () => currentToken() !== null && socket.start())
  useViewing.subscribe(({ caseKey }, before) => caseKey !== before.caseKey && reportCase())
}

/** Messages from the server to a page of the desk. */
type DeskMessage =
  | { readonly type: 'loggedIn' }
  | { readonly type: 'changed'; readonly topics: readonly string[] }
  | { readonly type: 'viewing'; readonly caseKey: string; readonly operators: readonly string[] }

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string')

/** Reads a message of the socket; null for an unknown one. */
export function readDeskMessage(frame: unknown): DeskMessage | 'pong' | null {
  if (typeof frame !== 'object' || frame === null) return null
  const { type, topics, caseKey, operators } = frame as Record<string, unknown>
  if (type === 'pong') return type
  if (type === 'loggedIn') return { type }
  if (type === 'changed' && isTexts(topics)) return { type, topics }
  if (type !== 'viewing' || typeof caseKey !== 'string' || !isTexts(operators)) return null
  return { type, caseKey, operators }
}

type Viewing = {
  /** The case that this page shows. */
  readonly caseKey: string | null
  /** All operators who show it, including this one. */
  readonly operators: readonly string[]
}

const useViewing = create<Viewing>(() => ({ caseKey: null, operators: [] }))

const shownCase = (): string | null => useViewing.getState().caseKey

/** Stores the operators who view a case, as the server reports them. */
const showViewers = (caseKey: string, operators: readonly string[]): void => {
  if (caseKey === shownCase()) useViewing.setState({ operators })
}

/**
 * Reports that this page shows a case, such as `approval:3`, while the component is mounted; null for none. Returns the names of
 * all operators who view it, including this one.
 */
export function useViewers(caseKey: string | null): readonly string[] {
  useEffect(() => {
    useViewing.setState({ caseKey, operators: [] })
    return () => useViewing.setState({ caseKey: null, operators: [] })
  }, [caseKey])
  return useViewing(({ operators }) => operators)
}

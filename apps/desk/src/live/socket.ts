import { DESK_SOCKET_PATH } from '@fairlot/contract/desk'
import { queryClient, renew } from './query-client.ts'
import { readDeskMessage, type DeskMessage } from './socket-message.ts'
import { currentToken, onTokenChange } from './token.ts'
import { shownCase, showViewers, useViewing } from './viewing.ts'

const FIRST_RETRY_MS = 500
const LONGEST_RETRY_MS = 15_000

/** Twice as long after each failure, up to the longest; the last half of it by chance (`random` is 0 to 1). */
export const retryPauseMs = (failures: number, random: number): number =>
  Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** failures) * (0.5 + random / 2)

const url = (): string =>
  `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}${DESK_SOCKET_PATH}`

/** Hears what has changed while somebody is logged in. After a break everything may have: all is asked again. */
export function followChanges(): void {
  let socket: WebSocket | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let failures = 0
  let isLoggedIn = false
  let isAgain = false

  const send = (message: object) => socket?.send(JSON.stringify(message))
  const tellCase = () => isLoggedIn && send({ type: 'viewing', caseKey: shownCase() })

  function drop() {
    clearTimeout(timer)
    isLoggedIn = false
    const old = socket
    socket = null
    old?.close()
  }

  function hear(message: DeskMessage | null) {
    if (message?.type === 'changed') renew(message.topics)
    if (message?.type === 'viewing') showViewers(message.caseKey, message.operators)
    if (message?.type !== 'loggedIn') return
    isLoggedIn = true
    failures = 0
    if (isAgain) void queryClient.invalidateQueries()
    isAgain = true
    if (shownCase() !== null) tellCase()
  }

  function connect(token: string) {
    drop()
    const mine = new WebSocket(url())
    socket = mine
    mine.onopen = () => send({ type: 'login', token })
    mine.onmessage = ({ data }) => socket === mine && hear(readDeskMessage(data))
    mine.onclose = () => {
      if (socket !== mine) return
      drop()
      // Perhaps the session has ended, and what is on the screen is no longer theirs to see. Not before a first log-in: whoever sets up a
      // second factor has none, and reads recovery codes that a new answer would take away.
      if (isAgain) renew(['self'])
      timer = setTimeout(() => connect(token), retryPauseMs(failures, Math.random()))
      failures += 1
    }
  }

  function follow(token: string | null) {
    isAgain = false
    failures = 0
    if (token === null) drop()
    else connect(token)
  }

  follow(currentToken())
  onTokenChange(follow)
  useViewing.subscribe(({ caseKey }, before) => caseKey !== before.caseKey && tellCase())
}

import { DESK_SOCKET_PATH } from '@fairlot/contract/desk'
import { expect, onTestFinished } from 'vitest'

/** An open page of the desk, as far as its socket is concerned. */
export type DeskPage = {
  readonly socket: WebSocket
  /** The messages it received. */
  readonly messages: readonly unknown[]
  readonly send: (message: object) => void
}

/** Opens a page that logs in with a token. It closes when the test ends. */
export function openDeskPage(url: string, token: string): DeskPage {
  const messages: unknown[] = []
  const socket = new WebSocket(`${url.replace('http', 'ws')}${DESK_SOCKET_PATH}`)
  socket.onopen = () => socket.send(JSON.stringify({ type: 'login', token }))
  socket.onmessage = ({ data }) => void messages.push(JSON.parse(String(data)))
  onTestFinished(() => socket.close())
  return { socket, messages, send: (message) => socket.send(JSON.stringify(message)) }
}

/** The same, once it is logged in. */
export async function loggedInDeskPage(url: string, token: string): Promise<DeskPage> {
  const page = openDeskPage(url, token)
  await expect.poll(() => page.messages, { timeout: 5_000 }).toContainEqual({ type: 'loggedIn' })
  return page
}

/** The changed topics in the messages to a page. */
export const topicsIn = (messages: readonly unknown[]): string[] =>
  messages.flatMap((message) => (message as { topics?: string[] }).topics ?? [])

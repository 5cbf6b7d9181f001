import type { Sender } from './outbox.ts'

/** A gateway that says nothing for so long has failed, ms. */
const WAIT_MS = 10_000

const GATEWAY_API = '2010-04-01'

/** A call to a gateway, worked out of its address in the settings. */
type Request = (to: string, text: string) => { readonly url: string; readonly init: RequestInit }

/**
 * Sends text messages. `twilio://SID:TOKEN@host?from=+15550100` speaks that provider's API over TLS; any other
 * `https://user:password@host/path` gets a POST of JSON `{ "to": "+85291234567", "text": "..." }`.
 */
export function createSmsSender(address: string): Sender {
  const request = address.startsWith('twilio:') ? messagesApi(new URL(address)) : anyGateway(new URL(address))
  return async ({ recipient, body }) => {
    const { url, init } = request(recipient, body)
    const signal = AbortSignal.timeout(WAIT_MS)
    const answer = await fetch(url, { ...init, method: 'POST', redirect: 'error', signal })
    await answer.body?.cancel()
    if (!answer.ok) throw new Error(`the SMS gateway answered HTTP ${answer.status}`)
  }
}

/** Plain HTTP only towards this machine, for tests. */
function messagesApi(address: URL): Request {
  const isLocal = address.hostname === '127.0.0.1'
  const user = decodeURIComponent(address.username)
  const from = address.searchParams.get('from') ?? ''
  const url = `${isLocal ? 'http' : 'https'}://${address.host}/${GATEWAY_API}/Accounts/${user}/Messages.json`
  return (to, text) => ({
    url,
    init: {
      headers: authorizationOf(address),
      body: new URLSearchParams({ To: to, From: from, Body: text }),
    },
  })
}

function anyGateway(address: URL): Request {
  const plain = new URL(address)
  plain.username = ''
  plain.password = ''
  const headers = { ...authorizationOf(address), 'content-type': 'application/json' }
  return (to, text) => ({ url: plain.href, init: { headers, body: JSON.stringify({ to, text }) } })
}

function authorizationOf({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {}
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` }
}

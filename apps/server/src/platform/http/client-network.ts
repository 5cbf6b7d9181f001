import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import { networkOf } from '../network-address.ts'

type Parts = Pick<FastifyRequest, 'ip' | 'headers' | 'socket'>

/** The address of the connection. */
const peerOf = ({ socket }: Pick<Parts, 'socket'>): string => socket.remoteAddress ?? ''

/** True for an address that is not routed on the internet. */
const isInside = (address: string): boolean =>
  isIP(address) !== 0 &&
  ['loopback', 'private', 'uniqueLocal', 'linkLocal', 'carrierGradeNat'].includes(
    ipaddr.process(address).range(),
  )

/** The client named by the nearest proxy, which appends it to the list; empty without one. */
function lastForwarded({ headers }: Pick<Parts, 'headers'>): string {
  const header = headers['x-forwarded-for']
  const text = Array.isArray(header) ? header.join(',') : (header ?? '')
  return text.split(',').at(-1)?.trim() ?? ''
}

/**
 * The network by which limits count a caller. Behind a proxy that TRUST_PROXY does not name, all clients have the address
 * of the proxy, and wrong passwords of one client would block all others. So each client that such a proxy names is counted
 * separately. Only internal addresses are trusted for that, and only for counting; the address that is shown and stored
 * is that of the connection.
 */
export function clientNetworkOf(request: Parts): string {
  const peer = peerOf(request)
  const client = lastForwarded(request)
  if (request.ip !== peer || !isInside(peer) || isIP(client) === 0) return networkOf(request.ip)
  return `${networkOf(peer)} for ${networkOf(client)}`
}

/** The proxy that has forwarded a call although TRUST_PROXY does not name it; null for none. */
export function unnamedProxyOf(request: Parts): string | null {
  const { headers, ip } = request
  const isForwarded = ['x-forwarded-for', 'forwarded', 'x-real-ip'].some(
    (name) => headers[name] !== undefined,
  )
  return isForwarded && ip === peerOf(request) ? ip : null
}

/** Proxies that TRUST_PROXY should name. */
export type ProxyWatch = {
  see(request: Parts): void
  /** The internal addresses that have forwarded calls within the last hour; outsiders cannot forge these. */
  unnamed(): readonly string[]
}

const SEEN_FOR_MS = 3_600_000
const PROXIES_MAX = 20

/** `warn` is called at most once an hour for each proxy. */
export function createProxyWatch(now: () => number, warn: (sentence: string) => void): ProxyWatch {
  const warnedAt = new Map<string, number>()
  const seenAt = new Map<string, number>()
  return {
    see: (request) => {
      const proxy = unnamedProxyOf(request)
      if (proxy === null) return
      const at = now()
      const last = warnedAt.get(proxy)
      const isFull = last === undefined && warnedAt.size >= PROXIES_MAX
      if (!isFull || isInside(proxy)) seenAt.set(proxy, at)
      if (isFull || (last !== undefined && at - last < SEEN_FOR_MS)) return
      warnedAt.set(proxy, at)
      warn(
        `calls come through ${proxy}, which forwards for others and which TRUST_PROXY does not name: ` +
          'if it is your proxy, set TRUST_PROXY, or all its visitors share its address',
      )
    },
    unnamed: () =>
      [...seenAt].flatMap(([proxy, at]) => (isInside(proxy) && now() - at < SEEN_FOR_MS ? [proxy] : [])),
  }
}

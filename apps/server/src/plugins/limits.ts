import type { FastifyInstance } from 'fastify'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { refused, sayOf } from './api.ts'
import { refuse } from './refusal.ts'
import { SOCKET } from '@fairlot/contract'

/** Per caller: a steady rate, and a burst on top of it. */
export type Limits = {
  readonly callsPerSecond: number
  readonly callsBurst: number
  readonly handshakesPerSecond: number
}

/** Bursts refill over this many seconds. */
const BURST_S = 10

/** Limits calls per user (or address, for visitors) and socket handshakes per address; beyond them HTTP 429. */
export function registerLimits(server: FastifyInstance, limits: Limits): void {
  const steady = new RateLimiterMemory({ points: limits.callsPerSecond, duration: 1 })
  const burst = new RateLimiterMemory({ points: limits.callsBurst, duration: BURST_S, keyPrefix: 'burst' })
  const handshakes = new RateLimiterMemory({ points: limits.handshakesPerSecond, duration: 1 })

  const isWithin = (limiter: RateLimiterMemory, key: string) =>
    limiter.consume(key).then(
      () => true,
      () => false,
    )

  server.addHook('onRequest', async (request, reply) => {
    const path = request.url.split('?')[0] ?? ''
    const isSocket = path === SOCKET.path
    const isCall = path.startsWith('/api/') || path.startsWith('/v1/')
    if (!isCall) return
    const caller = request.headers.authorization ?? request.ip
    const isAllowed = isSocket
      ? await isWithin(handshakes, request.ip)
      : (await isWithin(steady, caller)) || (await isWithin(burst, caller))
    if (!isAllowed) await refused(reply, sayOf(request), refuse('tooManyRequests'))
  })
}

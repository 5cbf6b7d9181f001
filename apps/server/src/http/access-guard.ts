import type { Access } from '@fairlot/contract'
import type { FastifyRequest } from 'fastify'
import { createBurstLimit, networkOf } from './rate-limits.ts'
import { isRefusal, refuse, type Refusal } from './refusal.ts'
import type { Sessions, SessionUser } from './login-sessions.ts'

/** How many calls one caller may make: a rate per second, and a burst on top of it. */
export type CallLimits = {
  /** Of a user who is logged in. */
  readonly callsPerSecond: number
  readonly callsBurst: number
  /** Of an address, for calls that need no login. */
  readonly addressCallsPerSecond: number
  readonly addressCallsBurst: number
}

/** Decides who may call, before a body is read. */
export type Guard = {
  /** Counts a call and finds out who makes it; answers with the refusal of a caller who makes too many. */
  admit(request: FastifyRequest, access: Access): Promise<Refusal | null>
  /** Counts a log-in by token that is no call, as on a socket, and finds out whose it is; null for nobody's. */
  callerBy(token: string, address: string): Promise<SessionUser | Refusal | null>
  /** Who makes an admitted call that needs a login; null for nobody. */
  callerOf(request: FastifyRequest): SessionUser | null
}

/**
 * Calls that need a login count by user, all others by address. A token counts by address until it is known to open a
 * session, so that made-up tokens neither escape the limits nor cost more look-ups than they allow.
 */
export function createGuard(sessions: Sessions, limits: CallLimits): Guard {
  const ofUser = createBurstLimit(
    () => limits.callsPerSecond,
    () => limits.callsBurst,
  )
  const ofAddress = createBurstLimit(
    () => limits.addressCallsPerSecond,
    () => limits.addressCallsBurst,
  )
  const callers = new WeakMap<FastifyRequest, SessionUser>()
  const callerBy = async (token: string | null, address: string) => {
    const known = token === null ? null : sessions.remembered(token)
    const isWithin = known ? await ofUser(known.id) : await ofAddress(networkOf(address))
    if (!isWithin) return refuse('tooManyRequests')
    return known ?? (token === null ? null : sessions.userOf(token))
  }
  return {
    admit: async (request, access) => {
      const caller = await callerBy(access === 'visitor' ? null : tokenOf(request), request.ip)
      if (caller && isRefusal(caller)) return caller
      if (caller) callers.set(request, caller)
      return null
    },
    callerBy,
    callerOf: (request) => callers.get(request) ?? null,
  }
}

/** The token as it is, or behind "Bearer ". */
export function tokenOf(request: FastifyRequest): string | null {
  const token = request.headers.authorization?.replace(/^Bearer /i, '').trim()
  return token === undefined || token === '' ? null : token
}

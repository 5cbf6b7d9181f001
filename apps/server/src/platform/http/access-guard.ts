import type { Access } from '@fairlot/contract'
import type { FastifyRequest } from 'fastify'
import { createBurstLimit } from '../rate-limits.ts'
import { networkOf } from '../network-address.ts'
import { isRefusal, refuse, type Refusal } from '../refusal.ts'
import type { Sessions, SessionUser } from './login-sessions.ts'

/** Limits on the calls of one caller: a rate per second, and a burst on top of it. */
export type CallLimits = {
  /** For a logged-in user. */
  readonly callsPerSecond: number
  readonly callsBurst: number
  /** For an address, in calls that need no log-in. */
  readonly addressCallsPerSecond: number
  readonly addressCallsBurst: number
}

/** Identifies and limits callers, before a body is read. */
export type Guard = {
  /** Counts a call and identifies its caller; returns a refusal when the caller has reached the limit. */
  admit(request: FastifyRequest, access: Access): Promise<Refusal | null>
  /** Counts a log-in by token outside a call, such as on a socket, and returns its user; null for an unknown token. */
  callerBy(token: string, address: string): Promise<SessionUser | Refusal | null>
  /** The user of an admitted call that needs a log-in; null without one. */
  callerOf(request: FastifyRequest): SessionUser | null
}

/**
 * Calls that need a log-in are counted per user, all others per address. A token is counted per address until it is known
 * to belong to a session, so that guessed tokens neither escape the limits nor cost more lookups than these allow.
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
    const known = token === null ? null : sessions.cached(token)
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

/** The token of a request, with or without the prefix "Bearer "; null without one. */
export function tokenOf(request: FastifyRequest): string | null {
  const token = request.headers.authorization?.replace(/^Bearer /i, '').trim()
  return token === undefined || token === '' ? null : token
}

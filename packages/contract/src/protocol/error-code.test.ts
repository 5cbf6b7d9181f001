import { REJECTION_CODES } from '@fairlot/core'
import { describe, expect, it } from 'vitest'
import { codeOf, firstOf, isReason, messageKeyOf, REFUSAL_REASONS, statusOf } from './error-code.ts'

describe('refusals', () => {
  it("keep the core's order", () => {
    const known: readonly string[] = REJECTION_CODES
    expect(REFUSAL_REASONS.filter((reason) => known.includes(reason))).toEqual(known)
  })

  it('have code 0, but 999 for an ended session', () => {
    expect(codeOf('sessionGone')).toBe(999)
    expect(new Set(REFUSAL_REASONS.filter((reason) => reason !== 'sessionGone').map(codeOf))).toEqual(
      new Set([0]),
    )
  })

  it('have status 200 if the call was valid', () => {
    expect(statusOf('lotsOffStep')).toBe(200)
    expect(statusOf('sessionGone')).toBe(200)
    expect(statusOf('tooManyRequests')).toBe(429)
    expect(statusOf('malformed')).toBe(400)
  })

  it('select the one with the highest precedence, the earlier one among equals', () => {
    const problem = firstOf([
      { reason: 'stalePrice' as const, field: 'a' },
      { reason: 'lotsOffStep' as const, field: 'b' },
      { reason: 'lotsOffStep' as const, field: 'c' },
    ])
    expect(problem).toEqual({ reason: 'lotsOffStep', field: 'b' })
  })

  it('have a key in the message catalogues', () => {
    expect(messageKeyOf('stalePrice')).toBe('refusal.stalePrice')
  })

  it('exclude names inherited by every object', () => {
    expect(isReason('toString')).toBe(false)
    expect(isReason('marketClosed')).toBe(true)
  })
})

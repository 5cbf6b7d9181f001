import type { Money } from '@fairlot/core'
import { describe, expect, it } from 'vitest'
import { readEnvelope, successEnvelope } from './envelope.ts'
import { refusalEnvelope } from './server.ts'
import { lots } from './field.ts'

const throughJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

describe('an envelope', () => {
  it('contains an answer', () => {
    const body = successEnvelope(lots, 100 as never, 'done')
    expect(body).toEqual({ code: 1, msg: 'done', data: 0.01 })
    expect(readEnvelope(lots, throughJson(body))).toEqual({ ok: true, value: 100, message: 'done' })
  })

  it('contains a refusal with its reason and figures', () => {
    const details = { needed: 1_500_000n as Money, fee: 500_000n as Money }
    const body = throughJson(refusalEnvelope('notEnoughPrepayment', 'No money', details))
    expect(body).toEqual({
      code: 0,
      msg: 'No money',
      data: { reason: 'notEnoughPrepayment', should_deduct: 1.5, trade_fee: 0.5 },
    })
    expect(readEnvelope(lots, body)).toMatchObject({
      ok: false,
      code: 0,
      reason: 'notEnoughPrepayment',
      details,
    })
  })

  it('signals an ended session only by its code', () => {
    expect(readEnvelope(lots, { code: 999, msg: 'gone', data: null })).toMatchObject({
      reason: 'sessionGone',
    })
    expect(refusalEnvelope('sessionGone', 'gone')).toMatchObject({ code: 999 })
  })

  it.each([null, 'text', [], { reason: 7 }])('has an unknown reason when its data is %j', (data) => {
    expect(readEnvelope(lots, { code: 0, msg: 'no', data })).toMatchObject({ ok: false, reason: 'unknown' })
  })

  it.each([null, [], 'text', {}, { code: '1', data: 1 }, { code: 1, msg: '', data: 'x' }])(
    'is not %j',
    (body) => {
      expect(readEnvelope(lots, body)).toBeNull()
    },
  )
})

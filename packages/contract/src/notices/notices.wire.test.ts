/** The wire of the notices, pinned: each sample is read to clean values and written again to the letter. */
import { expect, it } from 'vitest'
import { encode } from '../protocol/codec.ts'
import { decode } from '../protocol/server.ts'
import { NOTICE_KINDS, noticePage } from './notices.wire.ts'

const NAMED_OTHERWISE = {
  orderCancelledByOperator: 'orderWithdrawn',
  freezeExpired: 'freezeLapsed',
  depositReported: 'depositTold',
  withdrawalRequested: 'withdrawalAsked',
  payoutMethodAdded: 'methodBound',
}

it.each(Object.entries(NAMED_OTHERWISE))('%s is %s on the wire', (kind, wireKind) => {
  const row = {
    kind: wireKind,
    group: 'orders',
    title: 'A title',
    text: '',
    time: 1_700_000_000_000,
    is_read: 0,
  }
  const wire = { data: [row], total: 1 }
  const read = decode(noticePage, wire)
  expect(read).toMatchObject({ ok: true, value: { notices: [{ kind }] } })
  if (read.ok) expect(encode(noticePage, read.value)).toEqual(wire)
})

it('every other kind has the same name on the wire', () => {
  const others = Object.entries(NOTICE_KINDS).filter(([kind]) => !Object.hasOwn(NAMED_OTHERWISE, kind))
  expect(others.map(([kind]) => kind)).toEqual(others.map(([, wireKind]) => wireKind))
})

import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { NO_CHAIN, receiptHash } from './receipt-chain.ts'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

it('the first receipt of an account names 64 zeros', () => {
  expect(NO_CHAIN).toEqual({ number: 0, hash: '0'.repeat(64) })
})

it('the hash of a receipt is that of the hash before it and its own text, so that anybody can work it out', () => {
  const first = receiptHash(NO_CHAIN.hash, '{"number":1}')
  expect(first).toBe(sha256(`${'0'.repeat(64)}{"number":1}`))
  expect(receiptHash(first, '{"number":2}')).toBe(sha256(`${first}{"number":2}`))
})

it('another receipt before it gives another hash', () => {
  const [one, other] = [receiptHash(NO_CHAIN.hash, 'one'), receiptHash(NO_CHAIN.hash, 'other')]
  expect(receiptHash(one, 'next')).not.toBe(receiptHash(other, 'next'))
})

import { expect, it } from 'vitest'
import type { Receipt } from '@fairlot/core'
import { quoteAt } from '../../../../testing/test-world.ts'
import { createTickBook, named } from './price-figures.ts'

const receiptAt = (seq: number, bid: number, receivedAt: number): Receipt => ({
  action: 'open',
  trigger: 'user',
  tick: quoteAt(bid, receivedAt, seq),
  quoteSide: 'ask',
  requestedPrice: null,
  filledPrice: null,
  slippage: 0,
  delayMs: 0,
  conversion: [],
  ruleVersion: 2,
  terms: 1,
})

it('accepts many receipts with one tick, and an older tick in a later receipt', () => {
  const book = createTickBook()
  const receipts = [receiptAt(1, 100_000, 10), receiptAt(2, 100_001, 20), receiptAt(2, 100_001, 20)]
  for (const receipt of [...receipts, receiptAt(1, 100_000, 10)])
    expect(book.fault('one run', named(receipt))).toBeNull()
})

it('accepts two ticks in one millisecond, in any order of receipts', () => {
  const book = createTickBook()
  for (const seq of [1, 2, 1])
    expect(book.fault('one run', named(receiptAt(seq, 100_000 + seq, 10)))).toBeNull()
})

it('finds two prices under one number', () => {
  const book = createTickBook()
  book.fault('one run', named(receiptAt(7, 100_000, 10)))
  expect(book.fault('one run', named(receiptAt(7, 100_001, 10)))).toBe(
    'tick 7 bid is 100001, it should be 100000',
  )
})

it.each([
  ['a higher number that is older', 8, 9, 'tick 8 arrived before tick 7 of its instrument'],
  ['a lower number that is younger', 6, 11, 'tick 6 arrived after tick 7 of its instrument'],
])('finds %s', (_name, seq, receivedAt, fault) => {
  const book = createTickBook()
  book.fault('one run', named(receiptAt(7, 100_000, 10)))
  expect(book.fault('one run', named(receiptAt(seq, 100_000, receivedAt)))).toBe(fault)
})

it('starts again with every run, as unsaved numbers are reused', () => {
  const book = createTickBook()
  book.fault('one run', named(receiptAt(7, 100_000, 10)))
  expect(book.fault('the next', named(receiptAt(5, 100_002, 30)))).toBeNull()
})

it('checks conversion pairs too', () => {
  const book = createTickBook()
  book.fault('one run', named(receiptAt(7, 100_000, 10)))
  const converting = { ...receiptAt(7, 100_000, 10), tick: null, conversion: [quoteAt(99_999, 10, 7)] }
  expect(book.fault('one run', named(converting))).toMatch(/^tick 7 bid is/)
})

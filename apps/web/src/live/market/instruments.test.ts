import { expect, test } from 'vitest'
import * as sample from '../../testing/market-samples.ts'
import { keepRows } from './instruments.ts'

const [euro, gold] = [sample.eurusd(), sample.gold()]

test('a row in which only the price has changed keeps its object', () => {
  const before = [euro, gold]
  const moved = { ...euro, bid: gold.bid, quoteSeq: 7, leverages: [...euro.leverages] }
  expect(keepRows(before, [moved, gold])).toBe(before)
})

test('a row with another change is replaced, the others stay', () => {
  const closed = { ...euro, isOpen: !euro.isOpen }
  const rows = keepRows([euro, gold], [closed, { ...gold }])
  expect(rows[0]).toBe(closed)
  expect(rows[1]).toBe(gold)
  const other = { ...gold, leverages: [1, 2] }
  expect(keepRows([gold], [other])).toEqual([other])
})

test('a first price replaces the row', () => {
  const priced = { ...euro, quoteTime: 1 }
  expect(keepRows([{ ...euro, quoteTime: null }], [priced])[0]).toBe(priced)
})

test('the order and the number of rows are those of the new list', () => {
  expect(keepRows([euro, gold], [gold, euro])).toEqual([gold, euro])
  expect(keepRows([euro, gold], [gold])).toEqual([gold])
  expect(keepRows(undefined, [euro])).toEqual([euro])
})

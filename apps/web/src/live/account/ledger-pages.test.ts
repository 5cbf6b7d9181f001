import type { LedgerRecord } from '@fairlot/contract'
import { expect, test } from 'vitest'
import { addRecords } from './ledger-pages.ts'

const records = (...ids: number[]) => ids.map((id) => ({ id }) as LedgerRecord)
const loaded = (total: number, ...ids: number[]) => ({
  pages: [{ records: records(...ids), total }],
  pageParams: [1],
})

test('new bookings stand first and are counted', () => {
  expect(addRecords(loaded(2, 5, 4), records(6, 7))).toEqual(loaded(4, 7, 6, 5, 4))
})

test('bookings that are there already are not counted again', () => {
  const before = loaded(2, 5, 4)
  expect(addRecords(before, records(4, 5))).toBe(before)
  expect(addRecords(before, records(5, 6))).toEqual(loaded(3, 6, 5, 4))
})

test('a page keeps its size; what no longer fits comes with the next one', () => {
  const full = loaded(12, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11)
  expect(addRecords(full, records(21))).toEqual(loaded(13, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12))
})

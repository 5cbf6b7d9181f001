import type { DeskExport } from '@fairlot/contract/desk'
import { money } from '@fairlot/core'
import { describe, expect, test } from 'vitest'
import { isRefusal, refuse } from '../../platform/refusal.ts'
import { type ReadPage, textOfList } from './list-file.ts'

const exportOf = (...columns: readonly string[]): DeskExport =>
  ({ name: 'rows', columns, list: { name: 'listRows' } }) as unknown as DeskExport

/** Rows with the ids of these pages, which have a thousand rows each. */
const pagesOf =
  (total: number, pages: readonly (readonly number[])[]): ReadPage =>
  async (page) => ({ rows: (pages[page - 1] ?? []).map((id) => ({ id })), total })

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at)

async function linesOf(file: DeskExport, read: ReadPage): Promise<readonly string[]> {
  const text = await textOfList(file, read)
  if (isRefusal(text)) throw new Error(text.rejected)
  let whole = ''
  for await (const piece of text) whole += piece
  return whole.trim().split('\r\n')
}

describe('the file of a list', () => {
  test('contains the rows of every page in order', async () => {
    const pages = [numbers(1, 1000), numbers(1001, 2000), [2001]]
    const requested: (readonly [page: number, limit: number])[] = []
    const lines = await linesOf(exportOf('id'), (page, limit) => {
      requested.push([page, limit])
      return pagesOf(2001, pages)(page, limit)
    })
    expect(lines).toEqual(['id', ...numbers(1, 2001).map(String)])
    expect(requested).toEqual([
      [1, 1000],
      [2, 1000],
      [3, 1000],
    ])
  })

  test('reads no page after the last, even if that one is full', async () => {
    const lines = await linesOf(exportOf('id'), async (page, limit) => {
      if (page > 1) throw new Error('there is no second page')
      return pagesOf(1000, [numbers(1, 1000)])(page, limit)
    })
    expect(lines).toHaveLength(1001)
  })

  test('contains a row once that new rows pushed onto the next page', async () => {
    const pages = [numbers(1, 1000), [999, 1000, 1001]]
    expect(await linesOf(exportOf('id'), pagesOf(1003, pages))).toEqual([
      'id',
      ...numbers(1, 1001).map(String),
    ])
  })

  test('keeps equal rows that have no id', async () => {
    const read: ReadPage = async () => ({ rows: [{ name: 'same' }], total: 1001 })
    expect(await linesOf(exportOf('name'), read)).toEqual(['name', 'same', 'same'])
  })

  test('is refused above 100,000 rows, and allowed with exactly as many', async () => {
    expect(await textOfList(exportOf('id'), pagesOf(100_001, []))).toMatchObject({
      rejected: 'listTooLong',
      details: { most: 100_000 },
    })
    expect(isRefusal(await textOfList(exportOf('id'), pagesOf(100_000, [])))).toBe(false)
  })

  test('is refused with the list', async () => {
    expect(await textOfList(exportOf('id'), async () => refuse('roleRefused'))).toMatchObject({
      rejected: 'roleRefused',
    })
  })

  test('fails if a later page is refused, so that nobody takes it for complete', async () => {
    const read: ReadPage = (page, limit) =>
      page === 2 ? Promise.resolve(refuse('roleRefused')) : pagesOf(2000, [numbers(1, 1000)])(page, limit)
    await expect(linesOf(exportOf('id'), read)).rejects.toThrow('listRows ended on page 2: roleRefused')
  })
})

test.each([
  ['money with its decimals', 'amount', money(1_234_500_000n), '1234.500000'],
  ['a number as it is', 'share', 0.25, '0.25'],
  ['a time in ISO 8601', 'at', 1_772_452_805_500, '2026-03-02T12:00:05.500Z'],
  ['a time, by the end of its name', 'createdAt', 0, '1970-01-01T00:00:00.000Z'],
  ['a number whose name only contains "at"', 'flatFee', 5, '5'],
  ['a number whose name ends with the name of a time', 'insince', 5, '5'],
  ['a number whose name begins with one', 'momentum', 5, '5'],
  ['a number whose name contains "At"', 'maxAtOnce', 5, '5'],
  ['a day as a date', 'day', 1_772_452_805_500, '2026-03-02'],
  ['a week as the date of its first day', 'week', 1_772_452_805_500, '2026-03-02'],
  ['yes', 'isOn', true, 'yes'],
  ['no', 'isOn', false, 'no'],
  ['a text', 'name', 'Brass', 'Brass'],
  ['several values with semicolons', 'names', ['a', 'b'], 'a; b'],
  ['nothing for null', 'name', null, ''],
  ['nothing for what is missing', 'name', undefined, ''],
  ['nothing for what has no cell', 'name', { first: 1 }, ''],
])('a cell contains %s', async (_what, column, value, cell) => {
  const read: ReadPage = async () => ({ rows: [{ id: 1, [column]: value }], total: 1 })
  expect(await linesOf(exportOf('id', column), read)).toEqual([`id,${column}`, `1,${cell}`])
})

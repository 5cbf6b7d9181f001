import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Queries } from '../database/open.ts'
import { onEveryDatabase } from '../../testing/on-every-database.ts'
import { similarPictures } from './similar-pictures.ts'
import { measureReceipts } from './testing/measure-receipts.ts'
import { KINDS } from './testing/receipts.ts'

const LOOK = '8421f00dcafe1234'

const keep = (
  queries: Queries,
  key: string,
  given: { look: string; hash?: string; usedBy?: string | null },
) =>
  queries
    .insertInto('stored_file')
    .values({
      key,
      user_id: 7n,
      operator_id: null,
      kind: 'proof',
      content_type: 'image/jpeg',
      bytes: 1n,
      width: 1n,
      height: 1n,
      sha256: key,
      original_sha256: given.hash ?? key,
      look: given.look,
      created_at: 0n,
      used_by: given.usedBy === undefined ? `deposit:${key}` : given.usedBy,
    })
    .execute()

/** Pieces of text, each written by the number of its words. */
const write = (queries: Queries, key: string, words: readonly number[]) =>
  queries
    .insertInto('picture_text')
    .values(
      words.map((word, place) => {
        const shape = createHash('sha256').update(String(word)).digest('hex')
        return { key, place: BigInt(place), ratio: 5_000n, shape, mark: `4 ${shape.slice(0, 5)}` }
      }),
    )
    .execute()

onEveryDatabase('similar pictures of other cases', (databases) => {
  test('have the same bytes, or perceptual hashes that differ in at most three bits', async () => {
    const { queries } = await databases.open()
    await keep(queries, '1', { look: LOOK, hash: 'bytes' })
    await keep(queries, '2', { look: '0000000000000000', hash: 'bytes' })
    await keep(queries, '3', { look: '8421f00dcafe1233' })
    await keep(queries, '4', { look: '8421f00dcafe123b' })
    await keep(queries, '5', { look: LOOK, usedBy: null })
    await keep(queries, '6', { look: LOOK, usedBy: 'removal' })
    const found = await similarPictures(queries, ['1', 'gone'])
    expect([...found]).toEqual([
      [
        '1',
        [
          { caseKey: 'deposit:2', userId: 7, isSame: true },
          { caseKey: 'deposit:3', userId: 7, isSame: false },
        ],
      ],
    ])
  })

  test('have the same text, also if one is cut, and whatever they look like', async () => {
    const { queries } = await databases.open()
    const alike = (key: string) => keep(queries, key, { look: LOOK })
    for (const key of ['1', '2', '3', '4']) await alike(key)
    await keep(queries, '5', { look: '1111222233334444' })
    await write(queries, '1', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    await write(queries, '2', [1, 2, 3, 4, 50, 6, 7, 8, 9, 10])
    await write(queries, '3', [3, 4, 5, 6, 7, 8, 9, 10])
    await write(queries, '5', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    const found = await similarPictures(queries, ['1', '2'])
    expect([...found].map(([key, others]) => [key, others.map(({ caseKey }) => caseKey)])).toEqual([
      // The fourth has no text, as pictures from before: it is compared by its looks.
      ['1', ['deposit:3', 'deposit:4', 'deposit:5']],
      ['2', ['deposit:4']],
    ])
  })

  test('are the repeats of receipts, and no other receipts of one layout', async () => {
    const { queries } = await databases.open()
    // `npm run receipts` measures two hundred of them.
    const { falseAlarms, repeats, found } = await measureReceipts(queries, 2, KINDS.slice(2, 4))
    expect(falseAlarms).toBe(0)
    expect(found / repeats).toBeGreaterThanOrEqual(0.95)
  })

  test('are found although compression has spoilt more pieces than are searched for', async () => {
    const { queries } = await databases.open()
    const words = (from: number, count: number) => Array.from({ length: count }, (_, at) => from + at)
    await keep(queries, '1', { look: '1111222233334444' })
    await write(queries, '1', words(1, 24))
    await keep(queries, '2', { look: LOOK })
    // A word of a spoilt piece, at its place.
    await write(queries, '2', [...words(101, 3), ...words(4, 18), ...words(122, 3)])
    // Neither a picture of the same case nor one sent to support staff makes a spoilt piece worth a search.
    await keep(queries, '3', { look: LOOK, usedBy: 'deposit:2' })
    await write(queries, '3', [...words(101, 3), ...words(122, 3)])
    await keep(queries, '4', { look: LOOK, usedBy: 'chat:7' })
    await write(queries, '4', [...words(101, 3), ...words(122, 3)])
    const found = await similarPictures(queries, ['2'])
    expect(found.get('2')?.map(({ caseKey }) => caseKey)).toEqual(['deposit:1'])
  })

  test('are neither plain pictures nor pictures of the same case', async () => {
    const { queries } = await databases.open()
    await keep(queries, '1', { look: '0000000000000000' })
    await keep(queries, '2', { look: '0000000000000000' })
    await keep(queries, '3', { look: LOOK, usedBy: 'deposit:3' })
    await keep(queries, '4', { look: LOOK, usedBy: 'deposit:3' })
    const found = await similarPictures(queries, ['1', '3'])
    expect([...found.values()]).toEqual([[], []])
  })
})

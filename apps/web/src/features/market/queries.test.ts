import { expect, test } from 'vitest'
import { createBatch } from './queries.ts'

test('runs no more than allowed at once, in order, and goes on after a failure', async () => {
  const started: number[] = []
  const finish: (() => void)[] = []
  const run = createBatch(2)
  const works = [0, 1, 2, 3].map((number) =>
    run(
      () =>
        new Promise<number>((resolve, reject) => {
          started.push(number)
          finish[number] = () => (number === 1 ? reject(new Error('lost')) : resolve(number))
        }),
    ),
  )
  expect(started).toEqual([0, 1])
  finish[1]?.()
  await expect(works[1]).rejects.toThrow('lost')
  expect(started).toEqual([0, 1, 2])
  finish[0]?.()
  await works[0]
  finish[2]?.()
  await works[2]
  finish[3]?.()
  expect(await works[3]).toBe(3)
})

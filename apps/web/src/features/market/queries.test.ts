import { expect, test } from 'vitest'
import { createLimiter } from './queries.ts'

test('runs no more than allowed at once, in order, and continues after a failure', async () => {
  const started: number[] = []
  const finish: (() => void)[] = []
  const run = createLimiter(2)
  const tasks = [0, 1, 2, 3].map((number) =>
    run(
      () =>
        new Promise<number>((resolve, reject) => {
          started.push(number)
          finish[number] = () => (number === 1 ? reject(new Error('failed')) : resolve(number))
        }),
    ),
  )
  expect(started).toEqual([0, 1])
  finish[1]?.()
  await expect(tasks[1]).rejects.toThrow('failed')
  expect(started).toEqual([0, 1, 2])
  finish[0]?.()
  await tasks[0]
  finish[2]?.()
  await tasks[2]
  finish[3]?.()
  expect(await tasks[3]).toBe(3)
})

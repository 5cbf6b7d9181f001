import { expect, test } from 'vitest'
import { createFrame } from './frame-batch.ts'

test('of many values between two paints only the newest of each key is painted, once', () => {
  const scheduled: (() => void)[] = []
  const painted: [string, number][] = []
  const push = createFrame<string, number>(
    (paint) => scheduled.push(paint),
    (key, value) => painted.push([key, value]),
  )
  push('EURUSD', 1)
  push('GBPUSD', 5)
  push('EURUSD', 2)
  expect(scheduled).toHaveLength(1)
  expect(painted).toEqual([])
  scheduled[0]?.()
  expect(painted).toEqual([
    ['EURUSD', 2],
    ['GBPUSD', 5],
  ])
  push('EURUSD', 3)
  expect(scheduled).toHaveLength(2)
})

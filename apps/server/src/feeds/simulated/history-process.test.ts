import { expect, test } from 'vitest'
import { instrument, INSTRUMENTS } from '../test-kit.ts'
import { createSimulatedHistory } from './history.ts'
import { historyInProcess } from './history-process.ts'

const wish = {
  ...{ instruments: INSTRUMENTS, seed: 'test', until: Date.UTC(2025, 5, 4, 14, 47) },
  asked: [instrument('EURUSD'), instrument('XAUUSD')],
  startFrom: new Map([['EURUSD', 1.1234]]),
}

test('the process of its own tells the same past, of those who are asked for', async () => {
  const { instruments, seed, until, startFrom, asked } = wish
  const here = createSimulatedHistory(instruments, seed, until, startFrom)
  const told: unknown[] = []
  for await (const history of historyInProcess(wish)) told.push(history)
  expect(told).toEqual(asked.map((each) => here.of(each)))
})

test('whoever has seen enough may stop', async () => {
  for await (const { code } of historyInProcess(wish)) {
    expect(code).toBe('EURUSD')
    break
  }
})

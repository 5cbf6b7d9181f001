import { expect, test } from 'vitest'
import { instrument, INSTRUMENTS } from '../test-kit.ts'
import { createSimulatedHistory } from './history.ts'
import { historyInProcess } from './history-process.ts'

const request = {
  instruments: INSTRUMENTS,
  seed: 'test',
  until: Date.UTC(2025, 5, 4, 14, 47),
  wanted: [instrument('EURUSD'), instrument('XAUUSD')],
  startFrom: new Map([['EURUSD', 1.1234]]),
}

test('returns the same history from a child process, for the requested instruments', async () => {
  const { instruments, seed, until, startFrom, wanted } = request
  const here = createSimulatedHistory(instruments, seed, until, startFrom)
  const received: unknown[] = []
  for await (const history of historyInProcess(request)) received.push(history)
  expect(received).toEqual(wanted.map((each) => here.of(each)))
})

test('may be stopped early', async () => {
  for await (const { code } of historyInProcess(request)) {
    expect(code).toBe('EURUSD')
    break
  }
})

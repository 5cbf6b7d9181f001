// The program of a process of its own: makes the past of instruments, one whenever it is asked for the next.
import { createSimulatedHistory } from './history.ts'
import type { HistoryWish } from './history-process.ts'

process.once('message', (wish) => {
  const { instruments, asked, seed, until, startFrom } = wish as HistoryWish
  const history = createSimulatedHistory(instruments, seed, until, startFrom)
  const left = [...asked]
  const sendNext = (): void => {
    const instrument = left.shift()
    process.send?.(instrument ? history.of(instrument) : null)
  }
  process.on('message', sendNext)
  sendNext()
})

// Runs in its own process: simulates the history of one instrument per message.
import { createSimulatedHistory } from './history.ts'
import type { HistoryRequest } from './history-process.ts'

process.once('message', (request) => {
  const { instruments, wanted, seed, until, startFrom } = request as HistoryRequest
  const history = createSimulatedHistory(instruments, seed, until, startFrom)
  const left = [...wanted]
  const sendNext = (): void => {
    const instrument = left.shift()
    process.send?.(instrument ? history.of(instrument) : null)
  }
  process.on('message', sendNext)
  sendNext()
})

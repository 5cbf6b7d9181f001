// Plain JavaScript for Node 20: part of `npm start`, which runs before anything is installed.
import { constants } from 'node:os'

/** The first pause before a program is started again, ms; each further failure in a row doubles it. */
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 30_000
/** So many ends in a row without having been ready for a while, and we give up: some eight minutes. */
const FAILURES_MAX = 20
/** Whoever was ready for so long before it died is not counted as failing in a row, ms. */
const STEADY_MS = 60_000

/**
 * Keeps a program running: one that dies after it was ready is started again, later each time it fails in a row. It says that it is
 * ready by the message 'ready' on its channel. A program that never became ready ends with its own code: nothing would change
 * by starting it again, as with a wrong setting. So does one that ends with code 0, or after it was told to stop.
 * `start` spawns the program anew; `tell` hears one sentence for each end and what follows from it.
 */
export function keepRunning(start, { tell, firstPauseMs = FIRST_PAUSE_MS }) {
  let child = null
  let pause = null
  let isStopping = false
  let wasEverReady = false
  let failures = 0
  let finish = () => {}
  const ended = new Promise((resolve) => (finish = resolve))

  const run = () => {
    let readyAt = null
    let hasEnded = false
    const end = (reason, code) => {
      if (hasEnded) return
      hasEnded = true
      child = null
      if (isStopping || code === 0) return finish(code)
      if (!wasEverReady) return finish(code)
      const isSteady = readyAt !== null && performance.now() - readyAt >= STEADY_MS
      failures = isSteady ? 1 : failures + 1
      if (failures > FAILURES_MAX) {
        tell(`The server ended (${reason}) after ${FAILURES_MAX} others in a row. It is not started again.`)
        return finish(code)
      }
      const pauseMs = Math.min(firstPauseMs * 2 ** (failures - 1), LONGEST_PAUSE_MS)
      tell(`The server ended (${reason}); what it said last is above. It is started again in ${pauseMs} ms.`)
      pause = setTimeout(run, pauseMs)
    }
    child = start()
    child.on('message', (message) => {
      if (message !== 'ready') return
      wasEverReady = true
      readyAt = performance.now()
    })
    child.on('error', (error) => end(`it could not be started: ${error.message}`, 1))
    child.on('exit', (code, signal) => {
      const reason = signal === null ? `exit code ${code}` : signal
      const judge = () => end(reason, code ?? exitCodeOf(signal))
      // What it said before its end may still be on the channel.
      if (child.connected) child.once('disconnect', judge)
      else judge()
    })
  }

  run()
  return {
    /** The exit code to end with. */
    ended,
    /** Ends the program, and does not start it again. `isToldAlready`: it has heard the signal by itself. */
    stop: (signal, isToldAlready = false) => {
      isStopping = true
      if (child === null) {
        clearTimeout(pause)
        finish(exitCodeOf(signal))
      } else if (!isToldAlready) child.kill(signal)
    },
  }
}

/** What a shell says of a program that a signal has ended. */
const exitCodeOf = (signal) => 128 + (constants.signals[signal] ?? 0)

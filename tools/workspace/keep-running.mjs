// Plain JavaScript for Node 20: part of `npm start`, which runs before anything is installed.
import { constants } from 'node:os'

/** The pause before the first restart, ms; each further failure in a row doubles it. */
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 30_000
/** Failures in a row until we give up: about eight minutes. */
const FAILURES_MAX = 20
/** A process that was ready for this long before it died does not count as a failure in a row, ms. */
const STEADY_MS = 60_000

/**
 * Keeps a program running: one that dies after it was ready is restarted, later each time it fails in a row. It
 * reports that it is ready by the message 'ready' on its channel. A program that was never ready is not restarted,
 * because a wrong setting stays wrong; nor is one that exits with code 0 or was told to stop. `start` spawns the
 * program; `report` receives a sentence for each end.
 */
export function keepRunning(start, { report, firstPauseMs = FIRST_PAUSE_MS }) {
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
        report(`The server ended (${reason}) after ${FAILURES_MAX} others in a row. It is not started again.`)
        return finish(code)
      }
      const pauseMs = Math.min(firstPauseMs * 2 ** (failures - 1), LONGEST_PAUSE_MS)
      report(
        `The server ended (${reason}); what it said last is above. It is started again in ${pauseMs} ms.`,
      )
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
      // Messages sent before its end may still be in the channel.
      if (child.connected) child.once('disconnect', judge)
      else judge()
    })
  }

  run()
  return {
    /** Resolves with the exit code. */
    ended,
    /** Stops the program without a restart. `isReportedAlready`: it has received the signal itself. */
    stop: (signal, isReportedAlready = false) => {
      isStopping = true
      if (child === null) {
        clearTimeout(pause)
        finish(exitCodeOf(signal))
      } else if (!isReportedAlready) child.kill(signal)
    },
  }
}

/** The exit code of a shell for a program ended by a signal. */
const exitCodeOf = (signal) => 128 + (constants.signals[signal] ?? 0)

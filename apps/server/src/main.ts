import { readEnvironment, type Config } from './config/config.ts'
import { FIRST_NAME } from './desk/operators/first-administrator.ts'
import { startServer } from './start-server.ts'

/** Refused ticks, and what could not be booked, are told to the operator so often, ms. */
const REPORT_MS = 60_000
/** Requests and sockets still open this long after SIGTERM are cut, ms. */
const DRAIN_MS = 10_000
/** A heap up to this size is looked through in some 30 ms of processor time, bytes. */
const SMALL_HEAP = 128 * 1024 * 1024

async function main(config: Config): Promise<void> {
  const { url, deployment, log, deskPassword, stop } = await startServer(config, { onSteppedDown: endAtOnce })
  giveBackWhatTheStartLeft()
  const reporting = setInterval(() => {
    const { market } = deployment
    for (const note of [market.clockJump(), market.refusedTicks(), market.withheld()]) {
      if (note !== null) log.warn(note)
    }
  }, REPORT_MS)

  const stopInTime = async () => {
    const cut = setTimeout(() => process.exit(1), DRAIN_MS)
    clearInterval(reporting)
    await stop()
    clearTimeout(cut)
  }
  let stopping: Promise<void> | null = null
  // A terminal may send the same signal twice: to us, and through the script that started us.
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => void (stopping ??= stopInTime()))

  for (const notice of deployment.notices) console.log(`Note: ${notice}.`)
  if (deskPassword !== null)
    console.log(
      `The operators' desk is at ${url}/desk: log in as ${FIRST_NAME} with ${deskPassword} (told only this once).`,
    )
  console.log(`Fairlot is ready at ${url}`)
  // To the script that started us, which then brings us back should we die.
  process.send?.('ready')
}

/** While nobody has been told that we are here; a large heap would keep them waiting. `npm start` lets us ask for it. */
function giveBackWhatTheStartLeft(): void {
  if (process.memoryUsage().heapUsed > SMALL_HEAP) return
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}

/** Another program writes to our database: whoever asks here must not be told anything any more. */
function endAtOnce(reason: string): void {
  console.error(`Fairlot ends: ${reason}.`)
  process.exit(1)
}

const config = readEnvironment()
if ('problem' in config) {
  console.error(config.problem)
  process.exitCode = 1
} else {
  main(config).catch((error: unknown) => {
    console.error(`Fairlot could not start: ${error instanceof Error ? error.message : String(error)}`)
    process.exit(1)
  })
}

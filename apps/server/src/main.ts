import { readEnvironment, type Config } from './platform/config/config.ts'
import { FIRST_NAME } from './desk/operators/first-administrator.ts'
import { startServer } from './start-server.ts'

/** Interval of log lines about refused ticks and deferred postings, ms. */
const REPORT_MS = 60_000
/** The process exits this long after SIGTERM even when requests are still open, ms. */
const DRAIN_MS = 10_000
/** Collecting a heap up to this size takes about 30 ms, bytes. */
const SMALL_HEAP = 128 * 1024 * 1024

async function main(config: Config): Promise<void> {
  const { url, deployment, log, deskPassword, stop } = await startServer(config, { onSteppedDown: endAtOnce })
  releaseStartMemory()
  const reporting = setInterval(() => {
    const { market } = deployment
    for (const note of [market.clockJump(), market.refusedTicks(), market.deferredOrders()]) {
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
  // A terminal sends the signal twice: to this process and, through it, the script that started it.
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => void (stopping ??= stopInTime()))

  for (const notice of deployment.notices) console.log(`Note: ${notice}.`)
  if (deskPassword !== null)
    console.log(
      `The operators' desk is at ${url}/desk: log in as ${FIRST_NAME} with ${deskPassword} (shown only once).`,
    )
  console.log(`Fairlot is ready at ${url}`)
  // From now on the script that started this process restarts it after a crash.
  process.send?.('ready')
}

/** Frees the memory that only the start needed, unless the heap is large. `npm start` exposes `gc`. */
function releaseStartMemory(): void {
  if (process.memoryUsage().heapUsed > SMALL_HEAP) return
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}

/** Another program has taken over the database: no further request may be answered. */
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

import type { AddressInfo } from 'node:net'
import { buildApp } from './app.ts'
import { startDeployment } from './deployment.ts'
import { realPace } from './feeds/pace.ts'
import { readEnvironment, type Config } from './plugins/config.ts'

/** Refused ticks, and what could not be booked, are told to the operator so often, ms. */
const REPORT_MS = 60_000
/** Requests and sockets still open this long after SIGTERM are cut, ms. */
const DRAIN_MS = 10_000

async function main(config: Config): Promise<void> {
  const onError = (error: unknown, doing: string) => console.error(`While ${doing}:`, error)
  const deployment = await startDeployment(config, onError, realPace, { onSteppedDown: endAtOnce })
  const server = await buildApp(deployment)
  await server.listen({ port: config.port, host: config.host })
  await deployment.market.start()
  const reporting = setInterval(() => {
    const { market } = deployment
    for (const note of [market.clockJump(), market.refusedTicks(), market.withheld()]) {
      if (note !== null) console.warn(`Note: ${note}.`)
    }
  }, REPORT_MS)

  const stop = async () => {
    const cut = setTimeout(() => process.exit(1), DRAIN_MS)
    clearInterval(reporting)
    await server.close().catch((error: unknown) => onError(error, 'closing the server'))
    await deployment.stop()
    clearTimeout(cut)
  }
  let stopping: Promise<void> | null = null
  // A terminal may send the same signal twice: to us, and through the script that started us.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void (stopping ??= stop()))

  for (const notice of deployment.notices) console.log(`Note: ${notice}.`)
  console.log(`Fairlot is ready at ${addressOf(server.addresses(), config.host)}`)
  // To the script that started us, which then brings us back should we die.
  process.send?.('ready')
}

/** Another program writes to our database: whoever asks here must not be told anything any more. */
function endAtOnce(reason: string): void {
  console.error(`Fairlot ends: ${reason}.`)
  process.exit(1)
}

/** The address a person can open: a host that means "every interface" is none. */
function addressOf(addresses: readonly (AddressInfo | string)[], host: string): string {
  const shown = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  const [first] = addresses
  return `http://${shown}:${typeof first === 'object' ? first.port : ''}`
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

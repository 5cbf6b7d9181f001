// A whole server in a process of its own, for benches: `node bench/server.ts <database url> [commands a commit]`.
// Writes its address once prices move. Only the limits that a load from one address would meet are lifted.
import type { AddressInfo } from 'node:net'
import { buildApp } from '../apps/server/src/app.ts'
import { startDeployment } from '../apps/server/src/deployment.ts'
import { realPace } from '../apps/server/src/feeds/pace.ts'
import { readConfig } from '../apps/server/src/plugins/config.ts'

const MANY = '1000000'

const [databaseUrl = '', batchSize] = process.argv.slice(2)
const config = readConfig({
  DATABASE_URL: databaseUrl,
  FEED: 'simulated:1',
  LOG_LEVEL: 'error',
  SETTING_DEMO_BALANCE: '1000000000',
  SETTING_DEMO_ACCOUNTS_PER_HOUR: MANY,
  SETTING_CALLS_PER_SECOND: MANY,
  SETTING_CALLS_BURST: MANY,
  SETTING_ADDRESS_CALLS_PER_SECOND: MANY,
  SETTING_ADDRESS_CALLS_BURST: MANY,
})
if ('problem' in config) throw new Error(config.problem)

const onError = (error: unknown, doing: string) => console.error(`While ${doing}:`, error)
const batching = batchSize === undefined ? {} : { batchSize: Number(batchSize) }
const deployment = await startDeployment(config, onError, realPace, batching)
const app = await buildApp(deployment)
await app.listen({ port: 0, host: '127.0.0.1' })
await deployment.market.start()
const { port } = app.server.address() as AddressInfo
console.log(`http://127.0.0.1:${port}`)

process.on('SIGTERM', () => {
  const stop = async () => {
    await app.close()
    await deployment.stop()
  }
  void stop()
})

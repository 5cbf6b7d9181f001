// A server in its own process for benchmarks, with so many commands per commit: `node bench/server.ts [commands]`.
import { readEnvironment } from '../apps/server/src/platform/config/config.ts'
import { startServer } from '../apps/server/src/start-server.ts'

const [batchSize] = process.argv.slice(2)
const config = readEnvironment()
if ('problem' in config) throw new Error(config.problem)
const { url, stop } = await startServer(
  config,
  batchSize === undefined ? {} : { batchSize: Number(batchSize) },
)
process.once('SIGTERM', () => {
  process.stdin.destroy()
  void stop()
})
console.log(`Ready at ${url}`)

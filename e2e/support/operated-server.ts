/**
 * The server as `main.ts` starts it, with an operator at its standard input: each line is a command of the engine as
 * JSON, answered by a line once it is committed.
 */
import { createInterface } from 'node:readline'
import type { Operator } from '@fairlot/core'
import type { EngineCommand } from '../../apps/server/src/engine/engine.ts'
import { readEnvironment } from '../../apps/server/src/config/config.ts'
import { startServer } from '../../apps/server/src/start-server.ts'
import { COMMAND_DONE, type OperatorOrder } from './operator.ts'

const OPERATOR: Operator = {
  ...{ type: 'operator', id: 1, role: 'administrator', reason: 'a journey', second: null },
}

const config = readEnvironment()
if ('problem' in config) throw new Error(config.problem)
const { url, deployment, stop } = await startServer(config)

createInterface({ input: process.stdin }).on('line', (line) => {
  const order = JSON.parse(line) as OperatorOrder
  void deployment.engine
    .execute({ ...order, by: OPERATOR } as EngineCommand)
    .then(() => console.log(COMMAND_DONE))
})

process.once('SIGTERM', () => {
  process.stdin.destroy()
  void stop()
})
console.log(`Ready at ${url}`)

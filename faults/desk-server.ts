/**
 * Starts the server like `main.ts`, with a desk that acts at random: operators change terms, statuses and money, and
 * the users of a few real accounts send requests. Each outcome is printed on a line; `work` and `pause` are read from
 * standard input.
 */
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { readEnvironment } from '../apps/server/src/platform/config/config.ts'
import { startServer } from '../apps/server/src/start-server.ts'
import { createRandom } from '../testing/random.ts'
import { chooseAction, withdrawAll, type Action } from './operator-actions.ts'
import { DESK_PAUSED, lineOf } from './operator-desk.ts'

const ACTION_INTERVAL_MS = 10
/** Different for every process. */
const RUN = String(process.pid)

const config = readEnvironment()
if ('problem' in config) throw new Error(config.problem)
const {
  deployment: { engine },
} = await startServer(config)

const random = createRandom(process.pid)
let isPaused = true
let count = 0

async function carryOut(action: Action): Promise<void> {
  count += 1
  const name = `desk ${RUN} ${count}`
  const command = action(name)
  const answer = await engine.execute(command)
  // Opening an account has no request id.
  if (command.type === 'openAccount') return
  // The pipe is written before the call returns, so every outcome is known outside.
  if ('entry' in answer) console.log(lineOf({ name, isAccepted: true }))
  else if ('rejected' in answer) console.log(lineOf({ name, isAccepted: false }))
}

async function work(): Promise<void> {
  while (!isPaused) {
    await carryOut(chooseAction(engine.state(), random))
    await pause(ACTION_INTERVAL_MS)
  }
  // Nothing may take effect by itself during the checks.
  for (let actions = withdrawAll(engine.state()); actions.length > 0; actions = withdrawAll(engine.state())) {
    for (const action of actions) await carryOut(action)
    await pause(ACTION_INTERVAL_MS)
  }
  console.log(DESK_PAUSED)
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const wasPaused = isPaused
  isPaused = line === 'pause'
  if (wasPaused && !isPaused) void work()
  else if (wasPaused) console.log(DESK_PAUSED)
})

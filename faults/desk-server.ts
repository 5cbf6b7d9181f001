/**
 * The server as `main.ts` starts it, and beside it a desk that works at random: operators change terms, statuses and money, and
 * the users of a few real accounts ask for it. A line tells of every answer; `rest` and `work` are heard at standard input.
 */
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { readEnvironment } from '../apps/server/src/config/config.ts'
import { startServer } from '../apps/server/src/start-server.ts'
import { createRandom } from '../testing/random.ts'
import { chooseAct, withdrawAll, type Act } from './operator-acts.ts'
import { DESK_RESTS, lineOf } from './operator-desk.ts'

const BETWEEN_ACTS_MS = 10
/** Another seed for every process. */
const RUN = String(process.pid)

const config = readEnvironment()
if ('problem' in config) throw new Error(config.problem)
const {
  deployment: { engine },
} = await startServer(config)

const random = createRandom(process.pid)
let isResting = true
let count = 0

async function carryOut(act: Act): Promise<void> {
  count += 1
  const name = `desk ${RUN} ${count}`
  const command = act(name)
  const answer = await engine.execute(command)
  // An account is opened under no name.
  if (command.type === 'openAccount') return
  // A pipe is written before the call returns: what was answered is known outside.
  if ('entry' in answer) console.log(lineOf({ name, isAccepted: true }))
  else if ('rejected' in answer) console.log(lineOf({ name, isAccepted: false }))
}

async function work(): Promise<void> {
  while (!isResting) {
    await carryOut(chooseAct(engine.state(), random))
    await pause(BETWEEN_ACTS_MS)
  }
  // Nothing may come by itself while it is looked at.
  for (let acts = withdrawAll(engine.state()); acts.length > 0; acts = withdrawAll(engine.state())) {
    for (const act of acts) await carryOut(act)
    await pause(BETWEEN_ACTS_MS)
  }
  console.log(DESK_RESTS)
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const wasResting = isResting
  isResting = line === 'rest'
  if (wasResting && !isResting) void work()
  else if (wasResting) console.log(DESK_RESTS)
})

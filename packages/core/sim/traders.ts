/** Users who do every legal and illegal thing. */
import { money, type CloseAccount, type Command, type ResetDemo, type UserCommand } from '../src/index.ts'
import { cancelWithdrawal, openDeposit, requestWithdrawal } from './case-maker.ts'
import { show } from './canonical.ts'
import { placeOrder } from './order-maker.ts'
import {
  cancelOrder,
  closeAll,
  closePosition,
  reversePosition,
  setStops,
  setTrailing,
} from './position-maker.ts'
import type { Random } from '../../../testing/random.ts'
import type { Scene } from './scene.ts'
import { balanceAt, userAccount, type ReferenceModel } from './reference/state.ts'
import type { SimWorld } from './world.ts'

const REMEMBERED_COMMANDS = 60

export type Traders = { readonly next: (at: number) => UserCommand }

export function createTraders(world: SimWorld, model: ReferenceModel, random: Random): Traders {
  const sent: UserCommand[] = []
  let requestCount = 0
  const named = (command: UserCommand): UserCommand => {
    const { accountId, type: call } = command
    const id = `r${++requestCount}`
    return { ...command, request: { accountId, call, id, digest: digestOf(command) } }
  }
  return {
    next(at) {
      if (sent.length > 0 && random.chance(8)) return again(random.pick(sent), at, random)
      const command = freshCommand({ world, model, random, at })
      if (!random.chance(50)) return command
      const asked = named(command)
      sent.push(asked)
      if (sent.length > REMEMBERED_COMMANDS) sent.splice(random.int(0, 20), 1)
      return asked
    },
  }
}

const digestOf = ({ at: _at, request: _request, ...payload }: Command & { request?: unknown }): string =>
  show(payload)

/** The same request once more; in one case of four with another payload under the old name. */
function again(command: UserCommand, at: number, random: Random): UserCommand {
  const repeated = { ...command, at }
  if (!random.chance(25) || !command.request) return repeated
  return { ...repeated, request: { ...command.request, digest: `${command.request.digest} changed` } }
}

/** What users do, each up to its share of 100; once the floor is full they place less. */
const HABITS = [
  { upTo: 55, whenFull: 14, make: placeOrder },
  { upTo: 69, whenFull: 45, make: closePosition },
  { upTo: 74, whenFull: 60, make: cancelOrder },
  { upTo: 83, whenFull: 75, make: setStops },
  { upTo: 91, whenFull: 87, make: setTrailing },
  { upTo: 92, whenFull: 89, make: closeAll },
  { upTo: 95, whenFull: 93, make: reversePosition },
  { upTo: 96, whenFull: 94, make: openDeposit },
  { upTo: 98, whenFull: 97, make: requestWithdrawal },
  { upTo: 99, whenFull: 98, make: cancelWithdrawal },
  { upTo: 100, whenFull: 100, make: resetDemo },
] as const

function freshCommand(scene: Scene): UserCommand {
  const { random, model, world } = scene
  const demos = model.accounts.filter(({ ledger }) => ledger === 'demo')
  const { id } = random.pick(random.chance(70) ? demos : model.accounts)
  const accountId = random.chance(1) ? model.accounts.length + 5 : id
  const isFull = model.living.length >= world.mostLivingOrders
  const draw = random.int(1, 100)
  const habit = HABITS.find(({ upTo, whenFull }) => draw <= (isFull ? whenFull : upTo))
  return (habit?.make ?? resetDemo)(scene, accountId)
}

/** Mostly somebody who has next to nothing left, and hardly ever a trader with money. */
function resetDemo(scene: Scene, accountId: number): ResetDemo | CloseAccount {
  const { at, model, random } = scene
  const little = model.settings.demoBalance / 10n
  const poor = model.accounts.filter(({ id, ledger }) => {
    return ledger === 'demo' && balanceAt(model, userAccount(id)) < little
  })
  if (poor.length > 0) return { type: 'resetDemo', at, accountId: random.pick(poor).id }
  if (random.chance(12)) return closeAccount(scene)
  return random.chance(15)
    ? { type: 'resetDemo', at, accountId: random.pick(model.accounts).id }
    : { type: 'resetDemo', at, accountId: accountId + 100 }
}

/** Mostly somebody with real money who has nothing open: the others are refused for what they have. */
function closeAccount({ at, model, random }: Scene): CloseAccount {
  const idle = model.accounts.filter(
    ({ id, ledger }) => ledger === 'real' && !model.living.some(({ accountId }) => accountId === id),
  )
  const { id } = random.pick(idle.length > 0 && random.chance(60) ? idle : model.accounts)
  return { type: 'closeAccount', at, accountId: id, leftMax: money(random.pick([0n, 0n, 5_000_000n])) }
}

/** Users who send every kind of valid and invalid command. */
import { money, type CloseAccount, type Command, type UserCommand } from '../src/index.ts'
import { removeAlert, setAlert } from './alert-maker.ts'
import { cancelWithdrawal, changePayoutMethod, openDeposit, requestWithdrawal } from './case-maker.ts'
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
import { balanceAt, isHeld, ordersOf, userAccount, type ReferenceModel } from './reference/state.ts'
import type { SimWorld } from './world.ts'

const RECENT_COMMANDS = 60

export type Traders = { readonly next: (at: number) => UserCommand }

export function createTraders(world: SimWorld, model: ReferenceModel, random: Random): Traders {
  const sent: UserCommand[] = []
  let requestCount = 0
  const withRequestId = (command: UserCommand): UserCommand => {
    const { accountId, type: call } = command
    const id = `r${++requestCount}`
    return { ...command, request: { accountId, call, id, digest: digestOf(command) } }
  }
  return {
    next(at) {
      if (sent.length > 0 && random.chance(8)) return repeatRequest(random.pick(sent), at, random)
      const command = freshCommand({ world, model, random, at })
      if (!random.chance(50)) return command
      const requested = withRequestId(command)
      sent.push(requested)
      if (sent.length > RECENT_COMMANDS) sent.splice(random.int(0, 20), 1)
      return requested
    },
  }
}

const digestOf = ({ at: _at, request: _request, ...payload }: Command & { request?: unknown }): string =>
  show(payload)

/** The same request again; in one case of four with another payload under the same id. */
function repeatRequest(command: UserCommand, at: number, random: Random): UserCommand {
  const repeated = { ...command, at }
  if (!random.chance(25) || !command.request) return repeated
  return { ...repeated, request: { ...command.request, digest: `${command.request.digest} changed` } }
}

/** Commands by their cumulative share of 100; with many active orders users place fewer new ones. */
const COMMANDS = [
  { upTo: 53, whenFull: 13, make: placeOrder },
  { upTo: 66, whenFull: 43, make: closePosition },
  { upTo: 71, whenFull: 57, make: cancelOrder },
  { upTo: 80, whenFull: 72, make: setStops },
  { upTo: 87, whenFull: 83, make: setTrailing },
  { upTo: 88, whenFull: 85, make: closeAll },
  { upTo: 91, whenFull: 89, make: reversePosition },
  { upTo: 94, whenFull: 92, make: setAlert },
  { upTo: 95, whenFull: 93, make: removeAlert },
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
  const isFull = model.active.length >= world.maxActiveOrders
  const draw = random.int(1, 100)
  const chosen = COMMANDS.find(({ upTo, whenFull }) => draw <= (isFull ? whenFull : upTo))
  return (chosen?.make ?? resetDemo)(scene, accountId)
}

/** Mostly an account that has almost nothing left, hardly ever one with money. */
function resetDemo(scene: Scene, accountId: number): UserCommand {
  const { at, model, random } = scene
  const little = model.settings.demoBalance / 10n
  const almostEmpty = model.accounts.filter(({ id, ledger }) => {
    return ledger === 'demo' && balanceAt(model, userAccount(id)) < little
  })
  if (almostEmpty.length > 0)
    return {
      type: 'resetDemo',
      at,
      accountId: random.pick(almostEmpty).id,
      ...(random.chance(30) && { start: money(model.settings.demoBalance * BigInt(random.int(1, 4))) }),
    }
  if (random.chance(25)) return closeAccount(scene)
  if (random.chance(25)) return changePayoutMethod(scene, accountId)
  return random.chance(15)
    ? { type: 'resetDemo', at, accountId: random.pick(model.accounts).id }
    : { type: 'resetDemo', at, accountId: accountId + 100 }
}

/**
 * Mostly an account with real money and no active orders: the others are rejected, now and then for pending orders
 * alone.
 */
function closeAccount({ at, model, random }: Scene): CloseAccount {
  const idle = model.accounts.filter(
    ({ id, ledger }) => ledger === 'real' && !model.active.some(({ accountId }) => accountId === id),
  )
  const waiting = model.accounts.filter(({ id }) => {
    const orders = ordersOf(model, id)
    return orders.length > 0 && !orders.some(isHeld)
  })
  const chosen = random.chance(60) ? idle : random.chance(50) ? waiting : model.accounts
  const { id } = random.pick(chosen.length > 0 ? chosen : model.accounts)
  return { type: 'closeAccount', at, accountId: id, leftMax: money(random.pick([0n, 0n, 5_000_000n])) }
}

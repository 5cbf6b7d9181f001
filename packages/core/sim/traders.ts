/** Users who do every legal and illegal thing. */
import type { CancelOrder, ClosePosition, Command, ResetDemo, SetStops, UserCommand } from '../src/index.ts'
import { price } from '../src/index.ts'
import { placeOrder, stopsAround } from './order-maker.ts'
import type { Random } from './random.ts'
import { balanceAt, closingAt, userAccount, type Twin, type TwinOrder } from './twin-state.ts'
import type { SimWorld } from './world.ts'

const REMEMBERED_COMMANDS = 60

export type Traders = { readonly next: (at: number) => UserCommand }

export function createTraders(world: SimWorld, twin: Twin, random: Random): Traders {
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
      const command = freshCommand({ world, twin, random, at })
      if (!random.chance(50)) return command
      const asked = named(command)
      sent.push(asked)
      if (sent.length > REMEMBERED_COMMANDS) sent.splice(random.int(0, 20), 1)
      return asked
    },
  }
}

const digestOf = ({ at: _at, request: _request, ...payload }: Command & { request?: unknown }): string =>
  JSON.stringify(payload)

/** The same request once more; in one case of four with another payload under the old name. */
function again(command: UserCommand, at: number, random: Random): UserCommand {
  const repeated = { ...command, at }
  if (!random.chance(25) || !command.request) return repeated
  return { ...repeated, request: { ...command.request, digest: `${command.request.digest} changed` } }
}

export type Scene = {
  readonly world: SimWorld
  readonly twin: Twin
  readonly random: Random
  readonly at: number
}

function freshCommand(scene: Scene): UserCommand {
  const { random, twin, world } = scene
  const demos = twin.accounts.filter(({ ledger }) => ledger === 'demo')
  const { id } = random.pick(random.chance(85) ? demos : twin.accounts)
  const accountId = random.chance(1) ? twin.accounts.length + 5 : id
  const isFull = twin.living.length >= world.mostLivingOrders
  const draw = random.int(1, 100)
  if (draw <= (isFull ? 20 : 60)) return placeOrder(scene, accountId)
  if (draw <= 74) return closePosition(scene, accountId)
  if (draw <= 80) return cancelOrder(scene, accountId)
  if (draw <= 99 || random.chance(20)) return setStops(scene, accountId)
  const poor = twin.accounts.filter(({ id: owner }) => balanceAt(twin, userAccount(owner)) < 1_000_000_000n)
  return resetDemo(scene, random.pick(poor.length > 0 && random.chance(70) ? poor : twin.accounts).id)
}

/** Mostly an own order of the wanted state; else another's, an ended one, one in the wrong state, or none. */
function chooseOrder(scene: Scene, accountId: number, wanted: TwinOrder['status']): number {
  const { random, twin } = scene
  const draw = random.int(1, 100)
  const own = twin.living.filter((order) => order.accountId === accountId)
  const group =
    draw <= 80
      ? own.filter((order) => order.status === wanted)
      : draw <= 88
        ? own
        : draw <= 92
          ? twin.living
          : draw <= 97
            ? twin.ended.slice(-30)
            : []
  return group.length > 0 ? random.pick(group).orderId : random.pick([0, -1, 99_999_999])
}

/** Mostly an account that has an order in the wanted state. */
function chooseAccount({ random, twin }: Scene, accountId: number, wanted: TwinOrder['status']): number {
  const orders = twin.living.filter((order) => order.status === wanted)
  return orders.length > 0 && random.chance(90) ? random.pick(orders).accountId : accountId
}

function closePosition(scene: Scene, anyAccount: number): ClosePosition {
  const accountId = chooseAccount(scene, anyAccount, 'holding')
  return { type: 'closePosition', at: scene.at, accountId, orderId: chooseOrder(scene, accountId, 'holding') }
}

function cancelOrder(scene: Scene, anyAccount: number): CancelOrder {
  const accountId = chooseAccount(scene, anyAccount, 'pending')
  return { type: 'cancelOrder', at: scene.at, accountId, orderId: chooseOrder(scene, accountId, 'pending') }
}

function setStops(scene: Scene, anyAccount: number): SetStops {
  const { world, twin, random, at } = scene
  const status = random.pick(['holding', 'holding', 'pending'] as const)
  const accountId = chooseAccount(scene, anyAccount, status)
  const orderId = chooseOrder(scene, accountId, status)
  const command = { type: 'setStops', at, accountId, orderId } as const
  const order = twin.living.find((living) => living.orderId === orderId)
  const instrument = order && world.instruments.find(({ id }) => id === order.instrumentId)
  if (!order || !instrument || random.chance(10)) return { ...command, takeProfit: null, stopLoss: null }
  const quote = twin.quotes.get(instrument.id)
  const closing = quote ? closingAt(order.side, quote) : order.acceptedPrice
  const reference = order.status === 'pending' ? (order.targetPrice ?? closing) : closing
  const stops = stopsAround(scene, instrument, order.side, reference)
  const odd = random.pick([0, -3, 0.25, -2_000_000_000_000])
  return { ...command, ...stops, ...(random.chance(3) ? { takeProfit: price(odd) } : {}) }
}

const resetDemo = ({ at }: Scene, accountId: number): ResetDemo => ({ type: 'resetDemo', at, accountId })

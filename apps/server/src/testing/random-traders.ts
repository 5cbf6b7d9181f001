import { lots, price } from '@fairlot/core'
import type { Floor } from './trading-floor.ts'
import type { EngineCommand } from '../engine/engine.ts'
import { marketOrder } from './test-world.ts'

/** Random numbers from a seed, the same on every run (mulberry32): a whole number below `limit`. */
export function randomFrom(seed: number): (limit: number) => number {
  let state = seed
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit
  }
}

/** A few traders who do everything a user can do, while the price wanders and fires what they left waiting. */
export async function openTraders(floor: Floor, seed: number): Promise<{ step(): Promise<void> }> {
  const random = randomFrom(seed)
  const accounts = await Promise.all([floor.openAccount(), floor.openAccount(), floor.openAccount()])
  let bid = 108_469
  let requests = 0
  await floor.tick(bid)

  const chooseOrder = (accountId: number): number => {
    const living = [...(floor.engine.state().accounts.get(accountId)?.orders.keys() ?? [])]
    return living[random(living.length)] ?? 0
  }

  const chooseCommand = (accountId: number): EngineCommand => {
    requests += 1
    const request = { accountId, call: 'any', id: String(requests), digest: 'any' }
    const asked = { accountId, ...(random(3) === 0 && { request }) }
    const side = random(2) === 0 ? 'buy' : 'sell'
    const away = price(bid + random(200) - 100)
    const orderId = chooseOrder(accountId)
    switch (random(16)) {
      case 0:
      case 1:
        return { ...asked, type: 'closePosition', orderId }
      case 2:
        return { ...asked, type: 'cancelOrder', orderId }
      case 3:
        return { ...asked, type: 'setStops', orderId, takeProfit: null, stopLoss: price(bid - 50) }
      case 4:
        return random(4) === 0
          ? { ...asked, type: 'resetDemo' }
          : { ...asked, type: 'setStops', orderId, takeProfit: price(bid + 60), stopLoss: null }
      case 5:
      case 6:
        return marketOrder(accountId, {
          ...asked,
          side,
          targetPrice: away,
          expiresAt: floor.clock.at + 1 + random(30_000),
        })
      case 7:
        return { ...asked, type: 'closePosition', orderId, lots: lots(100 * (1 + random(3))) }
      case 8:
        return { ...asked, type: 'reversePosition', orderId }
      case 9:
        return { ...asked, type: 'setTrailing', orderId, distance: price(10 + random(40)) }
      case 10:
        return random(5) === 0
          ? { ...asked, type: 'closeAll' }
          : marketOrder(accountId, { ...asked, side, lots: lots(1_000_000), leverage: 100 })
      default:
        return marketOrder(accountId, { ...asked, side, lots: lots(100 * (1 + random(5))) })
    }
  }

  return {
    step: async () => {
      floor.clock.at += random(2_000)
      bid += random(41) - 20
      const commands = Array.from({ length: 1 + random(4) }, () =>
        chooseCommand(accounts[random(accounts.length)] ?? 0),
      )
      const moved = floor.tick(bid)
      await Promise.all([...commands.map((command) => floor.engine.execute(command)), moved])
    },
  }
}

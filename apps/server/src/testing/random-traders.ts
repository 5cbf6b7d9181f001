import { lots, price } from '@fairlot/core'
import { createRandom } from '../../../../testing/random.ts'
import type { Floor } from './trading-floor.ts'
import type { EngineCommand } from '../engine/engine.ts'
import { marketOrder } from '../../../../testing/test-world.ts'

/** A few traders who do everything a user can do, while the price wanders and fires what they left waiting. */
export async function openTraders(floor: Floor, seed: number): Promise<{ step(): Promise<void> }> {
  const random = createRandom(seed)
  const accounts = await Promise.all([floor.openAccount(), floor.openAccount(), floor.openAccount()])
  let bid = 108_469
  let requests = 0
  await floor.tick(bid)

  const chooseOrder = (accountId: number): number => {
    const living = [...(floor.engine.state().accounts.get(accountId)?.orders.keys() ?? [])]
    return living[random.below(living.length)] ?? 0
  }

  const chooseCommand = (accountId: number): EngineCommand => {
    requests += 1
    const request = { accountId, call: 'any', id: String(requests), digest: 'any' }
    const asked = { accountId, ...(random.below(3) === 0 && { request }) }
    const side = random.below(2) === 0 ? 'buy' : 'sell'
    const away = price(bid + random.below(200) - 100)
    const orderId = chooseOrder(accountId)
    switch (random.below(16)) {
      case 0:
      case 1:
        return { ...asked, type: 'closePosition', orderId }
      case 2:
        return { ...asked, type: 'cancelOrder', orderId }
      case 3:
        return { ...asked, type: 'setStops', orderId, takeProfit: null, stopLoss: price(bid - 50) }
      case 4:
        return random.below(4) === 0
          ? { ...asked, type: 'resetDemo' }
          : { ...asked, type: 'setStops', orderId, takeProfit: price(bid + 60), stopLoss: null }
      case 5:
      case 6:
        return marketOrder(accountId, {
          ...asked,
          side,
          targetPrice: away,
          expiresAt: floor.clock.at + 1 + random.below(30_000),
        })
      case 7:
        return { ...asked, type: 'closePosition', orderId, lots: lots(100 * (1 + random.below(3))) }
      case 8:
        return { ...asked, type: 'reversePosition', orderId }
      case 9:
        return { ...asked, type: 'setTrailing', orderId, distance: price(10 + random.below(40)) }
      case 10:
        return random.below(5) === 0
          ? { ...asked, type: 'closeAll' }
          : marketOrder(accountId, { ...asked, side, lots: lots(1_000_000), leverage: 100 })
      default:
        return marketOrder(accountId, { ...asked, side, lots: lots(100 * (1 + random.below(5))) })
    }
  }

  return {
    step: async () => {
      floor.clock.at += random.below(2_000)
      bid += random.below(41) - 20
      const commands = Array.from({ length: 1 + random.below(4) }, () =>
        chooseCommand(accounts[random.below(accounts.length)] ?? 0),
      )
      const moved = floor.tick(bid)
      await Promise.all([...commands.map((command) => floor.engine.execute(command)), moved])
    },
  }
}

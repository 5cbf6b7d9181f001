import { describe, expect, it } from 'vitest'
import { demoHarness } from '../../scenarios/harness.ts'
import { usd } from '../../scenarios/market.ts'
import { availableOf, balanceOf, brokerAccountOf } from '../model/ledger.ts'
import { violations } from './invariants.ts'
import { lots, money, price } from '../model/number.ts'
import { watchDirtyAccounts } from './transaction.ts'
import type { Core } from '../state/running-core.ts'
import type { Account, State } from '../state/state.ts'

/** One position (order 1) with both stops, and one pending order (order 2) with an expiry. */
function busyCore(): Core {
  const harness = demoHarness()
  harness.tick('EURUSD', '1.38500', '1.38510')
  harness.buy('EURUSD', { takeProfit: '1.39000', stopLoss: '1.38000' })
  harness.sell('EURUSD', { target: '1.39000', expiresAt: harness.now() + 60_000 })
  watchDirtyAccounts(harness.core)
  return harness.core
}

const accountOne = (state: State): Account => state.accounts.get(1) as Account
const orderOf = (state: State, id: number) => {
  const order = state.orders.get(id)
  if (!order) throw new Error(`no order ${id}`)
  return order
}

it('finds nothing wrong with a state changed by transact alone', () => {
  expect(violations(busyCore())).toEqual([])
})

type Damage = { name: string; harm: (core: Core) => void; found: string }
const DAMAGES: readonly Damage[] = [
  {
    name: 'money out of nowhere',
    harm: ({ state }) => void (accountOne(state).available.balance = usd('200000')),
    found: 'the demo ledger sums to',
  },
  {
    name: 'a ledger account without an owner',
    harm: ({ state }) => void balanceOf(state.ledger, availableOf(99)),
    found: 'ledger account available:99 belongs to nobody',
  },
  {
    name: 'frozen money below zero',
    harm: ({ state }) => void (accountOne(state).frozen.balance = money(-1n)),
    found: 'account 1: frozen money is -1',
  },
  {
    name: 'a balance of its own beside the ledger',
    harm: ({ state }) => void state.ledger.balances.set('available:1', { ...accountOne(state).available }),
    found: "account 1: available:1 is not the ledger's own balance",
  },
  {
    name: 'a margin sum that has drifted',
    harm: ({ state }) => void (accountOne(state).margin = usd('1')),
    found: 'account 1: margin is 1000000, its positions hold 13851000000',
  },
  {
    name: 'a reserve that was not released',
    harm: ({ state }) => void (accountOne(state).reserved = usd('1')),
    found: 'account 1: reserve is 1000000, its pending orders hold 13913900000',
  },
  {
    name: 'an exposure that has drifted',
    harm: ({ state }) => void (accountOne(state).exposures.get(1) ?? { longCost: 0n }).longCost++,
    found: 'account 1: exposure on instrument 1 is not that of its positions',
  },
  {
    name: 'an exposure without a position',
    harm: ({ state }) =>
      void accountOne(state).exposures.set(2, {
        longLots: 0n,
        longCost: 0n,
        shortLots: 0n,
        shortCost: 0n,
        count: 0,
      }),
    found: 'account 1: exposure on instrument 2 is not that of its positions',
  },
  {
    name: 'a profit that is not that of the positions',
    harm: ({ state }) => void (accountOne(state).exposures.get(1) ?? { longLots: 0n }).longLots++,
    found: 'account 1: open profit is ',
  },
  {
    name: 'an order that its account does not list',
    harm: ({ state }) => void accountOne(state).orders.delete(2),
    found: 'accounts list 1 active orders, the state knows 2',
  },
  {
    name: 'an order listed twice under different objects',
    harm: ({ state }) => void state.orders.set(1, { ...orderOf(state, 1) }),
    found: 'order 1: account 1 does not list it',
  },
  {
    name: 'an id that was never given',
    harm: ({ state }) => void (state.lastOrderId = 1),
    found: 'order 2: its id is above the last one given, 1',
  },
  {
    name: 'a position without lots',
    harm: ({ state }) => void Object.assign(orderOf(state, 1), { lots: lots(0) }),
    found: 'order 1: holds 0 lots',
  },
  {
    name: 'a fee below zero',
    harm: ({ state }) => void (orderOf(state, 1).fee = money(-1n)),
    found: 'order 1: margin 13851000000 or fee -1 is below zero',
  },
  {
    name: 'a position without an open price',
    harm: ({ state }) => void (orderOf(state, 1).openPrice = null),
    found: 'order 1: is holding, but its fields contradict that',
  },
  {
    name: 'a position opened at zero',
    harm: ({ state }) => void (orderOf(state, 1).openPrice = price(0)),
    found: 'order 1: is holding, but its fields contradict that',
  },
  {
    name: 'a pending order that was filled',
    harm: ({ state }) => void (orderOf(state, 2).openPrice = price(139_000)),
    found: 'order 2: is pending, but its fields contradict that',
  },
  {
    name: 'a stop that nobody watches',
    harm: (core) => core.triggers.forget(1),
    found: 'order 1: its takeProfit is not watched',
  },
  {
    name: 'a stop that moved without its trigger',
    harm: ({ state }) => void (orderOf(state, 1).stopLoss = price(1)),
    found: 'order 1: stopLoss at 138000 on bidDown is watched, but not expected',
  },
  {
    name: 'a trigger of an order that has ended',
    harm: (core) => core.triggers.watch({ ...orderOf(core.state, 2), id: 3 }),
    found: 'order 3: target at 139000 on bidUp is watched, but not expected',
  },
  {
    name: 'a trigger on the wrong side',
    harm: (core) => core.triggers.watch({ ...orderOf(core.state, 1), side: 'sell' }),
    found: 'order 1: takeProfit at 139000 on askDown is watched, but not expected',
  },
  {
    name: 'a trigger on another instrument',
    harm: (core) => core.triggers.watch({ ...orderOf(core.state, 1), instrumentId: 2 }),
    found: 'order 1: takeProfit at 139000 on bidUp is watched, but not expected',
  },
  {
    name: 'a trailing stop that nobody moves',
    harm: ({ state }) => void (orderOf(state, 1).trailingDistance = price(100)),
    found: 'order 1: its trail is not watched',
  },
  {
    name: 'an account whose margin nobody watches',
    harm: (core) => core.marginWatch.forget(1),
    found: 'account 1: is not watched on instrument 1',
  },
  {
    name: 'a margin watched on a price that is nothing to it',
    harm: (core) => core.marginWatch.watch(1, new Map([[2, null]])),
    found: 'account 1: is watched on instrument 2, which it does not depend on',
  },
  {
    name: 'a price that has left a stop-out price band unseen',
    harm: (core) => core.marginWatch.watch(1, new Map([[1, { bidFloor: 138_501, askCeiling: 200_000 }]])),
    found:
      'account 1: the stop-out price band 138501 to 200000 on instrument 1 does not hold 138500 / 138510',
  },
  {
    name: 'a stop-out that was missed',
    harm: ({ state }) => void (state.settings = { ...state.settings, stopOutLevel: 1_000 }),
    found: 'account 1: the stop-out price band 69250 to 207765 on instrument 1 is not safe: equity is ',
  },
  {
    name: 'an account that is watched and was never opened',
    harm: (core) => core.marginWatch.watch(9, new Map([[1, null]])),
    found: 'account 9: is watched on instrument 1',
  },
]

describe.each(DAMAGES)('finds $name', ({ harm, found }) => {
  it(`and says "${found}"`, () => {
    const core = busyCore()
    harm(core)
    expect(violations(core).filter((text) => text.startsWith(found))).not.toEqual([])
  })
})

it('finds a balance below zero without a position, but not one with', () => {
  const core = busyCore()
  const { state } = core
  const lose = (amount: string) => {
    accountOne(state).available.balance = usd(`-${amount}`)
    balanceOf(state.ledger, brokerAccountOf('demo', 'demoIssue')).balance = usd(amount)
    balanceOf(state.ledger, brokerAccountOf('demo', 'fees')).balance = usd('0')
  }
  lose('5')
  expect(violations(core)).toEqual([])
  accountOne(state).orders.delete(1)
  expect(violations(core)).toContain('account 1: balance is -5000000 without a position')
})

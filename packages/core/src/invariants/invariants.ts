import { accountFaults, faultsOfAccount } from './invariants-account.ts'
import { faultsOfOrders, orderFaults } from './invariants-order.ts'
import { triggerFaults } from './invariants-trigger.ts'
import { watchFaults } from './invariants-margin-watch.ts'
import type { LedgerKind } from '../money/ledger.ts'
import type { Core } from '../core.ts'
import type { Account, State } from '../state.ts'

/**
 * Every broken invariant of a core as a sentence that names the account or order; empty when all is well. Everything
 * is worked out again from its smallest parts, in one pass over accounts, orders, triggers and watched prices (invariants
 * I1, I4 to I7, I16, I17 and I26).
 */
export const violations = (core: Core): string[] => [
  ...ledgerFaults(core.state),
  ...accountFaults(core.state),
  ...orderFaults(core.state),
  ...triggerFaults(core),
  ...watchFaults(core),
]

/**
 * The broken invariants of one account and its living orders: what can be looked at without passing over everything else,
 * so that a live server looks at a few accounts at a time.
 */
export const violationsOf = (state: State, account: Account): string[] => [
  ...faultsOfAccount(state, account),
  ...faultsOfOrders(state, account.orders.values()),
]

/** Money is only ever moved, so each kind of it sums to zero. */
function* ledgerFaults(state: State): Generator<string> {
  const sums = { demo: 0n, real: 0n }
  for (const { id, balance } of state.ledger.balances.values()) {
    const kind = ledgerKindOf(state, id)
    if (kind) sums[kind] += balance
    else yield `ledger account ${id} belongs to nobody`
  }
  for (const kind of ['demo', 'real'] as const) {
    if (sums[kind] !== 0n) yield `the ${kind} ledger sums to ${sums[kind]} instead of zero`
  }
}

function ledgerKindOf(state: State, id: string): LedgerKind | undefined {
  const [owner, name] = id.split(':')
  if (owner === 'house') return name === 'demo' || name === 'real' ? name : undefined
  return state.accounts.get(Number(name))?.ledger
}

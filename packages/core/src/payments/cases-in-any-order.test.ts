import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { figures, createHarness, type Harness } from '../../scenarios/harness.ts'
import { DEALER, usd } from '../../scenarios/market.ts'
import type { EndDeposit, EndWithdrawal } from '../model/command.ts'
import { balanceOf, frozenOf, brokerAccountOf, type Transfer } from '../model/ledger.ts'
import { money, type Money } from '../model/number.ts'
import { isRejection } from '../model/rejection.ts'

const ACCOUNTS = [1, 2]
const TWO = { ...DEALER, second: { id: 2, role: 'finance' } as const }
const FLOAT = '5000'

const account = fc.constantFrom(...ACCOUNTS)
const amount = fc.bigInt({ min: -1n, max: 4_000_000_000n }).map(money)
/** How many cases were opened after it: it may be open, closed, or of another kind. */
const back = fc.nat({ max: 4 })
const outcome = fc.constantFrom('finished', 'finished', 'rejected', 'invalid' as const)
const orderId = fc.integer({ min: 1, max: 6 })

const step = fc.oneof(
  fc.record({ do: fc.constant('deposit'), account, amount }),
  fc.record({ do: fc.constant('finish'), back, amount, outcome }),
  fc.record({ do: fc.constant('withdraw'), account, amount, fee: fc.constantFrom(money(0n), usd('12')) }),
  fc.record({ do: fc.constant('pay'), back }),
  fc.record({ do: fc.constant('reject'), back }),
  fc.record({ do: fc.constant('withdraw'), account, amount, fee: fc.constant(money(0n)) }),
  fc.record({ do: fc.constant('cancel'), back, account }),
  fc.record({ do: fc.constant('buy'), account, lots: fc.constantFrom('0.01', '0.5', '1.3') }),
  fc.record({ do: fc.constant('close'), account, orderId }),
  fc.record({ do: fc.constant('move'), price: fc.constantFrom('0.97000', '1.00000', '1.02000') }),
)
type Step = typeof step extends fc.Arbitrary<infer Each> ? Each : never

/** Two real accounts with money, and a stop-out level of 50 %. All invariants are checked after every step. */
function openedHarness(): Harness {
  const harness = createHarness({ settings: { stopOutLevel: 50 } })
  harness.tick('EURUSD', '1.00000', '1.00000')
  for (const accountId of ACCOUNTS) {
    harness.openAccount('real')
    harness.send({ type: 'openDeposit', at: harness.now(), accountId, amount: usd(FLOAT) })
    finish(harness, { caseId: accountId, amount: usd(FLOAT), outcome: 'finished' })
  }
  return harness
}

const finish = (harness: Harness, ended: Pick<EndDeposit, 'caseId' | 'amount' | 'outcome'>) =>
  harness.operate<EndDeposit>({ type: 'endDeposit', by: TWO, ...ended })

const end = (harness: Harness, caseEnded: number, how: EndWithdrawal['outcome']) =>
  harness.operate<EndWithdrawal>({ type: 'endWithdrawal', caseId: caseEnded, outcome: how, by: TWO })

function take(harness: Harness, each: Step) {
  const at = harness.now()
  const caseId = 'back' in each ? harness.state.lastCaseId - each.back : 0
  switch (each.do) {
    case 'deposit':
      return harness.send({ type: 'openDeposit', at, accountId: each.account, amount: each.amount })
    case 'finish':
      return finish(harness, { caseId, amount: each.amount, outcome: each.outcome })
    case 'withdraw': {
      const { account: accountId, fee } = each
      return harness.send({ type: 'requestWithdrawal', at, accountId, amount: each.amount, fee })
    }
    case 'pay':
      return end(harness, caseId, 'paid')
    case 'reject':
      return end(harness, caseId, 'rejected')
    case 'cancel':
      return harness.send({ type: 'cancelWithdrawal', at, accountId: each.account, caseId })
    case 'buy':
      return harness.buy('EURUSD', { accountId: each.account, lots: each.lots, leverage: 30 })
    case 'close':
      return harness.close(each.orderId, { accountId: each.account })
    case 'move':
      return harness.tick('EURUSD', each.price, each.price)
  }
}

/** The journal's transfers of each case. */
function movedByCase({ journal }: Harness): Map<number, Transfer[]> {
  const transfers = journal
    .flatMap(({ events }) => events)
    .flatMap((event) => ('transfers' in event ? event.transfers : []))
  return Map.groupBy(
    transfers.filter((transfer) => transfer.caseId !== undefined),
    (transfer) => transfer.caseId ?? 0,
  )
}

const sum = (transfers: readonly Transfer[], ...kinds: Transfer['kind'][]): bigint =>
  transfers.filter(({ kind }) => kinds.includes(kind)).reduce((total, each) => total + each.amount, 0n)

/** Each case ends at most once, and its money is credited or debited once, in full. */
function checkCases(harness: Harness): void {
  const events = harness.journal.flatMap((entry) => entry.events)
  const moved = movedByCase(harness)
  const ended = new Map<number, number>()
  for (const event of events) {
    if (event.type !== 'depositEnded' && event.type !== 'withdrawalEnded') continue
    ended.set(event.caseId, (ended.get(event.caseId) ?? 0) + 1)
    if (event.type !== 'depositEnded') continue
    expect(event.transfers.length).toBe(event.outcome === 'finished' ? 1 : 0)
    expect(sum(moved.get(event.caseId) ?? [], 'deposit')).toBe(event.amount)
  }
  expect([...ended.values()].every((count) => count === 1)).toBe(true)
  for (const event of events) {
    if (event.type !== 'withdrawalHeld') continue
    const own = moved.get(event.caseId) ?? []
    const [left, back] = [sum(own, 'withdrawalPaid', 'withdrawalFee'), sum(own, 'withdrawalReleased')]
    expect(sum(own, 'withdrawalHeld')).toBe(event.amount)
    expect([0n, event.amount]).toContain(left)
    expect(left + back).toBe(ended.has(event.caseId) ? event.amount : 0n)
    if (left > 0n) expect(sum(own, 'withdrawalFee')).toBe(event.fee)
  }
}

/** The sum of all accounts is unchanged, and frozen money matches open withdrawals. */
function checkLedger(harness: Harness): void {
  const { ledger, cases, orders } = harness.state
  expect([...ledger.balances.values()].reduce((total, { balance }) => total + balance, 0n)).toBe(0n)
  for (const id of ACCOUNTS) {
    const waiting = [...cases.values()].filter((each) => each.accountId === id && each.kind === 'withdrawal')
    const frozen = waiting.reduce((total, each) => total + each.amount, 0n)
    expect(balanceOf(ledger, frozenOf(id)).balance).toBe(frozen)
    const isFlat = ![...orders.values()].some((order) => order.accountId === id)
    if (isFlat) expect(figures(harness, id).balance >= 0n).toBe(true)
  }
  const all = [...movedByCase(harness).values()].flat()
  const brokerAccount = (name: 'deposits' | 'withdrawals'): Money =>
    balanceOf(ledger, brokerAccountOf('real', name)).balance
  expect(brokerAccount('deposits')).toBe(-sum(all, 'deposit'))
  expect(brokerAccount('withdrawals')).toBe(sum(all, 'withdrawalPaid'))
}

describe('deposits, withdrawals and trades in any order', () => {
  it('credit once, pay once, lose nothing and never overdraw an account', () => {
    const seen = new Map<string, number>()
    const see = (name: string) => seen.set(name, (seen.get(name) ?? 0) + 1)
    fc.assert(
      fc.property(fc.array(step, { minLength: 12, maxLength: 40 }), (steps) => {
        const harness = openedHarness()
        for (const each of steps) {
          const answer = take(harness, each)
          if (isRejection(answer)) see(answer.rejected)
          checkLedger(harness)
        }
        checkCases(harness)
        for (const { kind } of [...movedByCase(harness).values()].flat()) see(kind)
        const events = harness.journal.flatMap((entry) => entry.events)
        for (const event of events) if (event.type === 'positionClosed') see(event.reason)
      }),
      { numRuns: 100, seed: 13 },
    )
    // The result is meaningful only if all of these have happened.
    const happened = [
      'deposit',
      'withdrawalPaid',
      'withdrawalFee',
      'withdrawalReleased',
      'user',
      'stopOut',
      'caseEnded',
      'caseNotFound',
      'notEnoughMoney',
      'amountInvalid',
    ]
    for (const name of happened) expect(seen.get(name) ?? 0, name).toBeGreaterThan(10)
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { figures, openFloor, type Floor } from '../../scenarios/floor.ts'
import { DEALER, usd } from '../../scenarios/market.ts'
import type { EndDeposit, EndWithdrawal } from '../command.ts'
import { balanceOf, frozenOf, houseOf, type Transfer } from '../money/ledger.ts'
import { money, type Money } from '../money/number.ts'
import { isRejection } from '../rejection.ts'

const ACCOUNTS = [1, 2]
const TWO = { ...DEALER, second: { id: 2, role: 'finance' } as const }
const FLOAT = '5000'

const account = fc.constantFrom(...ACCOUNTS)
const amount = fc.bigInt({ min: -1n, max: 4_000_000_000n }).map(money)
/** How many cases were opened after it: it may be open, ended, or of another kind. */
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

/** Two real accounts with money, stopped out at 50 per cent. The floor looks at every invariant after every turn. */
function openedFloor(): Floor {
  const floor = openFloor({ settings: { stopOutLevel: 50 } })
  floor.tick('EURUSD', '1.00000', '1.00000')
  for (const accountId of ACCOUNTS) {
    floor.openAccount('real')
    floor.send({ type: 'openDeposit', at: floor.now(), accountId, amount: usd(FLOAT) })
    finish(floor, { caseId: accountId, amount: usd(FLOAT), outcome: 'finished' })
  }
  return floor
}

const finish = (floor: Floor, ended: Pick<EndDeposit, 'caseId' | 'amount' | 'outcome'>) =>
  floor.operate<EndDeposit>({ type: 'endDeposit', by: TWO, ...ended })

const end = (floor: Floor, caseEnded: number, how: EndWithdrawal['outcome']) =>
  floor.operate<EndWithdrawal>({ type: 'endWithdrawal', caseId: caseEnded, outcome: how, by: TWO })

function take(floor: Floor, each: Step) {
  const at = floor.now()
  const caseId = 'back' in each ? floor.state.lastCaseId - each.back : 0
  switch (each.do) {
    case 'deposit':
      return floor.send({ type: 'openDeposit', at, accountId: each.account, amount: each.amount })
    case 'finish':
      return finish(floor, { caseId, amount: each.amount, outcome: each.outcome })
    case 'withdraw': {
      const { account: accountId, fee } = each
      return floor.send({ type: 'requestWithdrawal', at, accountId, amount: each.amount, fee })
    }
    case 'pay':
      return end(floor, caseId, 'paid')
    case 'reject':
      return end(floor, caseId, 'rejected')
    case 'cancel':
      return floor.send({ type: 'cancelWithdrawal', at, accountId: each.account, caseId })
    case 'buy':
      return floor.buy('EURUSD', { accountId: each.account, lots: each.lots, leverage: 30 })
    case 'close':
      return floor.close(each.orderId, { accountId: each.account })
    case 'move':
      return floor.tick('EURUSD', each.price, each.price)
  }
}

/** What the journal has moved for each case, by kind. */
function movedByCase({ journal }: Floor): Map<number, Transfer[]> {
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

/** Every case by itself: at most one end, and money that comes once or leaves once, whole. */
function checkCases(floor: Floor): void {
  const events = floor.journal.flatMap((entry) => entry.events)
  const moved = movedByCase(floor)
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

/** All accounts together: nothing appears, nothing is lost, and what is frozen is what waits. */
function checkLedger(floor: Floor): void {
  const { ledger, cases, orders } = floor.state
  expect([...ledger.balances.values()].reduce((total, { balance }) => total + balance, 0n)).toBe(0n)
  for (const id of ACCOUNTS) {
    const waiting = [...cases.values()].filter((each) => each.accountId === id && each.kind === 'withdrawal')
    const frozen = waiting.reduce((total, each) => total + each.amount, 0n)
    expect(balanceOf(ledger, frozenOf(id)).balance).toBe(frozen)
    const isFlat = ![...orders.values()].some((order) => order.accountId === id)
    if (isFlat) expect(figures(floor, id).balance >= 0n).toBe(true)
  }
  const all = [...movedByCase(floor).values()].flat()
  const house = (name: 'deposits' | 'withdrawals'): Money => balanceOf(ledger, houseOf('real', name)).balance
  expect(house('deposits')).toBe(-sum(all, 'deposit'))
  expect(house('withdrawals')).toBe(sum(all, 'withdrawalPaid'))
}

describe('deposits, withdrawals and trades in any order', () => {
  it('credit once, pay once, lose nothing and take no more than is there', () => {
    const seen = new Map<string, number>()
    const see = (name: string) => seen.set(name, (seen.get(name) ?? 0) + 1)
    fc.assert(
      fc.property(fc.array(step, { minLength: 12, maxLength: 40 }), (steps) => {
        const floor = openedFloor()
        for (const each of steps) {
          const answer = take(floor, each)
          if (isRejection(answer)) see(answer.rejected)
          checkLedger(floor)
        }
        checkCases(floor)
        for (const { kind } of [...movedByCase(floor).values()].flat()) see(kind)
        const events = floor.journal.flatMap((entry) => entry.events)
        for (const event of events) if (event.type === 'positionClosed') see(event.reason)
      }),
      { numRuns: 100, seed: 13 },
    )
    // Silence means something only where all of it has happened.
    const happened = [
      ...['deposit', 'withdrawalPaid', 'withdrawalFee', 'withdrawalReleased', 'user', 'stopOut'],
      ...['caseEnded', 'caseNotFound', 'notEnoughMoney', 'amountInvalid'],
    ]
    for (const name of happened) expect(seen.get(name) ?? 0, name).toBeGreaterThan(10)
  })
})

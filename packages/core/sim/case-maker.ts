/** Money cases: what users request, and how operators decide them, each once and then again. */
import {
  money,
  type ApproveWithdrawal,
  type ArrivalClaim,
  type BindPayoutMethod,
  type CancelWithdrawal,
  type EndAdjustment,
  type EndDeposit,
  type EndWithdrawal,
  type RequestAdjustment,
  type Money,
  type OpenDeposit,
  type Operator,
  type RemovePayoutMethod,
  type RequestWithdrawal,
  type StartPayment,
} from '../src/index.ts'
import { actingOperator } from './acting-operator.ts'
import type { Scene } from './scene.ts'
import { midOf } from './reference/deposits.ts'
import { withdrawableAtFreshPrices, withdrawableOf } from './reference/withdrawable.ts'
import { protectionDuring } from './reference/withdrawals.ts'
import { countedBeside, hasTwoOperatorRules, operatorLimit, progressOf } from './reference/operator-rules.ts'
import type { ReferenceCase } from './reference/state.ts'

/** Mostly an account with real money. */
const realAccount = ({ random, model }: Scene, anyAccount: number): number => {
  const real = model.accounts.filter(({ ledger }) => ledger === 'real')
  return real.length > 0 && random.chance(92) ? random.pick(real).id : anyAccount
}

const NO_AMOUNT = [0n, -1n, 10n ** 18n + 1n]

export function openDeposit(scene: Scene, anyAccount: number): OpenDeposit {
  const { random, at, model } = scene
  const amount = money(random.chance(6) ? random.pick(NO_AMOUNT) : someAmount(scene))
  const opening = { type: 'openDeposit', at, accountId: realAccount(scene, anyAccount) } as const
  if (random.chance(30)) return { ...opening, amount }
  const currency = random.pick([...currenciesOf(scene), model.settings.accountCurrency, 'USDT'])
  // About the value of one unit where there is a price, and some implausible rates.
  const mid = midOf(model, currency)?.rate ?? 10n ** 10n
  const fixedRate = random.pick([null, null, null, mid, mid + mid / 100n, (mid * 102n) / 100n, mid * 11n, 0n])
  const isPlausible = random.chance(92)
  const sent = isPlausible ? (amount * 10n ** 12n) / mid : random.pick([0n, -1n, 1n, 10n ** 20n + 1n])
  return { ...opening, sent: { currency, amount: sent, fixedRate } }
}

const currenciesOf = ({ model }: Scene): string[] =>
  model.instruments.flatMap(({ baseCurrency, quoteCurrency }) => [baseCurrency, quoteCurrency])

const someAmount = ({ random, model }: Scene): bigint =>
  (model.settings.fourEyesLimit * BigInt(random.int(1, 1_900))) / 1_000n + 1n

/** All that can be withdrawn, a part of it, or the smallest amount above it. */
export function requestWithdrawal(scene: Scene, anyAccount: number): RequestWithdrawal {
  const { random, at, model } = scene
  // Often an account with open positions, whose positions may have to count as lost.
  const holding = model.active.filter(
    (order) =>
      order.status === 'holding' &&
      model.accounts.some(({ id, ledger }) => id === order.accountId && ledger === 'real'),
  )
  const isHolding = holding.length > 0 && random.chance(40)
  const accountId = isHolding ? random.pick(holding).accountId : realAccount(scene, anyAccount)
  const atLastPrices = withdrawableOf(model, accountId)
  const most =
    hasTwoOperatorRules(model) && random.chance(85)
      ? withdrawableAtFreshPrices(model, accountId, at)
      : atLastPrices
  const part = (most * BigInt(random.int(1, 100))) / 100n
  const amount = random.chance(5) ? random.pick(NO_AMOUNT) : random.pick([most, part, part, most + 1n])
  const fee = random.pick([0n, 0n, 2_500_000n, 1n, -1n, amount])
  const command = {
    type: 'requestWithdrawal',
    at,
    accountId,
    amount: money(amount),
    fee: money(fee),
  } as const
  if (random.chance(40)) return command
  const destination = random.int(1, 5)
  const price = 10n ** 10n
  return {
    ...command,
    payout: { methodId: accountId, destination, currencyId: 1, price, received: 10n ** 8n },
  }
}

export function cancelWithdrawal(scene: Scene, anyAccount: number): CancelWithdrawal {
  const { random, at, model } = scene
  const held = random.pick([
    null,
    ...model.cases.filter(({ kind, end }) => kind === 'withdrawal' && end === null),
  ])
  const accountId = held && random.chance(85) ? held.accountId : realAccount(scene, anyAccount)
  const caseId = held && random.chance(85) ? held.id : random.int(-1, model.cases.length + 2)
  return { type: 'cancelWithdrawal', at, accountId, caseId }
}

export function changePayoutMethod(
  { random, at }: Scene,
  accountId: number,
): BindPayoutMethod | RemovePayoutMethod {
  const methodId = random.int(1, 9)
  if (random.chance(30)) return { type: 'removePayoutMethod', at, accountId, methodId }
  const destination = random.int(1, 5)
  return { type: 'bindPayoutMethod', at, accountId, methodId, destination, digest: `digest ${methodId}` }
}

/** Mostly an open case, sometimes a decided one, or none. */
function someCase({ random, model }: Scene): ReferenceCase | null {
  const open = model.cases.filter(({ end }) => end === null)
  const group = random.chance(78) ? open : model.cases.slice(-12)
  return group.length > 0 && random.chance(96) ? random.pick(group) : null
}

type CaseCommand = EndDeposit | EndWithdrawal | EndAdjustment | ApproveWithdrawal | StartPayment

/** Mostly the step of the withdrawal that is allowed next. */
function nextWithdrawalStep(scene: Scene, common: Omit<ApproveWithdrawal, 'type'>): CaseCommand {
  const { random, model } = scene
  const end = (outcome: EndWithdrawal['outcome']): EndWithdrawal => ({
    ...common,
    type: 'endWithdrawal',
    outcome,
  })
  if (!hasTwoOperatorRules(model) && random.chance(85)) return end(random.pick(['paid', 'paid', 'rejected']))
  const { status } = progressOf(model, common.caseId)
  if (random.chance(status === 'held' ? 60 : 8)) return { ...common, type: 'approveWithdrawal' }
  if (random.chance(status === 'approved' ? 35 : 8)) return { ...common, type: 'startPayment' }
  return end(random.pick(['paid', 'rejected']))
}

/**
 * Rejects a withdrawal whose account received negative balance protection meanwhile, so that there is something to
 * repay.
 */
export function rejectProtectedWithdrawal({ random, model, at }: Scene): EndWithdrawal | null {
  const protectedWithdrawals = model.cases.filter(
    (each) => each.kind === 'withdrawal' && each.end === null && protectionDuring(model, each) > 0n,
  )
  if (protectedWithdrawals.length === 0) return null
  const { id: caseId } = random.pick(protectedWithdrawals)
  return { type: 'endWithdrawal', at, caseId, outcome: 'rejected', by: actingOperator(random, model) }
}

export function endCase(scene: Scene): CaseCommand {
  const { random, at, model } = scene
  const found = someCase(scene)
  const kind =
    found && random.chance(96) ? found.kind : random.pick(['deposit', 'withdrawal', 'adjustment'] as const)
  const common = {
    at,
    caseId: found?.id ?? random.int(-1, model.cases.length + 2),
    by: actingOperator(random, model),
  }
  if (kind === 'withdrawal') return nextWithdrawalStep(scene, common)
  if (kind === 'adjustment')
    return { ...common, type: 'endAdjustment', outcome: random.pick(['approved', 'approved', 'refused']) }
  const outcome = random.pick(['finished', 'finished', 'finished', 'rejected', 'invalid'] as const)
  const ending = { ...common, type: 'endDeposit', outcome } as const
  const amount = confirmedAmount(scene, found, common.by)
  return found?.sent && random.chance(97)
    ? { ...ending, arrived: arrivalOf(scene, found, amount) }
    : { ...ending, amount }
}

/** Mostly the amount sent, arrived now or since the deposit was reported; rarely before that, or in the future. */
function arrivalOf(
  { random, at, model }: Scene,
  { sent, openedAt, amount }: ReferenceCase,
  confirmed: Money,
): ArrivalClaim {
  const asSent = sent?.amount ?? 0n
  const scaled = amount > 0n ? (asSent * confirmed) / amount : asSent
  const arrived = random.chance(80) ? scaled : random.pick([asSent, asSent + 1n, ...NO_AMOUNT])
  if (random.chance(45)) return { amount: arrived }
  const then = random.chance(92)
    ? openedAt + random.int(0, Math.max(0, at - openedAt))
    : at + random.int(-9e9, 9e9)
  const mid = midOf(model, sent?.currency ?? model.settings.accountCurrency)?.rate ?? 10n ** 10n
  const rate = random.pick([mid, mid, mid + mid / 100n, mid + mid / 100n + 1n, mid / 2n, mid * 11n, 0n, -mid])
  return random.chance(95) ? { amount: arrived, at: then, rate } : { amount: arrived, at: then }
}

/** Mostly the amount that was requested. */
function confirmedAmount({ random, model, at }: Scene, found: ReferenceCase | null, by: Operator): Money {
  const requested = found?.amount ?? 5_000_000n
  if (found && hasTwoOperatorRules(model) && random.chance(30)) {
    // Exactly what may still be credited today, or the smallest amount more.
    const { account, operator } = countedBeside(model, by, {
      caseId: found.id,
      accountId: found.accountId,
      at,
    })
    const ofAccount = model.settings.fourEyesLimit - account
    const ofOperator = operatorLimit(model) - operator
    const allowance = ofAccount < ofOperator ? ofAccount : ofOperator
    if (allowance > 0n) return money(allowance + random.pick([0n, 0n, 1n]))
  }
  return money(
    random.chance(75) ? requested : random.pick([requested - 1n, requested + 1_000_000n, ...NO_AMOUNT]),
  )
}

export function requestAdjustment(scene: Scene, anyAccount: number): RequestAdjustment {
  const { random, model, at } = scene
  const size = random.chance(6) ? random.pick([0n, 10n ** 18n + 1n]) : someAmount(scene)
  const amount = money(random.chance(50) ? size : -size)
  return {
    type: 'askAdjustment',
    at,
    accountId: realAccount(scene, anyAccount),
    amount,
    by: actingOperator(random, model),
  }
}

/** Money that comes and goes: what users ask for, and how operators end it, once and then once more. */
import {
  money,
  type CancelWithdrawal,
  type EndAdjustment,
  type EndDeposit,
  type EndWithdrawal,
  type AskAdjustment,
  type Money,
  type OpenDeposit,
  type RequestWithdrawal,
} from '../src/index.ts'
import { operatorBy } from './operator-by.ts'
import type { Scene } from './scene.ts'
import { withdrawableOf } from './reference/cases.ts'
import type { ReferenceCase } from './reference/state.ts'

/** Mostly somebody with real money. */
const realAccount = ({ random, model }: Scene, anyAccount: number): number => {
  const real = model.accounts.filter(({ ledger }) => ledger === 'real')
  return real.length > 0 && random.chance(92) ? random.pick(real).id : anyAccount
}

const NO_AMOUNT = [0n, -1n, 10n ** 18n + 1n]

export function openDeposit(scene: Scene, anyAccount: number): OpenDeposit {
  const { random, at } = scene
  const amount = money(random.chance(6) ? random.pick(NO_AMOUNT) : someAmount(scene))
  return { type: 'openDeposit', at, accountId: realAccount(scene, anyAccount), amount }
}

const someAmount = ({ random, model }: Scene): bigint =>
  (model.settings.fourEyesLimit * BigInt(random.int(1, 1_900))) / 1_000n + 1n

/** All that may leave, a part of it, or the smallest sum too much. */
export function requestWithdrawal(scene: Scene, anyAccount: number): RequestWithdrawal {
  const { random, at, model } = scene
  const accountId = realAccount(scene, anyAccount)
  const most = withdrawableOf(model, accountId)
  const part = (most * BigInt(random.int(1, 100))) / 100n
  const amount = random.chance(5) ? random.pick(NO_AMOUNT) : random.pick([most, part, part, most + 1n])
  const fee = random.pick([0n, 0n, 2_500_000n, 1n, -1n, amount])
  return { type: 'requestWithdrawal', at, accountId, amount: money(amount), fee: money(fee) }
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

/** Mostly one that waits, sometimes one that has had its end, or none. */
function someCase({ random, model }: Scene): ReferenceCase | null {
  const open = model.cases.filter(({ end }) => end === null)
  const group = random.chance(78) ? open : model.cases.slice(-12)
  return group.length > 0 && random.chance(96) ? random.pick(group) : null
}

export function endCase(scene: Scene): EndDeposit | EndWithdrawal | EndAdjustment {
  const { random, at, model } = scene
  const found = someCase(scene)
  const kind =
    found && random.chance(96) ? found.kind : random.pick(['deposit', 'withdrawal', 'adjustment'] as const)
  const common = { at, caseId: found?.id ?? random.int(-1, model.cases.length + 2), by: operatorBy(random) }
  if (kind === 'withdrawal')
    return { ...common, type: 'endWithdrawal', outcome: random.pick(['paid', 'paid', 'rejected']) }
  if (kind === 'adjustment')
    return { ...common, type: 'endAdjustment', outcome: random.pick(['approved', 'approved', 'refused']) }
  const outcome = random.pick(['finished', 'finished', 'finished', 'rejected', 'invalid'] as const)
  return { ...common, type: 'endDeposit', outcome, amount: confirmed(scene, found) }
}

/** What arrived is mostly what was asked for. */
function confirmed({ random }: Scene, found: ReferenceCase | null): Money {
  const asked = found?.amount ?? 5_000_000n
  return money(random.chance(75) ? asked : random.pick([asked - 1n, asked + 1_000_000n, ...NO_AMOUNT]))
}

export function askAdjustment(scene: Scene, anyAccount: number): AskAdjustment {
  const { random, at } = scene
  const size = random.chance(6) ? random.pick([0n, 10n ** 18n + 1n]) : someAmount(scene)
  const amount = money(random.chance(50) ? size : -size)
  return {
    type: 'askAdjustment',
    at,
    accountId: realAccount(scene, anyAccount),
    amount,
    by: operatorBy(random),
  }
}

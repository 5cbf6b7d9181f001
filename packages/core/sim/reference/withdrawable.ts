/** How much of an account's money can be taken out, in the reference model (trading-rules §3 and §11). */
import { isPriced, profitOn, referenceFigures } from './figures.ts'
import { referenceMarket } from './market.ts'
import { hasTwoOperatorRules } from './operator-rules.ts'
import type { Faults } from './refusals.ts'
import { positionsOf, type ReferenceModel } from './state.ts'

/** At most the balance, at most the free margin, never negative. */
export function withdrawableOf(model: ReferenceModel, accountId: number): bigint {
  const { balance, free } = referenceFigures(model, accountId)
  return withdrawableFrom(balance, free)
}

function withdrawableFrom(balance: bigint, free: bigint): bigint {
  const withdrawable = balance < free ? balance : free
  return withdrawable > 0n ? withdrawable : 0n
}

/**
 * What can be withdrawn at fresh prices: positions that cannot be closed now count as having lost their margin, or
 * their actual loss where that is larger.
 */
export function withdrawableAtFreshPrices(model: ReferenceModel, accountId: number, at: number): bigint {
  const { balance, margin, reserved } = referenceFigures(model, accountId)
  const contributions = model.instruments.map((instrument) => {
    const positions = positionsOf(model, accountId).filter(
      ({ instrumentId }) => instrumentId === instrument.id,
    )
    const profit = profitOn(model, positions, instrument)
    const marginLoss = -positions.reduce((sum, order) => sum + order.margin, 0n)
    const isTradable = positions.length === 0 || referenceMarket(model, instrument, at, 'closing') !== null
    return isTradable || profit < marginLoss ? profit : marginLoss
  })
  const equity = balance + contributions.reduce((sum, each) => sum + each, 0n)
  return withdrawableFrom(balance, equity - margin - reserved)
}

/** A debit must be covered: at fresh prices once the two-operator rules apply, at last prices before that. */
export function coverFaults(model: ReferenceModel, accountId: number, debit: bigint, at: number): Faults {
  if (!hasTwoOperatorRules(model)) {
    return {
      stalePrice: !isPriced(model, accountId),
      notEnoughMoney: debit > withdrawableOf(model, accountId),
    }
  }
  const notEnoughMoney = debit > withdrawableAtFreshPrices(model, accountId, at)
  if (notEnoughMoney && debit <= withdrawableOf(model, accountId)) {
    model.notes.push('withdrawal limited by fresh prices')
  }
  return { notEnoughMoney }
}

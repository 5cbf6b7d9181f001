import { describe, expect, it } from 'vitest'
import { effects, figures, onlyEvent, createHarness } from '../../scenarios/harness.ts'
import { DEALER, usd } from '../../scenarios/market.ts'
import { DEPLOYMENT } from '../model/author.ts'
import type { AdoptOperators, EndDeposit } from '../model/command.ts'
import { money } from '../model/number.ts'
import { amountAtRate } from '../model/rounding.ts'
import { checkRate, marketRate } from './deposit-rate.ts'
import type { ArrivalClaim, SentMoney } from '../model/money-case.ts'

/** Amounts have 8 decimals, rates 10. */
const sent = (whole: number): bigint => BigInt(Math.round(whole * 1e8))
const rate = (value: number): bigint => BigInt(Math.round(value * 1e10))

const ADA = { ...DEALER, id: 3, role: 'administrator' } as const
const BO = { id: 4, role: 'administrator' } as const
const BOTH = { ...ADA, second: BO }

/** A venue with two administrators and one real account, where a euro is worth 1.10. */
function venue() {
  const harness = createHarness({ settings: { stopOutLevel: 50, fourEyesLimit: usd('10000') } })
  harness.operate<AdoptOperators>({
    type: 'adoptOperators',
    by: DEPLOYMENT,
    operators: [3, 4].map((operatorId) => ({
      operatorId,
      role: 'administrator',
      isActive: true,
      hasJoined: true,
    })),
  })
  harness.openAccount('real')
  harness.tick('EURUSD', '1.09990', '1.10010')
  const report = (amount: number, currency = 'EUR', fixedRate: SentMoney['fixedRate'] = null) =>
    harness.send({
      type: 'openDeposit',
      at: harness.now(),
      accountId: 1,
      sent: { currency, amount: sent(amount), fixedRate },
    })
  const finish = (arrived: ArrivalClaim, by: EndDeposit['by'] = ADA, caseId = 1) =>
    harness.operate<EndDeposit>({ type: 'endDeposit', caseId, outcome: 'finished', arrived, by })
  return { ...harness, report, finish }
}

describe('a deposit in its own currency', () => {
  it('is valued in the account currency at the mid of its report, which is journaled', () => {
    const { report } = venue()
    const opened = onlyEvent(report(1_000), 'depositOpened')
    expect(opened).toMatchObject({ amount: usd('1100'), sent: { currency: 'EUR', amount: sent(1_000) } })
    expect(opened.sent).toMatchObject({ rate: rate(1.1), quotes: [{ bid: 109_990, ask: 110_010 }] })
  })

  it('is credited at the mid of the decision if it arrives then', () => {
    const harness = venue()
    harness.report(1_000)
    harness.tick('EURUSD', '1.10390', '1.10410')
    const ended = onlyEvent(harness.finish({ amount: sent(999.5) }), 'depositEnded')
    expect(ended).toMatchObject({ amount: usd('1103.448'), arrived: { rate: rate(1.104) } })
    expect(figures(harness).balance).toBe(usd('1103.448'))
  })

  it('is credited at the rate of its arrival, if that was before the decision', () => {
    const harness = venue()
    harness.report(1_000)
    const at = harness.now() + 1_000
    harness.wait(60_000)
    harness.tick('EURUSD', '1.10390', '1.10410')
    const ended = onlyEvent(harness.finish({ amount: sent(1_000), at, rate: rate(1.1) }), 'depositEnded')
    expect(ended).toMatchObject({ amount: usd('1100'), arrived: { at, rate: rate(1.1) } })
  })

  it('needs two operators if its rate is more than one percent from the mid of the decision', () => {
    const harness = venue()
    harness.report(1_000)
    const at = harness.now()
    harness.wait(60_000)
    harness.tick('EURUSD', '1.09990', '1.10010')
    const claim = (value: number) => ({ amount: sent(1_000), at, rate: rate(value) })
    for (const far of [1.0889, 1.1111])
      expect(harness.finish(claim(far))).toMatchObject({ rejected: 'secondOperatorNeeded' })
    expect(effects(harness.finish(claim(1.111)))).toEqual(['depositEnded'])
    harness.report(1_000)
    harness.wait(1)
    const second = { amount: sent(1_000), at: harness.now() - 1, rate: rate(1.2) }
    expect(effects(harness.finish(second, BOTH, 2))).toEqual(['depositEnded'])
  })

  it('is limited by its value: 1 BTC is not 1 USD', () => {
    const harness = venue()
    harness.report(1, 'BTC', rate(60_000))
    expect(harness.finish({ amount: sent(1) })).toMatchObject({ rejected: 'secondOperatorNeeded' })
    expect(effects(harness.finish({ amount: sent(1) }, BOTH))).toEqual(['depositEnded'])
    expect(figures(harness).balance).toBe(usd('60000'))
  })

  it('uses the fixed rate of its channel, whatever rate is claimed', () => {
    const harness = venue()
    harness.report(500, 'USDT', rate(1))
    harness.wait(1_000)
    const claim = { amount: sent(500), at: harness.now() - 500, rate: rate(7) }
    expect(onlyEvent(harness.finish(claim), 'depositEnded').amount).toBe(usd('500'))
  })

  it('cannot be reported or credited without a rate', () => {
    const harness = venue()
    expect(harness.report(500, 'USDT')).toMatchObject({
      rejected: 'rateUnknown',
      details: { currency: 'USDT' },
    })
    harness.report(1_000)
    harness.wait(1_000)
    expect(harness.finish({ amount: sent(1_000), at: harness.now() - 1 })).toMatchObject({
      rejected: 'rateUnknown',
    })
  })

  it('is rejected while the market of its pair is open and silent, but not while it is closed', () => {
    const silent = venue()
    silent.report(1_000)
    silent.wait(6_000)
    expect(silent.finish({ amount: sent(1_000) })).toMatchObject({ rejected: 'rateStale' })
    const closed = venue()
    closed.report(1_000)
    closed.closeMarket('EURUSD')
    closed.wait(6_000)
    expect(effects(closed.finish({ amount: sent(1_000) }))).toEqual(['depositEnded'])
  })

  it('must arrive between its report and its decision', () => {
    const harness = venue()
    harness.report(1_000)
    const opened = harness.now()
    harness.wait(1_000)
    harness.tick('EURUSD', '1.09990', '1.10010')
    for (const at of [opened - 1, harness.now() + 1])
      expect(harness.finish({ amount: sent(1_000), at, rate: rate(1.1) })).toMatchObject({
        rejected: 'arrivalInvalid',
      })
    expect(effects(harness.finish({ amount: sent(1_000), at: opened, rate: rate(1.1) }))).toEqual([
      'depositEnded',
    ])
  })

  it.each([0, -1, 1.1 * 1_000, 1.1 / 1_000, 1e9])('rejects a rate of %d', (value) => {
    const harness = venue()
    harness.report(1_000)
    harness.wait(1_000)
    const claim = { amount: sent(1_000), at: harness.now() - 1, rate: rate(value) }
    expect(harness.finish(claim, BOTH)).toMatchObject({ rejected: 'rateInvalid' })
    expect(harness.report(1_000, 'EUR', rate(value))).toMatchObject({ rejected: 'rateInvalid' })
    expect(figures(harness).balance).toBe(0n)
    expect(harness.state.lastCaseId).toBe(1)
  })

  it('rejects zero, negative and too small amounts', () => {
    const harness = venue()
    for (const amount of [0, -1]) expect(harness.report(amount)).toMatchObject({ rejected: 'amountInvalid' })
    expect(harness.report(0.00000001)).toMatchObject({ rejected: 'amountInvalid' })
    harness.report(1_000)
    for (const amount of [0n, -1n, 10n ** 21n])
      expect(harness.finish({ amount })).toMatchObject({ rejected: 'amountInvalid' })
  })

  it('rejects more than 1e12 of a currency, however little that is worth', () => {
    const harness = venue()
    harness.tick('USDJPY', '149.990', '150.010')
    expect(harness.report(2e12, 'JPY')).toMatchObject({ rejected: 'amountInvalid' })
    harness.report(1_000, 'JPY')
    expect(harness.finish({ amount: sent(2e12) }, BOTH)).toMatchObject({ rejected: 'amountInvalid' })
    expect(effects(harness.finish({ amount: sent(1_000) }))).toEqual(['depositEnded'])
  })

  it('of account money is credited as it is, without a rate', () => {
    const harness = venue()
    harness.send({ type: 'openDeposit', at: harness.now(), accountId: 1, amount: usd('5') })
    const ended = harness.operate<EndDeposit>({
      type: 'endDeposit',
      caseId: 1,
      outcome: 'finished',
      amount: usd('5'),
      by: ADA,
    })
    expect(onlyEvent(ended, 'depositEnded')).not.toHaveProperty('arrived')
  })
})

describe('the rate of a currency', () => {
  it('is one for the account currency, and inverted for an inverse pair', () => {
    const harness = venue()
    harness.tick('USDJPY', '149.990', '150.010')
    expect(marketRate(harness.state, 'USD')).toEqual({ rate: rate(1), quotes: [] })
    expect(marketRate(harness.state, 'JPY')?.rate).toBe(66_666_667n)
  })

  it('is rounded once, half away from zero, and so is the converted amount', () => {
    expect(amountAtRate(1n, rate(50))).toBe(1n)
    expect(amountAtRate(1n, rate(49.9999))).toBe(0n)
    expect(amountAtRate(sent(15_000), 66_666_667n)).toBe(money(100_000_001n))
  })

  it('is above zero and not absurd, also where no pair has a mid', () => {
    for (const bad of [0n, -1n, 10n ** 18n + 1n]) expect(checkRate(bad, null)).not.toBeNull()
    expect(checkRate(rate(1), null)).toBeNull()
    expect(venue().report(500, 'USDT', 0n)).toMatchObject({ rejected: 'rateInvalid' })
  })

  it('may be fixed at most tenfold off the mid', () => {
    const mid = { rate: rate(1.1) }
    for (const meant of [rate(11), rate(0.11)]) expect(checkRate(meant, mid)).toBeNull()
    for (const slip of [rate(11) + 1n, rate(0.11) - 1n]) expect(checkRate(slip, mid)).not.toBeNull()
  })
})

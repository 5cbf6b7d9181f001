/** The days of a life in which every term changes: at once, announced, taken back, and while nobody is there. */
import { isRejection, lots, money, price, ratio, type Instrument, type TradingSettings } from '@fairlot/core'
import { expect } from 'vitest'
import type { Answer } from '../engine/engine.ts'
import { BOTH, HOUR_MS, LONER, MINUTE_MS, ONE, type ChangingLife } from './changing-life.ts'
import { operatorOf } from './random-commands.ts'
import { entryOf, marketOrder, orderIdOf } from '../../../../testing/test-world.ts'

const DOLLAR = 1_000_000n
const dollars = (amount: number) => money(BigInt(amount) * DOLLAR)

/** What the settings become, day after day. */
const SETTINGS: readonly Partial<TradingSettings>[] = [
  {
    feeType: 'fixed',
    demoBalance: dollars(25_000),
    stopOutLevel: 40,
    warningLevel: 110,
    maxLivingOrders: 40,
  },
  { freshnessMs: 45_000, noticeMs: 2 * HOUR_MS, fourEyesLimit: dollars(500), feeType: 'rate' },
  { demoBalance: dollars(18_000), stopOutLevel: 60, warningLevel: 90, maxLivingOrders: 45, feeType: 'fixed' },
  { freshnessMs: 70_000, noticeMs: HOUR_MS, fourEyesLimit: dollars(800), stopOutLevel: 55 },
]

/** What instruments become. */
const TERMS: readonly Partial<Instrument>[] = [
  {
    markUp: ratio(25),
    feeRate: ratio(1_500),
    swapRate: { buy: ratio(-5_000_000), sell: ratio(900_000) },
    lotMin: lots(200),
  },
  {
    tripleSwapDay: 'tue',
    leverages: [20, 30, 50],
    lotMax: lots(900_000),
    minStopDistance: price(9),
    markUp: ratio(40),
  },
  {
    feeRate: ratio(700),
    swapRate: { buy: ratio(1_000_000), sell: ratio(-2_000_000) },
    lotMin: lots(100),
    freshnessMs: 55_000,
    markUp: ratio(0),
  },
  {
    tripleSwapDay: 'thu',
    leverages: [30],
    lotMax: lots(800_000),
    minStopDistance: price(4),
    lotStep: lots(50),
  },
  {
    feeRate: ratio(900),
    suspectBand: ratio(25_000),
    maxSpread: ratio(12_000),
    lotStep: lots(100),
    freshnessMs: 50_000,
  },
  {
    swapRate: { buy: ratio(-1), sell: ratio(1) },
    suspectBand: ratio(20_000),
    maxSpread: ratio(9_000),
    freshnessMs: 65_000,
  },
]
const termsOf = (index: number): Partial<Instrument> => TERMS[index % TERMS.length] ?? {}

/** One day of the life, to be lived in turn: 0 is a Monday. It ends in the next one's morning, after a restart. */
export async function liveThrough(life: ChangingLife, day: number): Promise<void> {
  await life.calm()
  await changeEverything(life, day)
  await trade(life)
  await changeTheLoner(life, day)
  await closeInTheMiddle(life)
  await moveMoney(life)
  await life.bustle(6)
  await life.restart()
  await life.calm()
  await restrict(life)
  // The announced terms of the day have come by now, or come while nobody is there.
  await sleep(life, day)
}

/** At once by two, announced by one, and one that is taken back. */
async function changeEverything(life: ChangingLife, day: number): Promise<void> {
  await life.changeSettings(SETTINGS[day] ?? {})
  await life.changeInstrument(1, termsOf(day))
  await life.changeInstrument(2, termsOf(day + 2), 3 * HOUR_MS)
  await life.changeInstrument(3, { ...termsOf(day + 4), ...termsOf(day + 1) }, 3 * HOUR_MS)
  const isEven = day % 2 === 0
  await life.changeSource(1, {
    kind: isEven ? 'simulated' : 'live',
    hours: 'session',
    freshnessMs: 40_000 + day,
  })
  await life.changeSource(
    3,
    { kind: isEven ? 'recorded' : 'simulated', hours: isEven ? 'always' : 'session', freshnessMs: null },
    3 * HOUR_MS,
  )
  const taken = await life.changeInstrument(3, { feeRate: ratio(9_000) }, 5 * HOUR_MS)
  const [announced] = entryOf(taken).events
  if (announced?.type !== 'termsSet') throw new Error('nothing was announced')
  await life.must({ type: 'withdrawTerms', by: ONE, changeId: announced.changeId })
}

/** Orders of all kinds by one user, and one who loses too much. */
async function trade(life: ChangingLife): Promise<void> {
  const accountId = await life.open('demo')
  const buy = async (given: object = {}) =>
    orderIdOf(await life.must(marketOrder(accountId, { lots: lots(1_000), ...given })))
  const expiresAt = entryOf(await life.must(marketOrder(accountId, { lots: lots(200) }))).at + 30_000
  const trailing = await buy({ instrumentId: 3 })
  await life.must({ type: 'setTrailing', accountId, orderId: trailing, distance: price(50) })
  const held = await buy({ takeProfit: price(108_700) })
  const sold = await buy({ side: 'sell', stopLoss: price(108_800) })
  await buy({ side: 'buy', targetPrice: price(108_000) })
  await buy({ side: 'buy', targetPrice: price(90_000), expiresAt })
  const cancelled = await buy({ side: 'sell', targetPrice: price(130_000) })
  await life.must({ type: 'cancelOrder', accountId, orderId: cancelled })
  await life.must({ type: 'closePosition', accountId, orderId: held, lots: lots(300) })
  await life.must({ type: 'setStops', accountId, orderId: sold, takeProfit: null, stopLoss: price(108_790) })
  for (const bid of [130_200, 130_300, 130_400, 130_340]) await life.tick(bid, 3)
  for (const bid of [108_710, 108_795, 108_400]) await life.tick(bid)
  await life.pass(MINUTE_MS)
  const gambler = await life.open('demo')
  await life.must(marketOrder(gambler, { instrumentId: 1, lots: lots(40_000) }))
  await life.must(marketOrder(gambler, { lots: lots(200), targetPrice: price(50_000) }))
  for (const bid of [107_900, 105_700, 103_000, 108_469]) await life.tick(bid)
}

/** Digits, hours and session of an instrument that nobody holds; what is announced for it cannot come once somebody does. */
async function changeTheLoner(life: ChangingLife, day: number): Promise<void> {
  const decimals = day % 2 === 0 ? 4 : 5
  const now = decimals === 4 ? 6_650 : 66_500
  await life.changeInstrument(LONER, { priceDecimals: decimals, session: day % 2 === 0 ? 'night' : 'hours' })
  await life.tick(now, LONER)
  const accountId = await life.open('demo')
  const orderId = orderIdOf(await life.must(marketOrder(accountId, { instrumentId: LONER, lots: lots(500) })))
  const impossible = { priceDecimals: decimals + 1 }
  const other = await life.execute({
    ...{ type: 'setTerms', by: BOTH, effectiveAt: null },
    change: { kind: 'instrument', instrument: { ...loner(life), ...impossible }, listing: null },
  })
  expect(isRejection(other as never)).toBe(true)
  await life.must({ type: 'closePosition', accountId, orderId })
  await life.changeInstrument(LONER, impossible, 20 * MINUTE_MS)
  const late = orderIdOf(await life.must(marketOrder(accountId, { instrumentId: LONER, lots: lots(500) })))
  await life.pass(21 * MINUTE_MS)
  await life.must({ type: 'closePosition', accountId, orderId: late })
  await life.changeInstrument(LONER, { session: 'hours' })
}

const loner = (life: ChangingLife): Instrument => {
  const found = life.state().instruments.get(LONER)
  if (!found) throw new Error('there is no loner')
  return found
}

/** A holiday that is made known while orders wait and positions stand. */
async function closeInTheMiddle(life: ChangingLife): Promise<void> {
  const now = life.state().quotes.get(LONER)?.bid ?? 0
  const accountId = await life.open('demo')
  const size = { instrumentId: LONER, lots: lots(500) }
  const order = await life.must(marketOrder(accountId, size))
  await life.must(marketOrder(accountId, { ...size, targetPrice: price(now - 20) }))
  const date = new Date(entryOf(order).at).toISOString().slice(0, 10)
  await life.changeHours({ windows: windowsUntil('16:55'), holidays: [{ date, closesAt: '00:30' }] })
  await life.tick(now - 30, LONER)
  const close = { type: 'closePosition' as const, accountId, orderId: orderIdOf(order) }
  expect(await life.execute(close)).toMatchObject({ rejected: 'marketClosed' })
  await life.changeHours({ windows: windowsUntil('16:50'), holidays: [] }, 10 * MINUTE_MS)
  await life.pass(11 * MINUTE_MS)
  await life.must(close)
  await life.changeHours({ windows: 'always', holidays: [] })
  await life.must({ type: 'closeAll', accountId })
}

const windowsUntil = (close: string): string =>
  ['Mon', 'Tue', 'Wed', 'Thu', 'Fri'].map((day) => `${day} 00:05-${day} ${close}`).join('; ')

/** Money comes and goes while positions lose. */
async function moveMoney(life: ChangingLife): Promise<void> {
  const accountId = await life.open('real')
  const deposit = async (amount: number) =>
    caseIdOf(await life.must({ type: 'openDeposit', accountId, amount: dollars(amount) }))
  const hold = async (amount: number) =>
    caseIdOf(
      await life.must({ type: 'requestWithdrawal', accountId, amount: dollars(amount), fee: dollars(1) }),
    )
  const [first, second] = [await deposit(3_000), await deposit(90)]
  const arrived = {
    type: 'endDeposit' as const,
    by: BOTH,
    outcome: 'finished' as const,
    amount: dollars(2_900),
  }
  await life.must({ ...arrived, caseId: first })
  await life.must({ ...arrived, by: ONE, caseId: second, outcome: 'invalid' })
  expect(await life.execute({ ...arrived, caseId: first })).toMatchObject({ rejected: 'caseEnded' })
  await life.must(marketOrder(accountId, { lots: lots(2_000) }))
  await life.tick(108_200)
  const [paid, rejected, cancelled] = [await hold(1_100), await hold(50), await hold(60)]
  await life.tick(108_100)
  await life.must({ type: 'endWithdrawal', by: BOTH, caseId: paid, outcome: 'paid' })
  await life.must({ type: 'endWithdrawal', by: ONE, caseId: rejected, outcome: 'rejected' })
  await life.must({ type: 'cancelWithdrawal', accountId, caseId: cancelled })
  for (const [amount, outcome] of [
    [-20, 'approved'],
    [15, 'refused'],
    [1_200, 'approved'],
  ] as const) {
    const asked = await life.must({ type: 'askAdjustment', by: ONE, accountId, amount: dollars(amount) })
    await life.must({ type: 'endAdjustment', by: operatorOf(3), caseId: caseIdOf(asked), outcome })
  }
}

const caseIdOf = (answer: Answer): number => {
  const [event] = entryOf(answer).events
  if (!event || !('caseId' in event)) throw new Error('no case was opened')
  return event.caseId
}

/** Accounts that may not do all, an instrument that is off, a halt and a pause. */
async function restrict(life: ChangingLife): Promise<void> {
  const statuses = ['closeOnly', 'frozen'] as const
  for (const status of statuses) {
    const accountId = await life.open('demo')
    const orderId = orderIdOf(await life.must(marketOrder(accountId, { lots: lots(200) })))
    await life.must(marketOrder(accountId, { lots: lots(200), targetPrice: price(100_000) }))
    await life.must({ type: 'setAccountStatus', by: ONE, accountId, status })
    expect(await life.execute(marketOrder(accountId, { lots: lots(200) }))).toHaveProperty('rejected')
    await life.must({ type: 'closeByOperator', by: ONE, accountId, orderId })
  }
  const waiting = await life.open('demo')
  await life.must(marketOrder(waiting, { instrumentId: 2, lots: lots(200), targetPrice: price(70_000) }))
  await life.changeInstrument(2, { isEnabled: false })
  await life.must({ type: 'haltInstrument', by: ONE, instrumentId: 3, reason: 'no quotes' })
  await life.tick(108_300)
  await life.changeInstrument(2, { isEnabled: true })
  await life.must({ type: 'setTradingMode', by: ONE, mode: 'cancelOnly' })
  await life.tick(108_350)
  await life.must({ type: 'setTradingMode', by: ONE, mode: 'normal' })
  await life.must({ type: 'haltInstrument', by: ONE, instrumentId: 3, reason: null })
  await life.must({ type: 'resetDemo', accountId: waiting })
}

/** The night comes with somebody awake, or is found in the morning; new rates are announced for right before it. */
async function sleep(life: ChangingLife, day: number): Promise<void> {
  const night = life.untilHour(22)
  await life.changeInstrument(1, { swapRate: { buy: ratio(-7_000_000 - day), sell: ratio(day) } }, night)
  if (day % 2 === 0) {
    await life.pass(night - MINUTE_MS)
    await life.pass(2 * MINUTE_MS)
    await life.bustle(2)
  }
  await life.restart(life.untilHour(24 + 11))
}

import { expect } from 'vitest'
import {
  isRejection,
  lots,
  money,
  noticeEnd,
  price,
  ratio,
  type ArrivalClaim,
  type Instrument,
  type InstrumentSource,
  type Operator,
  type Seed,
  type SessionText,
  type State,
  type TermsChange,
  type TradingSettings,
} from '@fairlot/core'
import { createRandom } from '../../../../testing/random.ts'
import { accountIdOf, entryOf, marketOrder, orderIdOf } from '../../../../testing/test-world.ts'
import type { Answer, EngineCommand } from '../engine/engine.ts'
import type { Database } from '../platform/database/open.ts'
import { SIMULATION_SEED } from './journal-simulation.ts'
import { DAY, operatorOf, someCommands } from './random-commands.ts'
import { createHarness, type Harness } from './engine-harness.ts'

/** A simulated deployment whose terms all change while users trade: at once, announced, withdrawn, and while the server is down. */
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

const DOLLAR = 1_000_000n
const dollars = (amount: number) => money(BigInt(amount) * DOLLAR)

/** The settings of each day. */
const SETTINGS: readonly Partial<TradingSettings>[] = [
  {
    feeType: 'fixed',
    demoBalance: dollars(25_000),
    stopOutLevel: 40,
    warningLevel: 110,
    maxLivingOrders: 40,
  },
  { freshnessMs: 45_000, noticeMs: HOUR_MS, fourEyesLimit: dollars(500), feeType: 'rate' },
  { demoBalance: dollars(18_000), stopOutLevel: 60, warningLevel: 90, maxLivingOrders: 45, feeType: 'fixed' },
  { freshnessMs: 70_000, noticeMs: 90 * MINUTE_MS, fourEyesLimit: dollars(800), stopOutLevel: 55 },
]

/** The terms of instruments, used in turn. */
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

/** Simulates one day, in order; day 0 is a Monday. It ends on the next morning, after a restart. */
export async function simulateDay(simulation: TermsSimulation, day: number): Promise<void> {
  await simulation.resetRestrictions()
  await changeEverything(simulation, day)
  await trade(simulation)
  await changeUntraded(simulation, day)
  await closeDuringTrading(simulation)
  await moveMoney(simulation)
  await withdrawByChange(simulation)
  await simulation.tradeAtRandom(6)
  await simulation.restart()
  await simulation.resetRestrictions()
  await restrict(simulation)
  // The terms announced today have taken effect by now, or do so while the server is down.
  await passRollover(simulation, day)
}

/** Changes at once by two operators, changes announced by one, and one that is withdrawn. */
async function changeEverything(simulation: TermsSimulation, day: number): Promise<void> {
  await simulation.changeSettings(SETTINGS[day] ?? {})
  await simulation.changeInstrument(1, termsOf(day))
  await simulation.changeInstrument(2, termsOf(day + 2), 3 * HOUR_MS)
  await simulation.changeInstrument(3, { ...termsOf(day + 4), ...termsOf(day + 1) }, 3 * HOUR_MS)
  const isEven = day % 2 === 0
  await simulation.changeSource(1, {
    kind: isEven ? 'simulated' : 'live',
    hours: 'session',
    freshnessMs: 40_000 + day,
  })
  await simulation.changeSource(
    3,
    { kind: isEven ? 'recorded' : 'simulated', hours: isEven ? 'always' : 'session', freshnessMs: null },
    3 * HOUR_MS,
  )
  const withdrawn = await simulation.changeInstrument(3, { feeRate: ratio(9_000) }, 5 * HOUR_MS)
  const [announced] = entryOf(withdrawn).events
  if (announced?.type !== 'termsSet') throw new Error('nothing was announced')
  await simulation.must({ type: 'withdrawTerms', by: ONE_OPERATOR, changeId: announced.changeId })
}

/** An announced change that is withdrawn by a better one that holds at once. */
async function withdrawByChange(simulation: TermsSimulation): Promise<void> {
  const { stopOutLevel } = simulation.state().settings
  await simulation.changeSettings({ stopOutLevel: stopOutLevel - 1 }, HOUR_MS)
  await simulation.changeSettings({ stopOutLevel: stopOutLevel - 2 })
}

/** Orders of all kinds by one user, and a stop-out of another. */
async function trade(simulation: TermsSimulation): Promise<void> {
  const accountId = await simulation.open('demo')
  const buy = async (given: object = {}) =>
    orderIdOf(await simulation.must(marketOrder(accountId, { lots: lots(1_000), ...given })))
  const expiresAt = entryOf(await simulation.must(marketOrder(accountId, { lots: lots(200) }))).at + 30_000
  const trailing = await buy({ instrumentId: 3 })
  await simulation.must({ type: 'setTrailing', accountId, orderId: trailing, distance: price(50) })
  const held = await buy({ takeProfit: price(108_700) })
  const sold = await buy({ side: 'sell', stopLoss: price(108_800) })
  await buy({ side: 'buy', targetPrice: price(108_000) })
  await buy({ side: 'buy', targetPrice: price(90_000), expiresAt })
  const cancelled = await buy({ side: 'sell', targetPrice: price(130_000) })
  await simulation.must({ type: 'cancelOrder', accountId, orderId: cancelled })
  await simulation.must({ type: 'closePosition', accountId, orderId: held, lots: lots(300) })
  await simulation.must({
    type: 'setStops',
    accountId,
    orderId: sold,
    takeProfit: null,
    stopLoss: price(108_790),
  })
  for (const bid of [130_200, 130_300, 130_400, 130_340]) await simulation.tick(bid, 3)
  for (const bid of [108_710, 108_795, 108_400]) await simulation.tick(bid)
  await simulation.pass(MINUTE_MS)
  const gambler = await simulation.open('demo')
  await simulation.must(marketOrder(gambler, { instrumentId: 1, lots: lots(40_000) }))
  await simulation.must(marketOrder(gambler, { lots: lots(200), targetPrice: price(50_000) }))
  for (const bid of [107_900, 105_700, 103_000, 108_469]) await simulation.tick(bid)
}

/** Decimals and session of an instrument without positions; announced decimals do not take effect once there is a position. */
async function changeUntraded(simulation: TermsSimulation, day: number): Promise<void> {
  const decimals = day % 2 === 0 ? 4 : 5
  const now = decimals === 4 ? 6_650 : 66_500
  await simulation.changeInstrument(UNTRADED, {
    priceDecimals: decimals,
    session: day % 2 === 0 ? 'night' : 'hours',
  })
  await simulation.tick(now, UNTRADED)
  const accountId = await simulation.open('demo')
  const orderId = orderIdOf(
    await simulation.must(marketOrder(accountId, { instrumentId: UNTRADED, lots: lots(500) })),
  )
  const impossible = { priceDecimals: decimals + 1 }
  const other = await simulation.execute({
    type: 'setTerms',
    by: TWO_OPERATORS,
    effectiveAt: null,
    change: { kind: 'instrument', instrument: { ...untradedIn(simulation), ...impossible }, listing: null },
  })
  expect(isRejection(other as never)).toBe(true)
  await simulation.must({ type: 'closePosition', accountId, orderId })
  const notice = simulation.state().settings.noticeMs + MINUTE_MS
  await simulation.changeInstrument(UNTRADED, impossible, notice)
  const late = orderIdOf(
    await simulation.must(marketOrder(accountId, { instrumentId: UNTRADED, lots: lots(500) })),
  )
  await simulation.pass(notice + MINUTE_MS)
  await simulation.must({ type: 'closePosition', accountId, orderId: late })
  await simulation.changeInstrument(UNTRADED, { session: 'hours' })
}

const untradedIn = (simulation: TermsSimulation): Instrument => {
  const found = simulation.state().instruments.get(UNTRADED)
  if (!found) throw new Error(`there is no instrument ${UNTRADED}`)
  return found
}

/** A holiday set while there are pending orders and open positions. */
async function closeDuringTrading(simulation: TermsSimulation): Promise<void> {
  const now = simulation.state().quotes.get(UNTRADED)?.bid ?? 0
  const accountId = await simulation.open('demo')
  const size = { instrumentId: UNTRADED, lots: lots(500) }
  const order = await simulation.must(marketOrder(accountId, size))
  await simulation.must(marketOrder(accountId, { ...size, targetPrice: price(now - 20) }))
  const date = new Date(entryOf(order).at).toISOString().slice(0, 10)
  await simulation.changeHours({ windows: windowsUntil('16:55'), holidays: [{ date, closesAt: '00:30' }] })
  await simulation.tick(now - 30, UNTRADED)
  const close = { type: 'closePosition' as const, accountId, orderId: orderIdOf(order) }
  expect(await simulation.execute(close)).toMatchObject({ rejected: 'marketClosed' })
  await simulation.changeHours({ windows: windowsUntil('16:50'), holidays: [] }, 10 * MINUTE_MS)
  await simulation.pass(11 * MINUTE_MS)
  await simulation.must(close)
  await simulation.changeHours({ windows: 'always', holidays: [] })
  await simulation.must({ type: 'closeAll', accountId })
}

const windowsUntil = (close: string): string =>
  ['Mon', 'Tue', 'Wed', 'Thu', 'Fri'].map((day) => `${day} 00:05-${day} ${close}`).join('; ')

/** One deposit of euros is credited at the mid of the decision, another at the rate of its earlier arrival. */
async function depositEuros(simulation: TermsSimulation, accountId: number): Promise<void> {
  const sent = { currency: 'EUR', amount: 10_000_000_000n, fixedRate: null } as const
  const report = async () => caseIdOf(await simulation.must({ type: 'openDeposit', accountId, sent }))
  const finish = (caseId: number, arrived: ArrivalClaim) =>
    simulation.must({ type: 'endDeposit', by: ONE_OPERATOR, outcome: 'finished', caseId, arrived })
  await simulation.tick(108_400)
  const first = await report()
  await finish(first, { amount: 9_950_000_000n })
  const second = await report()
  const reportedAt = simulation.state().cases.get(second)?.openedAt ?? 0
  await simulation.pass(2_000)
  await simulation.tick(108_300)
  await finish(second, { amount: sent.amount, at: reportedAt, rate: 10_841_000_000n })
}

/** Deposits, withdrawals and adjustments while positions lose. */
async function moveMoney(simulation: TermsSimulation): Promise<void> {
  const accountId = await simulation.open('real')
  const deposit = async (amount: number) =>
    caseIdOf(await simulation.must({ type: 'openDeposit', accountId, amount: dollars(amount) }))
  const hold = async (amount: number) =>
    caseIdOf(
      await simulation.must({
        type: 'requestWithdrawal',
        accountId,
        amount: dollars(amount),
        fee: dollars(1),
      }),
    )
  const [first, second] = [await deposit(3_000), await deposit(90)]
  const arrived = {
    type: 'endDeposit' as const,
    by: TWO_OPERATORS,
    outcome: 'finished' as const,
    amount: dollars(2_900),
  }
  await simulation.must({ ...arrived, caseId: first })
  await simulation.must({ ...arrived, by: ONE_OPERATOR, caseId: second, outcome: 'invalid' })
  expect(await simulation.execute({ ...arrived, caseId: first })).toMatchObject({ rejected: 'caseEnded' })
  await depositEuros(simulation, accountId)
  await simulation.must(marketOrder(accountId, { lots: lots(2_000) }))
  await simulation.tick(108_200)
  const [paid, rejected, cancelled] = [await hold(1_100), await hold(50), await hold(60)]
  await simulation.tick(108_100)
  await simulation.must({ type: 'endWithdrawal', by: TWO_OPERATORS, caseId: paid, outcome: 'paid' })
  await simulation.must({ type: 'endWithdrawal', by: ONE_OPERATOR, caseId: rejected, outcome: 'rejected' })
  await simulation.must({ type: 'cancelWithdrawal', accountId, caseId: cancelled })
  for (const [amount, outcome] of [
    [-20, 'approved'],
    [15, 'refused'],
    [1_200, 'approved'],
  ] as const) {
    const requested = await simulation.must({
      type: 'askAdjustment',
      by: ONE_OPERATOR,
      accountId,
      amount: dollars(amount),
    })
    await simulation.must({ type: 'endAdjustment', by: operatorOf(3), caseId: caseIdOf(requested), outcome })
  }
}

const caseIdOf = (answer: Answer): number => {
  const [event] = entryOf(answer).events
  if (!event || !('caseId' in event)) throw new Error('no case was opened')
  return event.caseId
}

/** Restricted accounts, a disabled instrument, a halt, and reduce-only trading. */
async function restrict(simulation: TermsSimulation): Promise<void> {
  const statuses = ['closeOnly', 'frozen'] as const
  for (const status of statuses) {
    const accountId = await simulation.open('demo')
    const orderId = orderIdOf(await simulation.must(marketOrder(accountId, { lots: lots(200) })))
    await simulation.must(marketOrder(accountId, { lots: lots(200), targetPrice: price(100_000) }))
    await simulation.must({ type: 'setAccountStatus', by: ONE_OPERATOR, accountId, status })
    expect(await simulation.execute(marketOrder(accountId, { lots: lots(200) }))).toHaveProperty('rejected')
    await simulation.must({
      type: 'closeByOperator',
      by: TWO_OPERATORS,
      accountId,
      orderId,
      ground: 'ownerRequest',
    })
  }
  const waiting = await simulation.open('demo')
  await simulation.must(
    marketOrder(waiting, { instrumentId: 2, lots: lots(200), targetPrice: price(70_000) }),
  )
  await simulation.changeInstrument(2, { isEnabled: false })
  await simulation.must({ type: 'haltInstrument', by: TWO_OPERATORS, instrumentId: 3, reason: 'no quotes' })
  await simulation.tick(108_300)
  await simulation.changeInstrument(2, { isEnabled: true })
  await simulation.must({ type: 'setTradingMode', by: TWO_OPERATORS, mode: 'reduceOnly' })
  await simulation.tick(108_350)
  await simulation.must({ type: 'setTradingMode', by: ONE_OPERATOR, mode: 'normal' })
  await simulation.must({ type: 'haltInstrument', by: ONE_OPERATOR, instrumentId: 3, reason: null })
  await simulation.must({ type: 'resetDemo', accountId: waiting })
}

/** The rollover passes while the server runs, or is caught up after a restart; new swap rates take effect right before it. */
async function passRollover(simulation: TermsSimulation, day: number): Promise<void> {
  const rollover = simulation.untilHour(22)
  await simulation.changeInstrument(
    1,
    { swapRate: { buy: ratio(-7_000_000 - day), sell: ratio(day) } },
    rollover,
  )
  if (day % 2 === 0) {
    await simulation.pass(rollover - MINUTE_MS)
    await simulation.pass(2 * MINUTE_MS)
    await simulation.tradeAtRandom(2)
  }
  await simulation.restart(simulation.untilHour(24 + 11))
}

/** Two operators, who can change sessions, sources and limits at once. */
export const TWO_OPERATORS: Operator = { ...operatorOf(1), second: { id: 9, role: 'administrator' } }
/** One operator, who has to announce changes that are worse for traders. */
export const ONE_OPERATOR = operatorOf(2)

const MONDAY = Date.UTC(2026, 0, 5, 11)

/** The session of `UNTRADED`, in New York. */
const HOURS: SessionText = { ...DAY, name: 'hours' }

/** An instrument that random trading leaves out, so that all its terms can change. */
export const UNTRADED = 4

/** The bid of each instrument, in ticks. */
const PRICES: ReadonlyMap<number, number> = new Map([
  [1, 108_469],
  [2, 83_312],
  [3, 130_120],
  [UNTRADED, 66_500],
])

const [EURUSD] = SIMULATION_SEED.instruments
if (!EURUSD) throw new Error('the seed has no instrument')
const SEED: Seed = {
  ...SIMULATION_SEED,
  settings: { ...SIMULATION_SEED.settings, noticeMs: 5 * MINUTE_MS },
  instruments: [
    ...SIMULATION_SEED.instruments,
    { ...EURUSD, id: UNTRADED, code: 'AUDUSD', baseCurrency: 'AUD', session: HOURS.name },
  ],
  sessions: [DAY, HOURS, { ...DAY, name: 'night' }],
}

type TermsSimulation = Awaited<ReturnType<typeof openTermsSimulation>>

/** `seed` determines the random trading. */
export async function openTermsSimulation(database: Database, seed: number) {
  const random = createRandom(seed)
  const errors: string[] = []
  let harness: Harness = await createHarness(database, { startAt: MONDAY, seed: SEED })
  const state = () => harness.engine.state()
  /** Throws for a rejected command. */
  const must = async (command: EngineCommand): Promise<Answer> => {
    const answer = await harness.engine.execute(command)
    entryOf(answer)
    return answer
  }
  /** A command without effect, which makes the engine handle what is due. */
  const sendNoOp = () => harness.engine.execute({ type: 'cancelOrder', accountId: 0, orderId: 0 })
  /** Moves the clock, lets the engine handle what is due, and refreshes all prices. */
  const pass = async (ms: number) => {
    harness.clock.at += ms
    await sendNoOp()
    for (const [id, { bid }] of Array.from(state().quotes)) await harness.tick(bid, id)
  }
  const execute = (command: EngineCommand) => harness.engine.execute(command)
  const terms = changersOf({ state, execute, must, pass, now: () => harness.clock.at })
  const { changeInstrument } = terms

  return {
    state,
    core: () => harness.engine.core(),
    must,
    errors: () => [...errors, ...harness.errors],
    execute,
    pass,
    open: async (ledger: 'demo' | 'real') => accountIdOf(await must({ type: 'openAccount', ledger })),
    tick: (bid: number, id?: number) => harness.tick(bid, id),
    stop: async () => {
      await harness.engine.caughtUp()
      await harness.engine.stop()
    },
    ...terms,
    /** Milliseconds until an hour of the current UTC day. */
    untilHour: (hour: number) =>
      (Math.floor(harness.clock.at / (24 * HOUR_MS)) * 24 + hour) * HOUR_MS - harness.clock.at,
    /** Lifts all restrictions on trading and refreshes prices. */
    resetRestrictions: async () => {
      await must({ type: 'setTradingMode', by: ONE_OPERATOR, mode: 'normal' })
      for (const { id, isEnabled } of Array.from(state().instruments.values())) {
        await must({ type: 'haltInstrument', by: ONE_OPERATOR, instrumentId: id, reason: null })
        if (!isEnabled) await changeInstrument(id, { isEnabled: true })
      }
      for (const accountId of Array.from(state().accounts.keys()))
        await must({ type: 'setAccountStatus', by: ONE_OPERATOR, accountId, status: 'active' })
      for (const [id, bid] of PRICES) {
        const decimals = state().instruments.get(id)?.priceDecimals ?? 5
        await harness.tick(price(Math.round(bid * 10 ** (decimals - 5))), id)
      }
    },
    /** Executes random commands in `steps` steps over some minutes. */
    tradeAtRandom: async (steps: number) => {
      for (let step = 0; step < steps; step += 1) {
        harness.clock.at += random.below(12 * MINUTE_MS)
        for (const { at: _, ...command } of someCommands(state(), harness.clock.at, random)) {
          if (command.type === 'clock') continue
          if (command.type === 'tick') await harness.tick(command.quote.bid, command.quote.instrumentId)
          else await harness.engine.execute(command as EngineCommand)
        }
      }
    },
    /** Stops the engine, moves the clock, and starts another engine on the database. */
    restart: async (awayMs = MINUTE_MS) => {
      await harness.engine.caughtUp()
      await harness.engine.stop()
      errors.push(...harness.errors)
      harness = await createHarness(database, { startAt: harness.clock.at + awayMs, seed: SEED })
    },
  }
}

type Execution = {
  readonly state: () => State
  readonly execute: (command: EngineCommand) => Promise<Answer>
  readonly pass: (ms: number) => Promise<void>
  readonly must: (command: EngineCommand) => Promise<Answer>
  readonly now: () => number
}

/** Functions that change each kind of term. */
function changersOf({ state, execute, must, pass, now }: Execution) {
  /** Changes terms as soon as two operators can, or `inMs` from now by one operator where a short notice allows it. */
  const change = async (change: TermsChange, inMs: number | null): Promise<Answer> => {
    const needsTwo = change.kind === 'calendar' || change.kind === 'source'
    if (inMs !== null)
      return must({
        type: 'setTerms',
        by: needsTwo ? TWO_OPERATORS : ONE_OPERATOR,
        effectiveAt: now() + inMs,
        change,
      })
    const atOnce = { type: 'setTerms', by: TWO_OPERATORS, effectiveAt: null, change } as const
    const answer = await execute(atOnce)
    if ('entry' in answer) return answer
    const end = noticeEnd(state(), change, now())
    const announced = await must({ ...atOnce, effectiveAt: end })
    await pass(end - now())
    return announced
  }
  const changeInstrument = (id: number, given: Partial<Instrument>, inMs: number | null = null) => {
    const instrument = state().instruments.get(id)
    if (!instrument) throw new Error(`there is no instrument ${id}`)
    return change({ kind: 'instrument', instrument: { ...instrument, ...given }, listing: null }, inMs)
  }
  return {
    changeInstrument,
    changeSettings: (given: Partial<TradingSettings>, inMs: number | null = null) =>
      change({ kind: 'settings', settings: { ...state().settings, ...given } }, inMs),
    changeSource: (instrumentId: number, source: InstrumentSource, inMs: number | null = null) =>
      change({ kind: 'source', instrumentId, source }, inMs),
    changeHours: (given: Partial<SessionText>, inMs: number | null = null) =>
      change({ kind: 'calendar', session: { ...HOURS, ...given } }, inMs),
  }
}

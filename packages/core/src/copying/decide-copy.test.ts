import { describe, expect, test } from 'vitest'
import { copyHarness, eventsOf, lotsOf, type CopyHarness } from '../../scenarios/copying.ts'
import { effects } from '../../scenarios/harness.ts'
import { instrumentOf, TWO, usd } from '../../scenarios/market.ts'
import { DEPLOYMENT } from '../model/author.ts'
import type { EndDeposit, SetAccountStatus, SetTerms, StartCopy } from '../model/command.ts'
import { DEFAULT_COPYING, PUBLISH_AGAIN_MS } from '../model/copying.ts'
import { brokerAccountOf } from '../model/ledger.ts'
import { ratio } from '../model/number.ts'

const DAY_MS = 86_400_000

/** Account 1 publishes; account 2 may copy. */
function published(options: Parameters<typeof copyHarness>[0] = {}) {
  const harness = copyHarness(options)
  harness.tick('EURUSD', '1.38500', '1.38510')
  harness.publish(100_000)
  return harness
}

const REAL = { ...DEFAULT_COPYING, isRealOn: true, legalBasis: 'MiFID II, Article 4(1)(8)' }

/** Two real accounts with 10,000 each; the first of them publishes. */
function real() {
  const harness = published({ settings: { copying: REAL } })
  const [provider, owner] = [0, 0].map(() => fundedAccount(harness))
  if (!provider || !owner) throw new Error('no accounts')
  harness.publish(200_000, provider)
  return { ...harness, provider, owner }
}

function fundedAccount({ openAccount, send, now, operate, state }: CopyHarness): number {
  openAccount('real')
  const accountId = state.lastAccountId
  const amount = usd('10000')
  send({ type: 'openDeposit', at: now(), accountId, amount })
  const deposit = { caseId: state.lastCaseId, outcome: 'finished', amount } as const
  eventsOf(operate<EndDeposit>({ type: 'endDeposit', by: TWO, ...deposit }))
  return accountId
}

describe('publishing', () => {
  test('is possible for one strategy at a time, and again 30 days after its end', () => {
    const { publish, send, now, wait, tick, state } = published()
    expect(effects(publish())).toEqual(['refused strategyRunning'])
    send({ type: 'endStrategy', at: now(), accountId: 1 })
    expect(effects(send({ type: 'endStrategy', at: now(), accountId: 1 }))).toEqual([
      'refused strategyNotFound',
    ])
    wait(PUBLISH_AGAIN_MS - 1)
    expect(effects(publish())).toEqual(['refused strategyTooSoon'])
    wait(1)
    tick('EURUSD', '1.38500', '1.38510')
    expect(effects(publish())).toEqual(['strategyPublished'])
    expect(state.lastStrategyId).toBe(2)
  })

  test('takes a fee of at most 30 % and an equity of at least 500', () => {
    const { publish } = published()
    expect(effects(publish(300_001, 2))).toEqual(['refused feeShareInvalid'])
    expect(effects(publish(-1, 2))).toEqual(['refused feeShareInvalid'])
    expect(effects(publish(300_000, 2))).toEqual(['strategyPublished'])
    const poor = copyHarness({ settings: { demoBalance: usd('499.999999') } })
    expect(effects(poor.publish())).toEqual(['refused providerEquityTooLow'])
  })

  test('allows another fee later: running copies keep theirs, later ones have the new one', () => {
    const harness = published()
    const { account, copy, openAccount, send, now, state } = harness
    openAccount()
    const set = (feeShare: number, accountId = 1) =>
      effects(send({ type: 'setStrategyFee', at: now(), accountId, feeShare: ratio(feeShare) }))
    const before = copy('1000')
    expect(set(300_000)).toEqual(['strategyFeeSet'])
    const after = copy('1000', { ownerId: 3 })
    expect([before, after].map((id) => account(id).copy.feeShare)).toEqual([100_000, 300_000])
    expect(set(300_000)).toEqual(['refused strategyFeeSame'])
    expect(set(300_001)).toEqual(['refused feeShareInvalid'])
    expect(set(-1)).toEqual(['refused feeShareInvalid'])
    expect(set(1.5)).toEqual(['refused feeShareInvalid'])
    expect(set(0, 2)).toEqual(['refused strategyNotFound'])
    expect(set(0)).toEqual(['strategyFeeSet'])
    expect(state.accounts.get(1)?.strategy?.feeShare).toBe(0)
    expect(account(after).copy.feeShare).toBe(300_000)
    send({ type: 'endStrategy', at: now(), accountId: 1 })
    expect(set(100_000)).toEqual(['refused strategyNotFound'])
  })

  test('of real money is off until the settings switch it on', () => {
    const { publish, openAccount } = published()
    openAccount('real')
    expect(effects(publish(0, 3))).toEqual(['refused copyingOff'])
  })

  test('ends when its account is closed', () => {
    const { send, now } = published()
    const closed = send({ type: 'closeAccount', at: now(), accountId: 1, leftMax: usd('0') })
    expect(effects(closed)).toEqual(['strategyEnded', 'accountClosed'])
  })
})

describe('starting a copy', () => {
  const refused = (change: Partial<StartCopy>, harness = published()) =>
    effects(
      harness.send({
        type: 'startCopy',
        at: harness.now(),
        accountId: 2,
        strategyId: 1,
        amount: usd('1000'),
        terms: { multiplier: ratio(1_000_000), exposureLimit: 30, stopLoss: 60 },
        isWithOpenOrders: false,
        ...change,
      }),
    )
  const terms = { multiplier: ratio(1_000_000), exposureLimit: 30, stopLoss: 60 }

  test('needs another’s strategy that runs', () => {
    expect(refused({ accountId: 1 })).toEqual(['refused ownStrategy'])
    expect(refused({ strategyId: 2 })).toEqual(['refused strategyNotFound'])
    expect(refused({})).toEqual(['copyStarted'])
  })

  test('needs an amount from the minimum to what is free', () => {
    expect(refused({ amount: usd('99.999999') })).toEqual(['refused copyAmountTooSmall'])
    expect(refused({ amount: usd('-1000') })).toEqual(['refused copyAmountTooSmall'])
    expect(refused({ amount: usd('100000.000001') })).toEqual(['refused notEnoughMoney'])
    expect(refused({ amount: usd('100000') })).toEqual(['copyStarted'])
  })

  test('needs choices in their ranges', () => {
    const wrong = [
      { multiplier: ratio(99_999) },
      { multiplier: ratio(10_000_001) },
      { exposureLimit: 0 },
      { exposureLimit: 2.5 },
      { exposureLimit: 31 },
      { stopLoss: 4 },
      { stopLoss: 96 },
      { stopLoss: Number.NaN },
    ]
    for (const choice of wrong)
      expect(refused({ terms: { ...terms, ...choice } })).toEqual(['refused copyTermsInvalid'])
  })

  test('is never at a higher fee than its owner was shown', () => {
    expect(refused({ feeShown: ratio(99_999) })).toEqual(['refused copyFeeRaised'])
    expect(refused({ feeShown: ratio(100_000) })).toEqual(['copyStarted'])
    const harness = published()
    expect(refused({ feeShown: ratio(200_000) }, harness)).toEqual(['copyStarted'])
    expect(harness.account(harness.state.lastAccountId).copy.feeShare).toBe(100_000)
  })

  test('is possible once for a strategy, and up to the limits of users and providers', () => {
    const copying = { ...DEFAULT_COPYING, maxCopiesPerUser: 1, maxCopiesPerProvider: 1 }
    const harness = published({ settings: { copying } })
    harness.openAccount()
    harness.publish(0, 3)
    expect(refused({}, harness)).toEqual(['copyStarted'])
    expect(refused({}, harness)).toEqual(['refused copyRunning'])
    expect(refused({ strategyId: 2 }, harness)).toEqual(['refused tooManyCopies'])
    expect(refused({ accountId: 3 }, harness)).toEqual(['refused strategyFull'])
  })

  test('of a demo strategy is for demo money only; demo money may copy a real strategy', () => {
    const { owner, ...harness } = real()
    expect(refused({ accountId: owner }, harness)).toEqual(['refused strategyIsDemo'])
    expect(refused({ accountId: owner, strategyId: 2 }, harness)).toEqual(['copyStarted'])
    expect(refused({ strategyId: 2 }, harness)).toEqual(['copyStarted'])
  })
})

describe('switching copying off', () => {
  test('for demo money ends demo copies, also those of a real strategy; real copies go on', () => {
    const { owner, ...harness } = real()
    const realCopy = harness.copy('1000', { ownerId: owner })
    const demoCopy = harness.copy('1000')
    const copying = { ...REAL, isDemoOn: false }
    const set = harness.operate<SetTerms>({
      type: 'setTerms',
      change: { kind: 'settings', settings: { ...harness.state.settings, copying } },
      // Real money is held: the change is announced a day in advance.
      effectiveAt: harness.now() + 86_400_000,
      by: DEPLOYMENT,
    })
    expect(effects(set)).toEqual(['termsSet'])
    harness.wait(86_400_000)
    const ended = [...eventsOf(harness.clock()), ...eventsOf(harness.clock())].flatMap((event) =>
      event.type === 'copyEnded' ? [[event.accountId, event.reason]] : [],
    )
    expect(ended).toEqual([[demoCopy, 'copyingOff']])
    expect(harness.state.accounts.get(demoCopy)?.copy).toBeNull()
    expect(harness.account(realCopy).copy.status).toBe('running')
    expect(harness.balance(2)).toBe(usd('100000'))
  })
})

describe('an owner', () => {
  test('reaches no copy of others, and none that ends', () => {
    const { copy, order, closeMarket, buy } = published()
    const copyId = copy('5000')
    expect(effects(order({ type: 'pauseCopy', copyId }, 1))).toEqual(['refused copyNotFound'])
    expect(effects(order({ type: 'pauseCopy', copyId: 1 }))).toEqual(['refused copyNotFound'])
    buy('EURUSD', { lots: '1' })
    closeMarket('EURUSD')
    expect(effects(order({ type: 'stopCopy', copyId }))).toEqual(['copyStopped'])
    expect(effects(order({ type: 'stopCopy', copyId }))).toEqual(['refused copyEnding'])
  })

  test('pauses and resumes in turn', () => {
    const { copy, order } = published()
    const copyId = copy('5000')
    const steps = ['resumeCopy', 'pauseCopy', 'pauseCopy', 'resumeCopy'] as const
    expect(steps.flatMap((type) => effects(order({ type, copyId })))).toEqual([
      'refused copyNotPaused',
      'copyPaused',
      'refused copyPaused',
      'copyResumed',
    ])
  })

  test('takes out what is free, as long as enough for a copy is left', () => {
    const { copy, order, balance, state } = published()
    const copyId = copy('5000')
    const take = (amount: string) => effects(order({ type: 'takeFromCopy', copyId, amount: usd(amount) }))
    expect(take('5000.000001')).toEqual(['refused notEnoughMoney'])
    expect(take('0')).toEqual(['refused amountInvalid'])
    expect(take('4000')).toEqual(['copyReduced'])
    expect(state.accounts.get(copyId)?.copy).toMatchObject({ base: usd('1000'), mark: usd('1000') })
    expect(take('1000')).toEqual(['refused copyLeftTooSmall'])
    expect(order({ type: 'takeFromCopy', copyId, amount: usd('900.000001') })).toMatchObject({
      rejected: 'copyLeftTooSmall',
      details: { least: usd('100'), most: usd('900') },
    })
    expect(take('900')).toEqual(['copyReduced'])
    expect(effects(order({ type: 'stopCopy', copyId }))).toEqual(['copyStopped', 'copyEnded'])
    expect(balance(2)).toBe(usd('100000'))
  })

  test('sets a copy stop loss below the present equity only', () => {
    const { copy, order, tick, buy, account } = published()
    const copyId = copy('5000')
    buy('EURUSD', { lots: '10', leverage: 30 })
    tick('EURUSD', '1.37500', '1.37510')
    const set = (stopLoss: number) => effects(order({ type: 'setCopyStopLoss', copyId, stopLoss }))
    expect(set(95)).toEqual(['refused copyTermsInvalid'])
    expect(set(70)).toEqual(['copyStopLossSet'])
    expect(account(copyId).copy.stopLoss).toBe(70)
  })

  test('who is frozen may stop and pause copies and bring their stop loss nearer, and nothing else', () => {
    const { operate, start, send, now, state, ...harness } = published()
    const [copyId = 0] = [start('1000')].map(() => state.lastAccountId)
    const about = { at: now(), accountId: 2, copyId }
    const stopAt = (stopLoss: number) => effects(send({ type: 'setCopyStopLoss', ...about, stopLoss }))
    expect(stopAt(60)).toEqual(['copyStopLossSet'])
    operate<SetAccountStatus>({ type: 'setAccountStatus', accountId: 2, status: 'frozen' })
    expect(stopAt(59)).toEqual(['refused stopsOnlyTightened'])
    expect(stopAt(61)).toEqual(['copyStopLossSet'])
    expect(effects(send({ type: 'pauseCopy', ...about }))).toEqual(['copyPaused'])
    expect(effects(send({ type: 'resumeCopy', ...about }))).toEqual(['refused accountFrozen'])
    expect(effects(send({ type: 'addToCopy', ...about, amount: usd('100') }))).toEqual([
      'refused accountFrozen',
    ])
    expect(effects(send({ type: 'stopCopy', ...about }))).toContain('copyStopped')
    harness.clock()
    expect(state.copies.size).toBe(0)
  })

  test('who is frozen could not stop a copy by the rules before version 6', () => {
    const { operate, start, send, now, state } = published()
    start('1000')
    state.rulesVersion = 5
    operate<SetAccountStatus>({ type: 'setAccountStatus', accountId: 2, status: 'frozen' })
    const stop = { type: 'stopCopy', at: now(), accountId: 2, copyId: state.lastAccountId } as const
    expect(effects(send(stop))).toEqual(['refused accountFrozen'])
  })

  test('changes how later orders are copied; what is open, and what is left out, stays', () => {
    const { copy, order, tick, buy, account, state } = published()
    tick('GBPUSD', '1.68000', '1.68010')
    const copyId = copy('10000')
    buy('EURUSD', { lots: '1' })
    const set = (terms: object) => order({ type: 'setCopyTerms', copyId, ...terms })
    expect(effects(set({ multiplier: ratio(2_000_000) }))).toEqual(['copyTermsSet'])
    expect(effects(set({ excluded: [instrumentOf('GBPUSD').id, instrumentOf('GBPUSD').id] }))).toEqual([
      'copyTermsSet',
    ])
    expect(account(copyId).copy).toMatchObject({
      multiplier: 2_000_000,
      exposureLimit: 30,
      excluded: [instrumentOf('GBPUSD').id],
    })
    expect(lotsOf({ state }, copyId)).toEqual(['0.10'])
    const [, copied] = eventsOf(buy('EURUSD', { lots: '1' }))
    // At the opening fee and the spread that the copy has paid, a little below two tenths.
    expect(copied).toMatchObject({ type: 'positionOpened', copied: { multiplier: 2_000_000 } })
    const [, skipped] = eventsOf(buy('GBPUSD', { lots: '1' }))
    expect(skipped).toMatchObject({
      type: 'copySkipped',
      reason: 'instrumentExcluded',
      multiplier: 2_000_000,
    })
    expect(effects(set({ excluded: [], exposureLimit: 1 }))).toEqual(['copyTermsSet'])
    expect(eventsOf(buy('GBPUSD', { lots: '1' })).at(-1)).toMatchObject({ reason: 'exposureLimit' })
  })

  test('changes nothing with a wrong choice', () => {
    const { copy, order, account } = published()
    const copyId = copy('5000')
    const wrong = [
      { multiplier: ratio(99_999) },
      { multiplier: ratio(10_000_001) },
      { exposureLimit: 0 },
      { exposureLimit: 31 },
      { exposureLimit: 1.5 },
      { excluded: [9_999] },
    ]
    for (const terms of wrong)
      expect(effects(order({ type: 'setCopyTerms', copyId, ...terms }))).toEqual(['refused copyTermsInvalid'])
    expect(effects(order({ type: 'setCopyTerms', copyId, exposureLimit: 5 }, 1))).toEqual([
      'refused copyNotFound',
    ])
    expect(account(copyId).copy).toMatchObject({ multiplier: 1_000_000, exposureLimit: 30, excluded: [] })
  })

  test('does not close the own account while copies run', () => {
    const { copy, order, send, now } = published()
    const copyId = copy('5000')
    const close = () => effects(send({ type: 'closeAccount', at: now(), accountId: 2, leftMax: usd('0') }))
    expect(close()).toEqual(['refused copiesRunning'])
    order({ type: 'stopCopy', copyId })
    expect(close()).toEqual(['accountClosed'])
  })
})

describe('the performance fee', () => {
  /** The strategy gains, and its copy of 1,000 is stopped. */
  const gain = (harness: CopyHarness, provider: number, owner: number) => {
    const copyId = harness.copy('1000', { ownerId: owner })
    harness.buy('EURUSD', { lots: '1', leverage: 30, accountId: provider })
    harness.tick('EURUSD', '1.39500', '1.39510')
    const events = eventsOf(harness.order({ type: 'stopCopy', copyId }, owner))
    const ended = events.at(-1)
    if (ended?.type !== 'copyEnded') throw new Error('the copy has not ended')
    return { copyId, ended }
  }

  test('of a real copy is paid to its provider', () => {
    const { provider, owner, ...harness } = real()
    const before = harness.balance(provider)
    const { ended } = gain(harness, provider, owner)
    const openingFee = usd('4.617')
    expect(ended.fee).toBeGreaterThan(0n)
    expect(harness.balance(provider)).toBe(before - openingFee + ended.fee)
    expect(harness.state.ledger.balances.get(brokerAccountOf('real', 'copying'))?.balance).toBe(0n)
  })

  test('of a demo copy is paid to the demo broker, also where the provider is real', () => {
    const { provider, ...harness } = real()
    const fees = () => harness.balanceOf(brokerAccountOf('demo', 'fees'))
    const before = fees()
    const { ended } = gain(harness, provider, 2)
    const openingFee = usd('0.4617')
    expect(ended.fee).toBeGreaterThan(0n)
    expect(fees()).toBe(before + openingFee + ended.fee)
  })

  test('makes up for an earlier loss with the same provider first', () => {
    const harness = published()
    const copyId = harness.copy('1000')
    harness.buy('EURUSD', { lots: '10', leverage: 30 })
    harness.tick('EURUSD', '1.37500', '1.37510')
    harness.order({ type: 'stopCopy', copyId })
    const loss = usd('100000') - harness.balance(2)
    const started = eventsOf(harness.start('1000'))[0]
    expect(started).toMatchObject({ type: 'copyStarted', carriedLoss: loss })
    expect(harness.account(harness.state.lastAccountId).copy.mark).toBe(usd('1000') + loss)
  })

  test('makes up for a loss of the last twelve months, however many copies have carried it on', () => {
    const { wait, tick, order, ...harness } = published()
    const stop = () => order({ type: 'stopCopy', copyId: harness.state.lastAccountId })
    const carried = () => {
      const [event] = eventsOf(harness.start('1000'))
      return event?.type === 'copyStarted' ? event.carriedLoss : null
    }
    harness.copy('1000')
    harness.buy('EURUSD', { lots: '10', leverage: 30 })
    tick('EURUSD', '1.37500', '1.37510')
    stop()
    const loss = usd('100000') - harness.balance(2)
    wait(200 * DAY_MS)
    tick('EURUSD', '1.37500', '1.37510')
    expect(carried()).toBe(loss)
    stop()
    wait(165 * DAY_MS - 1)
    tick('EURUSD', '1.37500', '1.37510')
    expect(carried()).toBe(loss)
    stop()
    wait(1)
    expect(carried()).toBe(0n)
  })
})

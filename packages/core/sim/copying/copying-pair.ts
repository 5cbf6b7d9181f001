/**
 * The core and the plain model of copying side by side: every command goes to both, and afterwards both are compared.
 * A refusal of the core leaves the plain model as it is; where the rules promise an outcome, another one is noted.
 */
import {
  isRejection,
  lots,
  money,
  price,
  ratio,
  violations,
  type Command,
  type CopyTerms,
  type EndDeposit,
  type EndWithdrawal,
  type Event,
  type LedgerKind,
  type Outcome,
  type Rejection,
  type SetAccountStatus,
} from '../../src/index.ts'
import { copyHarness, type CopyHarness } from '../../scenarios/copying.ts'
import { instrumentOf, INSTRUMENTS, TWO, usd } from '../../scenarios/market.ts'
import { PlainCopying, type PlainAccount, type PlainPosition, type Skip } from './plain-copying.ts'

export const CODES = ['EURUSD', 'USDJPY'] as const
/** What every account begins with. */
const STARTING = usd('100000')
const DAY_MS = 86_400_000
/** Positions of copies that one command of a provider closes. */
const CLOSED_AT_ONCE = 2_000
const REAL_COPYING = {
  minAmount: usd('100'),
  maxCopiesPerUser: 20,
  maxCopiesPerProvider: 2_000,
  providerMinEquity: usd('500'),
  isDemoOn: true,
  isRealOn: true,
  legalBasis: 'A law',
}

export type CopyingPair = {
  readonly harness: CopyHarness
  readonly model: PlainCopying
  /** How often each state was reached. */
  readonly counts: Map<string, number>
  /** Bids in ticks, by code. */
  readonly bids: Map<string, number>
  /** Ticks between bid and ask. */
  readonly spread: number
  /** What the core skipped since the last comparison. */
  readonly skips: Skip[]
  /** Refusals that the rules do not know, and acceptances that they forbid. */
  readonly wrong: string[]
}

type Options = Pick<NonNullable<Parameters<typeof copyHarness>[0]>, 'budget' | 'meanwhile' | 'isChecked'> & {
  readonly spread?: number
  /** The fee of an order, 1e-6 of its margin. */
  readonly feeRate?: number
  /** The largest order, 1e-4 lots. */
  readonly lotMax?: number
}

/** Two demo accounts with a price of each instrument. */
export function createPair(given: Options = {}): CopyingPair {
  const { spread = 10, feeRate = 1_000, lotMax = 1_000_000, ...options } = given
  const instruments = INSTRUMENTS.map((instrument) => ({
    ...instrument,
    feeRate: ratio(feeRate),
    lotMax: lots(lotMax),
  }))
  const harness = copyHarness({
    settings: {
      stopOutLevel: 50,
      freshnessMs: 400 * DAY_MS,
      demoBalance: STARTING,
      copying: REAL_COPYING,
    },
    instruments,
    ...options,
  })
  const model = new PlainCopying(instruments.filter(({ code }) => CODES.some((each) => each === code)))
  for (const _ of [1, 2]) model.open(null, STARTING)
  const pair: CopyingPair = {
    harness,
    model,
    counts: new Map(),
    bids: new Map(),
    spread,
    skips: [],
    wrong: [],
  }
  priceTo(pair, 'EURUSD', 138_500)
  priceTo(pair, 'USDJPY', 102_300)
  return pair
}

export const hit = ({ counts }: Pick<CopyingPair, 'counts'>, name: string): void =>
  void counts.set(name, (counts.get(name) ?? 0) + 1)

/** Events of a command, with what is worth counting; null for a refusal. */
function done(pair: CopyingPair, outcome: Outcome | Rejection): readonly Event[] | null {
  if (isRejection(outcome)) return null
  const { events } = outcome.entry
  for (const event of events) {
    if (event.type === 'copySkipped') {
      const { accountId: copyId, source, reason } = event
      hit(pair, `skipped: ${reason}`)
      pair.skips.push({ copyId, orderId: source.orderId, reason })
    }
    if (event.type === 'positionOpened' && event.copied?.reason === 'maximumLot')
      hit(pair, 'cut to the maximum')
    if (event.type === 'copyEnded') hit(pair, `ended: ${event.reason}`)
    if (event.type === 'copyEnded' && event.fee > 0n) hit(pair, 'fee')
    if (event.type === 'performanceFeeCharged' && event.fee > 0n) hit(pair, 'fee of a month')
    if (event.type === 'copyStarted' && event.carriedLoss > 0n) hit(pair, 'carried loss')
    if (event.type !== 'positionClosed') continue
    if (event.reason === 'stopOut') hit(pair, event.receipt.copied ? 'stop-out of a copy' : 'stop-out')
    if (event.reason === 'stopLoss' || event.reason === 'takeProfit') hit(pair, 'stop loss or take profit')
    if (event.transfers.some(({ kind }) => kind === 'protection')) hit(pair, 'protection')
  }
  return events
}

function send(pair: CopyingPair, command: object): readonly Event[] | null {
  const { harness } = pair
  return done(pair, harness.send({ at: harness.now(), ...command } as Command))
}

/** Sends a command whose outcome the rules decide: whether it is carried out. */
function sendFor(pair: CopyingPair, command: { readonly type: string }, isExpected: boolean) {
  const { harness, wrong } = pair
  const outcome = harness.send({ at: harness.now(), ...command } as Command)
  const code = isRejection(outcome) ? outcome.rejected : null
  if ((code === null) !== isExpected) wrong.push(`${command.type}: ${code ?? 'not refused'}`)
  return done(pair, outcome)
}

const textOf = (code: string, ticks: number): string =>
  (ticks / 10 ** instrumentOf(code).priceDecimals).toFixed(instrumentOf(code).priceDecimals)

/** A price in ticks. */
export function priceTo(pair: CopyingPair, code: string, bid: number): void {
  const { harness, model, bids, spread } = pair
  bids.set(code, bid)
  harness.wait(1)
  done(pair, harness.tick(code, textOf(code, bid), textOf(code, bid + spread)))
  model.tick(instrumentOf(code).id, { bid, ask: bid + spread })
}

/** A further account with the starting balance. */
export function openAccount(pair: CopyingPair, ledger: LedgerKind): PlainAccount {
  const { harness, model } = pair
  harness.openAccount(ledger)
  const account = model.open(null, ledger === 'demo' ? STARTING : 0n, ledger)
  if (ledger === 'real') deposit(pair, account, STARTING)
  return account
}

export function publish(pair: CopyingPair, account: PlainAccount, feeShare = 200_000): boolean {
  const { harness } = pair
  const isPublished = done(pair, harness.publish(feeShare, account.id)) !== null
  if (isPublished)
    account.strategy = {
      id: harness.state.lastStrategyId,
      feeShare: BigInt(feeShare),
      frozenAt: null,
      publishedAt: harness.now(),
    }
  return isPublished
}

/** Changes the fee of a strategy; not to the one it has, and not while its account is frozen. */
export function setFee(pair: CopyingPair, account: PlainAccount, feeShare: number): void {
  const { strategy, status } = account
  if (!strategy) return
  const isOther = strategy.feeShare !== BigInt(feeShare)
  const command = { type: 'setStrategyFee', accountId: account.id, feeShare: ratio(feeShare) }
  if (!sendFor(pair, command, isOther && status !== 'frozen')) return
  hit(pair, feeShare > strategy.feeShare ? 'fee raised' : 'fee lowered')
  strategy.feeShare = BigInt(feeShare)
}

type Wish = Pick<PlainPosition, 'side' | 'lots' | 'leverage'> &
  Partial<Pick<PlainPosition, 'takeProfit' | 'stopLoss'>>

export function placeOrder(pair: CopyingPair, account: PlainAccount, code: string, wish: Wish): boolean {
  const { model } = pair
  const { takeProfit = null, stopLoss = null } = wish
  const { id: instrumentId } = instrumentOf(code)
  const command = {
    type: 'placeOrder',
    accountId: account.id,
    instrumentId,
    ...wish,
    targetPrice: null,
    takeProfit: takeProfit === null ? null : price(takeProfit),
    stopLoss: stopLoss === null ? null : price(stopLoss),
    expiresAt: null,
  }
  const isForbidden = account.status !== 'active' || model.closedMarkets.has(instrumentId)
  const events = isForbidden ? sendFor(pair, command, false) : send(pair, command)
  const opened = events?.find((event) => event.type === 'positionOpened')
  if (!opened) return false
  hit(pair, 'open')
  model.openPosition(account, { id: opened.orderId, instrumentId, ...wish, takeProfit, stopLoss })
  return true
}

/** Closes a position, or lots of it; in every status of the account, while its market is open. */
export function closePosition(
  pair: CopyingPair,
  account: PlainAccount,
  position: PlainPosition,
  part?: number,
): boolean {
  const { model } = pair
  const command = { type: 'closePosition', accountId: account.id, orderId: position.id }
  const isOpen = !model.closedMarkets.has(position.instrumentId)
  const isCarriedOut = part === undefined ? isOpen : isOpen && part <= position.lots
  if (!sendFor(pair, { ...command, ...(part && { lots: lots(part) }) }, isCarriedOut)) return false
  hit(pair, part === undefined || part === position.lots ? 'close' : 'reduce')
  if (account.status !== 'active') hit(pair, `close while ${account.status}`)
  model.closePosition(account, position, part)
  return true
}

export function reversePosition(pair: CopyingPair, account: PlainAccount, position: PlainPosition): boolean {
  const { model } = pair
  const { instrumentId, leverage, lots: size } = position
  const side = position.side === 'buy' ? ('sell' as const) : ('buy' as const)
  const events = send(pair, { type: 'reversePosition', accountId: account.id, orderId: position.id })
  const opened = events?.find((event) => event.type === 'positionOpened')
  if (!opened) return false
  hit(pair, 'reverse')
  model.closePosition(account, position)
  const stops = { takeProfit: null, stopLoss: null }
  model.openPosition(account, { id: opened.orderId, instrumentId, side, leverage, lots: size, ...stops })
  return true
}

export function closeAll(pair: CopyingPair, account: PlainAccount): boolean {
  const { model } = pair
  if (!send(pair, { type: 'closeAll', accountId: account.id })) return false
  hit(pair, 'close all')
  const open = account.positions.filter(({ instrumentId }) => !model.closedMarkets.has(instrumentId))
  // With many copies, one command closes some only.
  const most = Math.max(1, Math.floor(CLOSED_AT_ONCE / Math.max(1, model.copiersOf(account.id).length)))
  // The provider's positions all close before the copies follow: what is closed does not change what follows.
  for (const position of open.toSorted((a, b) => a.id - b.id).slice(0, most))
    model.closePosition(account, position)
  return true
}

type Start = {
  readonly amount: bigint
  readonly isWithOpenOrders?: boolean
  readonly feeShown?: number | undefined
} & Partial<{
  readonly [Term in keyof CopyTerms]: number
}>

/** Starts a copy; null where that is refused. */
export function startCopy(
  pair: CopyingPair,
  owner: PlainAccount,
  provider: PlainAccount,
  {
    amount,
    isWithOpenOrders = false,
    feeShown,
    multiplier = 1_000_000,
    exposureLimit = 30,
    stopLoss = 5,
  }: Start,
): PlainAccount | null {
  const { harness, model } = pair
  const command = {
    type: 'startCopy',
    accountId: owner.id,
    strategyId: provider.strategy?.id ?? 0,
    amount,
    terms: { multiplier, exposureLimit, stopLoss },
    feeShown: feeShown === undefined ? undefined : ratio(feeShown),
    isWithOpenOrders,
  }
  const hasRisen = feeShown !== undefined && (provider.strategy?.feeShare ?? 0n) > BigInt(feeShown)
  if (hasRisen) hit(pair, 'start at a fee that has risen')
  const isStarted = hasRisen ? sendFor(pair, command, false) : send(pair, command)
  if (!isStarted) return null
  hit(pair, 'start')
  const account = model.start(owner.id, provider.id, {
    amount,
    at: harness.now(),
    multiplier: BigInt(multiplier),
    exposureLimit: BigInt(exposureLimit),
    stopLoss: BigInt(stopLoss),
  })
  if (isWithOpenOrders) {
    hit(pair, 'start with open orders')
    model.copyOpenOrders(account)
  }
  return account
}

type OwnersCommand = Readonly<{ type: string; [field: string]: unknown }>

/** Sends a command of a copy's owner; true where it was carried out, which then is counted under `name`. */
function fromOwner(pair: CopyingPair, account: PlainAccount, command: OwnersCommand, name: string): boolean {
  if (!send(pair, { ...command, accountId: account.ownerId, copyId: account.id })) return false
  hit(pair, name)
  return true
}

export function pauseCopy(pair: CopyingPair, account: PlainAccount): void {
  if (account.copy && fromOwner(pair, account, { type: 'pauseCopy' }, 'pause')) account.copy.status = 'paused'
}

export function resumeCopy(pair: CopyingPair, account: PlainAccount): void {
  if (account.copy && fromOwner(pair, account, { type: 'resumeCopy' }, 'resume'))
    account.copy.status = 'running'
}

export function addToCopy(pair: CopyingPair, account: PlainAccount, amount: bigint): void {
  const { copy } = account
  if (!copy || !fromOwner(pair, account, { type: 'addToCopy', amount }, 'add')) return
  pair.model.account(account.ownerId).balance -= amount
  account.balance += amount
  copy.base += amount
  copy.mark += amount
}

export function takeFromCopy(pair: CopyingPair, account: PlainAccount, amount: bigint): boolean {
  const isTaken = fromOwner(pair, account, { type: 'takeFromCopy', amount }, 'take')
  if (isTaken) pair.model.take(account, amount)
  return isTaken
}

export function setCopyStopLoss(pair: CopyingPair, account: PlainAccount, stopLoss: number): void {
  const command = { type: 'setCopyStopLoss', stopLoss }
  if (account.copy && fromOwner(pair, account, command, 'copy stop loss set'))
    account.copy.stopLoss = BigInt(stopLoss)
}

export function setCopyTerms(
  pair: CopyingPair,
  account: PlainAccount,
  { multiplier, excluded }: { readonly multiplier: number; readonly excluded: readonly number[] },
): void {
  const command = { type: 'setCopyTerms', multiplier: ratio(multiplier), excluded }
  if (account.copy && fromOwner(pair, account, command, 'terms set'))
    Object.assign(account.copy, { multiplier: BigInt(multiplier), excluded })
}

/** The owner closes a whole position of the copy. */
export function closeInCopy(pair: CopyingPair, account: PlainAccount, position: PlainPosition): void {
  const { harness, model } = pair
  const order = [...(harness.state.accounts.get(account.id)?.orders.values() ?? [])].find(
    ({ copied }) => copied?.orderId === position.copied?.orderId,
  )
  const command = { type: 'closePosition', accountId: account.id, orderId: order?.id ?? 0 }
  if (!sendFor(pair, command, !model.closedMarkets.has(position.instrumentId))) return
  hit(pair, 'owner closes')
  model.closePosition(account, position)
}

export function stopCopy(pair: CopyingPair, account: PlainAccount): boolean {
  const isStopped = fromOwner(pair, account, { type: 'stopCopy' }, 'stopped')
  const isFrozen = pair.model.account(account.ownerId).status === 'frozen'
  if (isFrozen && !isStopped && account.copy?.status !== 'ending')
    throw new Error('a frozen owner could not stop a copy')
  if (isFrozen && isStopped) hit(pair, 'stopped by a frozen owner')
  if (isStopped) pair.model.endCopy(account, 'owner')
  return isStopped
}

/** Two operators restrict an account, or end that. */
export function setStatus(pair: CopyingPair, account: PlainAccount, status: PlainAccount['status']): void {
  const { harness } = pair
  const command = { type: 'setAccountStatus', accountId: account.id, status, by: TWO } as const
  if (!done(pair, harness.operate<SetAccountStatus>(command))) return
  hit(pair, `${account.strategy ? 'provider' : 'owner'} ${status}`)
  noteFreeze(account, status, harness.now())
  account.status = status
}

/** A freeze after less than a week continues the one before it, but begins no earlier than the strategy. */
function noteFreeze(account: PlainAccount, status: PlainAccount['status'], at: number): void {
  const { freeze: last, strategy } = account
  if (status === 'frozen') {
    const isContinued = last && at - (last.endedAt ?? at) < 7 * DAY_MS
    account.freeze = { since: isContinued ? last.since : at, endedAt: null }
  } else if (last?.endedAt === null) last.endedAt = at
  if (strategy)
    strategy.frozenAt =
      status === 'frozen' && account.freeze ? Math.max(account.freeze.since, strategy.publishedAt) : null
}

/** Money of a real account, in from outside. */
export function deposit(pair: CopyingPair, account: PlainAccount, amount: bigint): void {
  const { harness } = pair
  send(pair, { type: 'openDeposit', accountId: account.id, amount })
  const ended = { caseId: harness.state.lastCaseId, outcome: 'finished', amount: money(amount) } as const
  if (!done(pair, harness.operate<EndDeposit>({ type: 'endDeposit', by: TWO, ...ended }))) return
  hit(pair, 'deposit')
  account.balance += amount
}

/** Money of a real account, out: it leaves with the request, and is paid or comes back. */
export function withdraw(
  pair: CopyingPair,
  account: PlainAccount,
  amount: bigint,
  outcome: EndWithdrawal['outcome'],
): void {
  const { harness, model } = pair
  const command = { type: 'requestWithdrawal', accountId: account.id, amount, fee: money(0n) }
  // Fresh prices are asked only once two operators are known, who are not in this simulation.
  if (!sendFor(pair, command, amount > 0n && amount <= model.free(account, false))) return
  const ended = { caseId: harness.state.lastCaseId, outcome } as const
  if (!done(pair, harness.operate<EndWithdrawal>({ type: 'endWithdrawal', by: TWO, ...ended })))
    throw new Error('a withdrawal has not ended')
  hit(pair, `withdrawal ${outcome}`)
  if (outcome === 'paid') account.balance -= amount
}

/** A market closes or opens. */
export function switchMarket(pair: CopyingPair, code: string): void {
  const { harness, model } = pair
  const { id } = instrumentOf(code)
  if (model.closedMarkets.delete(id)) return harness.openMarket(code)
  model.closedMarkets.add(id)
  harness.closeMarket(code)
  hit(pair, 'market closed')
  if (model.accounts.some(({ copy }) => copy?.status === 'ending')) hit(pair, 'ending waits')
}

/** Waits until a month's end and has its fees charged. */
export function reachMonthEnd(pair: CopyingPair, moment: number): void {
  waitUntil(pair, moment)
  hit(pair, 'month end')
  pair.model.bookMonthFees(moment)
}

/** When the strategy of a provider ends who stays frozen, epoch ms; never otherwise. */
export const freezeEndOf = ({ strategy }: PlainAccount): number =>
  strategy === null || strategy.frozenAt === null ? Infinity : strategy.frozenAt + 30 * DAY_MS

/** Waits until the strategy of a provider who is frozen ends. */
export function reachFreezeEnd(pair: CopyingPair, account: PlainAccount): void {
  waitUntil(pair, freezeEndOf(account))
  hit(pair, 'strategy of a frozen provider ended')
  pair.model.endStrategy(account)
}

function waitUntil(pair: CopyingPair, moment: number): void {
  const { harness } = pair
  harness.wait(Math.max(0, moment - harness.now()))
  done(pair, harness.clock())
}

export function endStrategy(pair: CopyingPair, account: PlainAccount): boolean {
  if (!send(pair, { type: 'endStrategy', accountId: account.id })) return false
  hit(pair, 'strategy ended')
  done(pair, pair.harness.clock())
  pair.model.endStrategy(account)
  return true
}

/** The first difference between both, in any account: money, positions, and what a copy goes by. Null for none. */
export function comparePair({ harness, model, skips, wrong }: CopyingPair): string | null {
  if (wrong.length > 0) return wrong.join()
  const [skipped, toSkip] = [skips.splice(0), model.skips.splice(0)].map((list) =>
    list.map(({ copyId, orderId, reason }) => `${copyId} ${orderId} ${reason}`).toSorted(),
  )
  const [extra, missing] = [difference(skipped, toSkip), difference(toSkip, skipped)]
  if (extra || missing) return `skipped: ${extra || 'nothing'} instead of ${missing || 'nothing'}`
  const { accounts } = harness.state
  if (accounts.size !== model.accounts.length)
    return `${accounts.size} accounts instead of ${model.accounts.length}`
  for (const expected of model.accounts) {
    const account = accounts.get(expected.id)
    const got = account && [
      account.status,
      account.available.balance,
      account.copy && copyFields(account.copy, account.copy.feeChargedAt),
      ...[...account.orders.values()]
        .map((order) => positionFields({ ...order, open: order.openPrice ?? 0 }, order.copied?.orderId))
        .toSorted(),
    ]
    const wanted = [
      expected.isClosed ? 'closed' : expected.status,
      expected.balance,
      expected.copy && copyFields(expected.copy, expected.copy.chargedAt),
      ...expected.positions.map((each) => positionFields(each, each.copied?.orderId)).toSorted(),
    ]
    if (String(got) !== String(wanted))
      return `account ${expected.id}\n  expected ${String(wanted)}\n  got      ${String(got)}`
  }
  return violations(harness.core).join() || null
}

/** The first few of a list that another lacks. */
const difference = (list: readonly string[] = [], other: readonly string[] = []): string => {
  const known = new Set(other)
  return list
    .filter((each) => !known.has(each))
    .slice(0, 5)
    .join()
}

type CopyFields = Record<'status' | 'base' | 'mark' | 'stopLoss', unknown>

const copyFields = ({ status, base, mark, stopLoss }: CopyFields, chargedAt: number): string =>
  [status, base, mark, stopLoss, chargedAt].join(' ')

type PositionFields = Record<'instrumentId' | 'side' | 'lots' | 'margin' | 'open' | 'leverage', unknown>

const positionFields = (position: PositionFields, copied = 0): string => {
  const { instrumentId, side, lots: size, margin, open, leverage } = position
  return [copied, instrumentId, side, size, margin, open, leverage].join(' ')
}

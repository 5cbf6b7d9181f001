/**
 * Copying (trading-rules §12) written a second time, as plainly as possible and independently of the core: one list of
 * accounts with their positions, everything recomputed whenever it is needed. Market orders, two instruments, swap rates
 * of zero. Amounts are 1e-6, lots 1e-4, prices ticks.
 */
import { referenceMargin, rounded, times, plus, type Quotient } from '../reference/money.ts'
import type { PlainInstrument } from '../plain-types.ts'

export type PlainPosition = {
  readonly id: number
  readonly instrumentId: number
  readonly side: 'buy' | 'sell'
  readonly leverage: number
  readonly open: number
  lots: number
  margin: bigint
  takeProfit: number | null
  stopLoss: number | null
  /** Of a copy: the provider's order, and the lots of both when it opened. */
  readonly copied: { readonly orderId: number; readonly providerLots: number; readonly lots: number } | null
}

export type PlainCopy = {
  readonly strategyId: number
  readonly providerId: number
  multiplier: bigint
  /** Instruments that are left out. */
  excluded: readonly number[]
  readonly exposureLimit: bigint
  readonly feeShare: bigint
  readonly startedAt: number
  stopLoss: bigint
  status: 'running' | 'paused' | 'ending'
  reason: string
  base: bigint
  mark: bigint
  chargedAt: number
}

export type PlainAccount = {
  readonly id: number
  readonly ownerId: number
  readonly ledger: 'demo' | 'real'
  status: 'active' | 'closeOnly' | 'frozen'
  balance: bigint
  positions: PlainPosition[]
  /** `frozenAt`: since when its provider is frozen. */
  strategy: {
    readonly id: number
    feeShare: bigint
    readonly publishedAt: number
    frozenAt: number | null
  } | null
  /** Freezes that count together: when the first began and the last ended; null for none. */
  freeze: { readonly since: number; endedAt: number | null } | null
  copy: PlainCopy | null
  isClosed: boolean
}

export type Price = { readonly bid: number; readonly ask: number }
export type Skip = { readonly copyId: number; readonly orderId: number; readonly reason: string }

export class PlainCopying {
  readonly accounts: PlainAccount[] = []
  readonly prices = new Map<number, Price>()
  readonly closedMarkets = new Set<number>()
  readonly losses = new Map<string, bigint>()
  /** What was skipped since it was last emptied. */
  skips: Skip[] = []
  /** Accounts that closed something on this tick. */
  #changed = new Set<PlainAccount>()
  readonly #instruments: ReadonlyMap<number, PlainInstrument>

  constructor(instruments: readonly PlainInstrument[]) {
    this.#instruments = new Map(instruments.map((instrument) => [instrument.id, instrument]))
  }

  account(id: number): PlainAccount {
    const found = this.accounts[id - 1]
    if (!found) throw new Error(`no account ${id}`)
    return found
  }

  open(ownerId: number | null, balance: bigint, ledger: PlainAccount['ledger'] = 'demo'): PlainAccount {
    const id = this.accounts.length + 1
    const account: PlainAccount = {
      id,
      ownerId: ownerId ?? id,
      ledger,
      status: 'active',
      balance,
      positions: [],
      strategy: null,
      freeze: null,
      copy: null,
      isClosed: false,
    }
    this.accounts.push(account)
    return account
  }

  #instrument(id: number): PlainInstrument {
    const found = this.#instruments.get(id)
    if (!found) throw new Error(`no instrument ${id}`)
    return found
  }

  #price(id: number): Price {
    const found = this.prices.get(id)
    if (!found) throw new Error(`no price of ${id}`)
    return found
  }

  /** From the quote currency to dollars: a pair of another currency is its own conversion. */
  #rate(id: number): Quotient {
    const { quoteCurrency, priceDecimals } = this.#instrument(id)
    if (quoteCurrency === 'USD') return { numerator: 1n, denominator: 1n }
    const { bid, ask } = this.#price(id)
    return { numerator: 2n * 10n ** BigInt(priceDecimals), denominator: BigInt(bid + ask) }
  }

  #closing(position: PlainPosition): number {
    const { bid, ask } = this.#price(position.instrumentId)
    return position.side === 'buy' ? bid : ask
  }

  #exactProfit(position: PlainPosition, lots = position.lots): Quotient {
    const { contractSize, priceDecimals } = this.#instrument(position.instrumentId)
    const move = BigInt(position.side === 'buy' ? 1 : -1) * BigInt(this.#closing(position) - position.open)
    const value = {
      numerator: move * BigInt(lots) * BigInt(contractSize) * 1_000_000n,
      denominator: 10_000n * 10n ** BigInt(priceDecimals),
    }
    return times(value, this.#rate(position.instrumentId))
  }

  equity({ balance, positions }: PlainAccount): bigint {
    let equity = balance
    for (const id of new Set(positions.map(({ instrumentId }) => instrumentId))) {
      const profits = positions.filter(({ instrumentId }) => instrumentId === id)
      equity += rounded(profits.map((each) => this.#exactProfit(each)).reduce(plus))
    }
    return equity
  }

  margin = ({ positions }: PlainAccount): bigint => positions.reduce((sum, { margin }) => sum + margin, 0n)

  /** What may leave; where a market is closed its positions count as having lost their margin. */
  free(account: PlainAccount, isFresh = true): bigint {
    let free = this.equity(account) - this.margin(account)
    for (const id of isFresh ? this.closedMarkets : []) {
      const held = account.positions.filter(({ instrumentId }) => instrumentId === id)
      if (held.length === 0) continue
      const profit = rounded(held.map((each) => this.#exactProfit(each)).reduce(plus))
      const lost = -held.reduce((sum, { margin }) => sum + margin, 0n)
      if (profit > lost) free += lost - profit
    }
    const most = free < account.balance ? free : account.balance
    return most > 0n ? most : 0n
  }

  cost(instrumentId: number, size: { lots: number; leverage: number; price: number }) {
    const instrument = this.#instrument(instrumentId)
    const margin = referenceMargin(instrument, size, this.#rate(instrumentId))
    const fee = rounded({ numerator: margin * BigInt(instrument.feeRate), denominator: 1_000_000n })
    return { margin, fee }
  }

  opening(instrumentId: number, side: 'buy' | 'sell'): number {
    const { bid, ask } = this.#price(instrumentId)
    return side === 'buy' ? ask : bid
  }

  /** What an account's positions and one more are worth at the mids of now: lots x units x mid x rate, each rounded. */
  #notional(positions: readonly { readonly instrumentId: number; readonly lots: number }[]): bigint {
    let total = 0n
    for (const { instrumentId, lots } of positions) {
      const { contractSize, priceDecimals } = this.#instrument(instrumentId)
      const { bid, ask } = this.#price(instrumentId)
      const value = {
        numerator: BigInt(lots) * BigInt(contractSize) * BigInt(bid + ask) * 1_000_000n,
        denominator: 2n * 10_000n * 10n ** BigInt(priceDecimals),
      }
      total += rounded(times(value, this.#rate(instrumentId)))
    }
    return total
  }

  /** The provider's fill; its copies follow. */
  openPosition(account: PlainAccount, given: Omit<PlainPosition, 'open' | 'margin' | 'copied'>): void {
    const providerEquity = this.equity(account)
    const position = this.#fill(account, { ...given, copied: null })
    if (!account.strategy) return
    for (const copy of this.copiersOf(account.id))
      if (copy.copy?.strategyId === account.strategy.id && copy.copy.status !== 'ending')
        this.#copyOpening(copy, position, providerEquity)
  }

  #fill(account: PlainAccount, given: Omit<PlainPosition, 'open' | 'margin'>): PlainPosition {
    const open = this.opening(given.instrumentId, given.side)
    const { margin, fee } = this.cost(given.instrumentId, { ...given, price: open })
    const position = { ...given, open, margin }
    account.balance -= fee
    account.positions.push(position)
    return position
  }

  copiersOf = (providerId: number): PlainAccount[] =>
    this.accounts.filter(({ copy }) => copy?.providerId === providerId)

  /** `sizedOn` is the copy's equity that counts for the size, where it is not that of now. */
  #copyOpening(account: PlainAccount, order: PlainPosition, providerEquity: bigint, sizedOn?: bigint): void {
    const { copy } = account
    if (!copy) return
    const skip = (reason: string) => void this.skips.push({ copyId: account.id, orderId: order.id, reason })
    if (this.account(account.ownerId).status !== 'active') return skip('accountRestricted')
    if (copy.status === 'paused') return skip('copyPaused')
    if (copy.excluded.includes(order.instrumentId)) return skip('instrumentExcluded')
    if (this.closedMarkets.has(order.instrumentId)) return skip('noPrice')
    if (providerEquity < 500_000_000n) return skip('providerEquity')
    const { lotStep, lotMin, lotMax } = this.#instrument(order.instrumentId)
    const equity = this.equity(account)
    const wish = copy.multiplier * BigInt(order.lots) * (sizedOn ?? equity)
    const step = 1_000_000n * providerEquity * BigInt(lotStep)
    let steps = 0n
    // One step more as long as less than a millionth of the wish is missing.
    if (equity > 0n) steps = wish / step
    if (equity > 0n && (steps + 1n) * step * 1_000_000n < wish * 1_000_001n) steps += 1n
    const lots = Math.min(Number(steps) * lotStep, lotMax)
    if (lots < lotMin) return skip('belowMinimumLot')
    const price = this.opening(order.instrumentId, order.side)
    const { margin, fee } = this.cost(order.instrumentId, { lots, leverage: order.leverage, price })
    const exposure = this.#notional([...account.positions, { instrumentId: order.instrumentId, lots }])
    if (exposure > equity * copy.exposureLimit) return skip('exposureLimit')
    if (margin + fee > equity - this.margin(account)) return skip('notEnoughMargin')
    this.#fill(account, {
      ...order,
      id: -1,
      lots,
      takeProfit: null,
      stopLoss: null,
      copied: { orderId: order.id, providerLots: order.lots, lots },
    })
  }

  /** Closes lots of a position at its closing price; without others a balance below zero is lifted to zero. */
  #close(account: PlainAccount, position: PlainPosition, lots = position.lots): void {
    const margin = rounded({
      numerator: position.margin * BigInt(lots),
      denominator: BigInt(position.lots),
    })
    account.balance += rounded(this.#exactProfit(position, lots))
    this.#changed.add(account)
    position.lots -= lots
    position.margin -= margin
    if (position.lots === 0) account.positions = account.positions.filter((each) => each !== position)
    if (account.positions.length === 0 && account.balance < 0n) account.balance = 0n
  }

  /** A provider, or an owner in a copy, closes a position or a part; copies of it follow. */
  closePosition(account: PlainAccount, position: PlainPosition, lots = position.lots): void {
    this.#close(account, position, lots)
    for (const copy of this.copiersOf(account.id)) {
      const copied = copy.positions.find((each) => each.copied?.orderId === position.id)
      if (!copied?.copied) {
        if (copy.copy?.strategyId === account.strategy?.id && copy.copy?.status !== 'ending')
          this.skips.push({ copyId: copy.id, orderId: position.id, reason: 'notHeld' })
        continue
      }
      const { lotStep, lotMin } = this.#instrument(position.instrumentId)
      // The nearest step to opening lots x rest / provider's opening lots; a half goes down.
      let left = 0
      const exact = (steps: number) =>
        2n * BigInt(copied.copied?.lots ?? 0) * BigInt(position.lots) -
        BigInt(copied.copied?.providerLots ?? 1) * BigInt(lotStep) * BigInt(2 * steps + 1)
      while (exact(left / lotStep) > 0n) left += lotStep
      if (left < lotMin) left = 0
      if (left < copied.lots) this.#close(copy, copied, copied.lots - left)
      else this.skips.push({ copyId: copy.id, orderId: position.id, reason: 'belowStep' })
      if (copy.positions.length === 0) this.#checkStopLoss(copy)
    }
  }

  #isTradable = ({ instrumentId }: PlainPosition): boolean => !this.closedMarkets.has(instrumentId)

  endCopy(account: PlainAccount, reason: string): void {
    const { copy } = account
    if (!copy) return
    if (copy.status !== 'ending') Object.assign(copy, { status: 'ending', reason })
    for (const position of account.positions.filter(this.#isTradable)) this.#close(account, position)
    if (account.positions.length > 0) return
    const above = account.balance > copy.mark ? account.balance - copy.mark : 0n
    const fee = rounded({ numerator: above * copy.feeShare, denominator: 1_000_000n })
    if (copy.mark > account.balance)
      this.losses.set(`${account.ownerId} ${copy.providerId}`, copy.mark - account.balance)
    this.account(account.ownerId).balance += account.balance - fee
    this.#receive(account, copy, fee)
    Object.assign(account, { balance: 0n, copy: null, isClosed: true })
  }

  /** A fee of real money is the provider's; one of demo money goes to the broker. */
  #receive({ ledger }: PlainAccount, { providerId }: PlainCopy, fee: bigint): void {
    if (ledger === 'real') this.account(providerId).balance += fee
  }

  /** A strategy ends, and with it every copy of it; so does every other that ends and has nothing open any more. */
  endStrategy(account: PlainAccount): void {
    account.strategy = null
    for (const each of this.accounts) {
      const isEmpty = each.copy?.status === 'ending' && each.positions.length === 0
      if (isEmpty || each.copy?.providerId === account.id) this.endCopy(each, 'strategyEnded')
    }
  }

  #checkStopLoss(account: PlainAccount): void {
    const { copy } = account
    if (!copy || copy.status === 'ending') return
    if (this.equity(account) * 100n <= copy.base * copy.stopLoss) this.endCopy(account, 'stopLoss')
  }

  /** Stops by order, copies that wait for this price, then stop-outs and copy stop losses by account. */
  tick(instrumentId: number, price: Price): void {
    this.prices.set(instrumentId, price)
    if (this.closedMarkets.has(instrumentId)) return
    this.#changed = new Set()
    const reached = this.accounts
      .flatMap((account) => account.positions.map((position) => ({ account, position })))
      .filter(({ position }) => position.instrumentId === instrumentId && this.#isStopReached(position))
      .toSorted((a, b) => a.position.id - b.position.id)
    for (const { account, position } of reached) this.closePosition(account, position)
    const concerned = new Set(this.#changed)
    for (const account of this.accounts)
      if (
        account.copy?.status === 'ending' &&
        account.positions.some((each) => each.instrumentId === instrumentId)
      )
        this.endCopy(account, account.copy.reason)
    for (const account of this.accounts)
      if (account.positions.some((each) => each.instrumentId === instrumentId)) concerned.add(account)
    for (const account of [...concerned].toSorted((a, b) => a.id - b.id)) {
      this.#stopOut(account)
      this.#checkStopLoss(account)
    }
  }

  #isStopReached(position: PlainPosition): boolean {
    const { side, takeProfit, stopLoss } = position
    const sign = side === 'buy' ? 1 : -1
    const closing = this.#closing(position)
    return (
      (takeProfit !== null && sign * (closing - takeProfit) >= 0) ||
      (stopLoss !== null && sign * (closing - stopLoss) <= 0)
    )
  }

  #stopOut(account: PlainAccount): void {
    const isBelow = () => {
      const margin = this.margin(account)
      return margin > 0n && this.equity(account) * 100n <= 50n * margin
    }
    if (!isBelow()) return
    const byLoss = account.positions
      .filter(this.#isTradable)
      .map((position) => ({ position, profit: rounded(this.#exactProfit(position)) }))
      .toSorted((a, b) => (a.profit < b.profit ? -1 : a.profit > b.profit ? 1 : 0))
    for (const { position } of byLoss) if (isBelow()) this.closePosition(account, position)
  }

  start(
    ownerId: number,
    providerId: number,
    {
      amount,
      at,
      ...terms
    }: Pick<PlainCopy, 'multiplier' | 'exposureLimit' | 'stopLoss'> & {
      amount: bigint
      at: number
    },
  ): PlainAccount {
    const { strategy } = this.account(providerId)
    if (!strategy) throw new Error('nothing is published')
    const key = `${ownerId} ${providerId}`
    const loss = this.losses.get(key) ?? 0n
    this.losses.delete(key)
    this.account(ownerId).balance -= amount
    const account = this.open(ownerId, amount, this.account(ownerId).ledger)
    account.copy = {
      ...terms,
      excluded: [],
      strategyId: strategy.id,
      feeShare: strategy.feeShare,
      providerId,
      startedAt: at,
      status: 'running',
      reason: '',
      base: amount,
      mark: amount + loss,
      chargedAt: 0,
    }
    return account
  }

  copyOpenOrders(account: PlainAccount): void {
    const provider = this.account(account.copy?.providerId ?? 0)
    const equity = this.equity(provider)
    const sizedOn = this.equity(account)
    for (const order of provider.positions) this.#copyOpening(account, order, equity, sizedOn)
  }

  /** Money out of a copy, less its part of the fee. */
  take(account: PlainAccount, amount: bigint): void {
    const { copy } = account
    if (!copy) return
    const equity = this.equity(account)
    const basis = account.balance < equity ? account.balance : equity
    const above = basis > copy.mark ? basis - copy.mark : 0n
    const fee = rounded({ numerator: above * copy.feeShare * amount, denominator: 1_000_000n * basis })
    account.balance -= amount
    this.account(account.ownerId).balance += amount - fee
    this.#receive(account, copy, fee)
    copy.base = rounded({ numerator: copy.base * (equity - amount), denominator: equity })
    copy.mark =
      basis < copy.mark
        ? copy.mark - amount
        : rounded({ numerator: copy.mark * (basis - amount), denominator: basis })
  }

  /** The fee of a month's end, for every copy that started before it. */
  bookMonthFees(moment: number): void {
    for (const account of this.accounts) {
      const { copy } = account
      if (!copy || copy.startedAt >= moment || copy.chargedAt >= moment) continue
      copy.chargedAt = moment
      const equity = this.equity(account)
      const basis = account.balance < equity ? account.balance : equity
      const above = basis > copy.mark ? basis - copy.mark : 0n
      const fee = rounded({ numerator: above * copy.feeShare, denominator: 1_000_000n })
      if (fee <= this.free(account, false)) {
        account.balance -= fee
        this.#receive(account, copy, fee)
        if (basis - fee > copy.mark) copy.mark = basis - fee
      }
      // Its market may have opened since; the simulation's prices do not become stale.
      if (copy.status === 'ending') this.endCopy(account, copy.reason)
    }
  }
}

/** Random actions of the desk. Each is named by its reason or its request id. */
import { lots, money, ratio, type Operator, type State, type TermsChange } from '@fairlot/core'
import type { EngineCommand } from '../apps/server/src/engine/engine.ts'
import type { Random } from '../testing/random.ts'
import { WATCHED_CODE } from './watched-orders.ts'

/** A command under a unique name. */
export type Action = (name: string) => EngineCommand

const ACCOUNTS = 4
const UNIT = 1_000_000n
const MOST_UNITS = 20_000
/** Announced terms take effect at most this much later, ms. */
const SOON_MS = 400
const STATUSES = ['active', 'active', 'closeOnly', 'frozen'] as const
const OUTCOMES = ['finished', 'finished', 'rejected', 'invalid'] as const

/** Two operators, so that they may do everything. */
const operator = (reason: string): Operator => ({
  type: 'operator',
  id: 7,
  role: 'finance',
  reason,
  second: { id: 8, role: 'administrator' },
})

export function chooseAction(state: State, random: Random): Action {
  const real = [...state.accounts.values()].filter(({ ledger }) => ledger === 'real')
  if (real.length < ACCOUNTS) return () => ({ type: 'openAccount', ledger: 'real' })
  const accountId = real[random.int(0, real.length - 1)]?.id ?? 0
  switch (random.int(1, 9)) {
    case 1:
    case 2:
      return termsAction(state, random)
    case 3: {
      const status = random.pick(STATUSES)
      return (name) => ({ type: 'setAccountStatus', accountId, status, by: operator(name) })
    }
    case 4: {
      const amount = money(BigInt(random.int(-MOST_UNITS / 4, MOST_UNITS)) * UNIT)
      return (name) => ({ type: 'askAdjustment', accountId, amount, by: { ...operator(name), second: null } })
    }
    case 5: {
      // Watched orders must be closed by their stop.
      const watchedId = [...state.instruments.values()].find(({ code }) => code === WATCHED_CODE)?.id
      const others = [...state.orders.values()].filter(({ instrumentId }) => instrumentId !== watchedId)
      const order = random.pick([null, ...others])
      const of = { accountId: order?.accountId ?? accountId, orderId: order?.id ?? 0 }
      return (name) => ({ type: 'closeByOperator', ...of, by: operator(name) })
    }
    case 6:
    case 7:
      return userAction(state, random, accountId)
    default:
      return endAction(state, random)
  }
}

/** Actions that withdraw all announced terms. */
export const withdrawAll = (state: State): Action[] =>
  [...state.announced.keys()].map((changeId) => (name) => ({
    type: 'withdrawTerms',
    changeId,
    by: operator(name),
  }))

function termsAction(state: State, random: Random): Action {
  const [announced] = state.announced.keys()
  if (announced !== undefined && random.oneIn(3))
    return (name) => ({ type: 'withdrawTerms', changeId: announced, by: operator(name) })
  const change = chooseChange(state, random)
  const effectiveAt = random.oneIn(2) ? marketTime(state) + SOON_MS : null
  return (name) => ({ type: 'setTerms', change, effectiveAt, by: operator(name) })
}

/** The market clock according to the last price, epoch ms. */
const marketTime = ({ quotes }: State): number =>
  Math.max(...[...quotes.values()].map(({ receivedAt }) => receivedAt))

function chooseChange(state: State, random: Random): TermsChange {
  const of = (code: string) => [...state.instruments.values()].find((each) => each.code === code)
  const instrument = random.oneIn(2) ? of('EURUSD') : of('USDCHF')
  if (!instrument || random.oneIn(4))
    return { kind: 'settings', settings: { ...state.settings, warningLevel: random.int(80, 120) } }
  const swapRate = { buy: ratio(-random.int(0, 5_000_000)), sell: ratio(random.int(0, 2_000_000)) }
  // Disabling cancels pending orders; the instrument is enabled again soon.
  const isEnabled = instrument.code === 'EURUSD' || random.int(1, 3) > 1
  const feeRate = ratio(random.int(0, 2_000))
  return { kind: 'instrument', instrument: { ...instrument, feeRate, swapRate, isEnabled }, listing: null }
}

function userAction(state: State, random: Random, accountId: number): Action {
  const requested = (name: string) => ({
    accountId,
    request: { accountId, call: 'desk', id: name, digest: '' },
  })
  const amount = money(BigInt(random.int(1, MOST_UNITS)) * UNIT)
  const mine = [...state.cases.values()].find(
    (each) => each.accountId === accountId && each.kind === 'withdrawal',
  )
  const [order] = state.accounts.get(accountId)?.orders.keys() ?? []
  switch (random.int(1, 5)) {
    case 1:
      return (name) => ({ type: 'openDeposit', ...requested(name), amount })
    case 2:
      return (name) => ({ type: 'requestWithdrawal', ...requested(name), amount, fee: money(UNIT / 2n) })
    case 3:
      return (name) => ({ type: 'cancelWithdrawal', ...requested(name), caseId: mine?.id ?? 0 })
    case 4:
      return (name) => ({ type: 'closePosition', ...requested(name), orderId: order ?? 0 })
    default: {
      const instrumentId = [...state.instruments.values()].find(({ code }) => code === 'EURUSD')?.id ?? 0
      const ticket = { instrumentId, side: 'buy', lots: lots(100), leverage: 30 } as const
      const rest = { targetPrice: null, takeProfit: null, stopLoss: null, expiresAt: null }
      return (name) => ({ type: 'placeOrder', ...requested(name), ...ticket, ...rest })
    }
  }
}

/** Decides an open case, or one that does not exist. */
function endAction(state: State, random: Random): Action {
  const open = [...state.cases.values()]
  const ending = open[random.int(0, Math.max(0, open.length - 1))]
  const caseId = ending?.id ?? 1
  switch (ending?.kind) {
    case 'withdrawal': {
      const outcome = random.oneIn(2) ? 'paid' : 'rejected'
      return (name) => ({ type: 'endWithdrawal', caseId, outcome, by: operator(name) })
    }
    case 'adjustment': {
      const outcome = random.oneIn(3) ? 'refused' : 'approved'
      return (name) => ({
        type: 'endAdjustment',
        caseId,
        outcome,
        by: { ...operator(name), id: 8, second: { id: 7, role: 'finance' } },
      })
    }
    default: {
      const outcome = random.pick(OUTCOMES)
      const amount = ending?.amount ?? money(UNIT)
      return (name) => ({ type: 'endDeposit', caseId, outcome, amount, by: operator(name) })
    }
  }
}

/** A provider and copies of its strategy, for tests. */
import assert from 'node:assert/strict'
import {
  isRejection,
  ratio,
  type Account,
  type Copy,
  type CopyCommand,
  type Event,
  type LedgerAccountId,
  type Outcome,
  type Rejection,
  type StartCopy,
} from '../src/index.ts'
import { createHarness, type Harness } from './harness.ts'
import { usd } from './market.ts'

/** What a copy of a test chooses, where it does not say: as large as the provider's proportion. */
const TERMS = { multiplier: ratio(1_000_000), exposureLimit: 30, stopLoss: 5 }

type Choice = Partial<Pick<StartCopy, 'isWithOpenOrders' | 'terms'>> & { readonly ownerId?: number }

export type CopyAccount = Account & { readonly copy: Copy }

type WithoutAccount<C> = C extends CopyCommand ? Omit<C, 'at' | 'accountId'> : never
type OwnersCommand = WithoutAccount<CopyCommand>

/** Accounts 1 and 2 are demo accounts of 100,000: account 1 publishes, account 2 copies. */
export function copyHarness(options: Parameters<typeof createHarness>[0] = {}) {
  const harness = createHarness(options)
  const { send, now, state } = harness
  harness.openAccount()
  harness.openAccount()
  const publish = (feeShare = 0, accountId = 1) =>
    send({ type: 'publishStrategy', at: now(), accountId, feeShare: ratio(feeShare) })
  const start = (
    amount: string,
    { ownerId = 2, ...choice }: Choice = {},
    strategyId = state.lastStrategyId,
  ) =>
    send({
      type: 'startCopy',
      at: now(),
      accountId: ownerId,
      strategyId,
      amount: usd(amount),
      terms: TERMS,
      isWithOpenOrders: false,
      ...choice,
    })
  return {
    ...harness,
    publish,
    start,
    /** Starts a copy that has to succeed; its account id. */
    copy: (amount: string, choice: Choice = {}): number => {
      const [event] = eventsOf(start(amount, choice))
      assert.equal(event?.type, 'copyStarted')
      return event.accountId
    },
    /** A command of its owner, account 2 unless another is named. */
    order: (command: OwnersCommand, accountId = 2) => send({ ...command, at: now(), accountId }),
    /** A copy's account. */
    account: (id: number): CopyAccount => {
      const account = state.accounts.get(id)
      assert.ok(account?.copy)
      return account as CopyAccount
    },
    balance: (id: number): bigint => state.accounts.get(id)?.available.balance ?? 0n,
    /** Of an account of the ledger. */
    balanceOf: (id: LedgerAccountId): bigint => state.ledger.balances.get(id)?.balance ?? 0n,
  }
}

export type CopyHarness = ReturnType<typeof copyHarness>

/** The events of a command that had to take effect. */
export function eventsOf(outcome: Outcome | Rejection): readonly Event[] {
  assert.ok(!isRejection(outcome), `refused: ${'rejected' in outcome ? outcome.rejected : ''}`)
  return outcome.entry.events
}

/** The lots of an account's positions, by order: "0.05". */
export const lotsOf = ({ state }: Pick<Harness, 'state'>, accountId: number): string[] =>
  [...(state.accounts.get(accountId)?.orders.values() ?? [])].map(({ lots }) => (lots / 10_000).toFixed(2))

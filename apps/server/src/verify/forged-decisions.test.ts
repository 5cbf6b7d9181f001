import { TWO_OPERATORS, type TwoOperatorRuleName } from '@fairlot/contract/desk'
import {
  DEPLOYMENT,
  money,
  price,
  RULES,
  type Command,
  type Entry,
  type Event,
  type Operator,
  type OperatorRole,
} from '@fairlot/core'
import { expect, it } from 'vitest'
import { accountIdOf, entryOf, EURUSD, marketOrder, orderIdOf } from '../../../../testing/test-world.ts'
import type { Database } from '../platform/database/open.ts'
import { onEveryDatabase } from '../testing/on-every-database.ts'
import { createHarness } from '../testing/engine-harness.ts'
import { differenceWith, forgeEntry, RULES_OF_TABLES, type EntryEdit, type RuleOfTables } from './test-kit.ts'

/** Each forgery is verified separately. */
const TIMEOUT_MS = 300_000
const HOUR_MS = 3_600_000

onEveryDatabase('verify of decisions that need two operators', (databases) => {
  it('finds each that was forged as one of one operator', { timeout: TIMEOUT_MS }, async () => {
    const database = await databases.open()
    await simulateOperators(database)
    expect(await differenceWith(database, () => Promise.resolve())).toBeNull()
    const missed: string[] = []
    for (const [name, [edit, pattern]] of Object.entries(FORGERIES)) {
      const difference = await differenceWith(database, (queries) => forgeEntry(queries, edit)).catch(String)
      if (!pattern.test(difference ?? '')) missed.push(`${name}: ${difference}`)
    }
    expect(missed).toEqual([])
  })
})

it('has a forgery by one operator for each rule of two operators', () => {
  expect([...Object.keys(BY_ONE), ...RULES_OF_TABLES].toSorted()).toEqual(
    Object.keys(TWO_OPERATORS).toSorted(),
  )
  expect(Object.values(BY_ONE).filter((name) => !Object.hasOwn(FORGERIES, name))).toEqual([])
})

const STAFF: Readonly<Record<number, OperatorRole>> = {
  1: 'administrator',
  2: 'compliance',
  3: 'finance',
  4: 'finance',
  5: 'dealing',
  6: 'finance',
}
const named = (id: number) => ({ id, role: STAFF[id] ?? 'support' })
const by = (id: number, second: number | null = null): Operator => ({
  type: 'operator',
  ...named(id),
  reason: 'a test',
  second: second === null ? null : named(second),
})

const usd = (whole: number) => money(BigInt(whole) * 1_000_000n)
const BOUND = { methodId: 1, destination: 7, digest: 'd'.repeat(64) }

type Untimed<C> = C extends unknown ? Omit<C, 'at'> : never

/** Every decision that needs two operators, and the changes of operators that void decisions. */
async function simulateOperators(database: Database): Promise<void> {
  const harness = await createHarness(database)
  const { engine, clock } = harness
  const act = async (command: Untimed<Command>): Promise<Entry> => {
    clock.at += 1
    return entryOf(await engine.execute(command as Parameters<typeof engine.execute>[0]))
  }
  const caseOf = async (command: Untimed<Command>): Promise<number> => {
    const opened = (await act(command)).events.find((event) => 'caseId' in event)
    return opened && 'caseId' in opened ? opened.caseId : 0
  }
  if (engine.state().rulesVersion < RULES) await act({ type: 'setRules', rules: RULES, by: DEPLOYMENT })
  await act({
    type: 'adoptOperators',
    by: DEPLOYMENT,
    operators: [1, 2, 3, 4, 5].map((operatorId) => ({
      operatorId,
      role: named(operatorId).role,
      isActive: true,
      hasJoined: true,
    })),
  })
  await harness.tick(108_000)
  const accountId = accountIdOf(await engine.execute({ type: 'openAccount', ledger: 'real' }))

  const credit = async (whole: number, operator: Operator) => {
    const caseId = await caseOf({ type: 'openDeposit', accountId, amount: usd(whole) })
    await act({ type: 'endDeposit', caseId, outcome: 'finished', amount: usd(whole), by: operator })
  }
  await credit(6_000, by(3))
  await credit(6_000, by(3, 4))
  const sent = { currency: 'EUR', amount: 10_000_000_000n, fixedRate: null }
  const abroad = await caseOf({ type: 'openDeposit', accountId, sent })
  const arrived = { amount: sent.amount, at: clock.at, rate: 12_000_000_000n }
  await act({ type: 'endDeposit', caseId: abroad, outcome: 'finished', arrived, by: by(4, 1) })

  const withdrawal = () => caseOf({ type: 'requestWithdrawal', accountId, amount: usd(100), fee: usd(1) })
  const paid = await withdrawal()
  await act({ type: 'approveWithdrawal', caseId: paid, by: by(3) })
  await act({ type: 'endWithdrawal', caseId: paid, outcome: 'paid', by: by(4) })
  const stopped = await withdrawal()
  await act({ type: 'approveWithdrawal', caseId: stopped, by: by(3) })
  await act({ type: 'startPayment', caseId: stopped, by: by(4) })
  await act({ type: 'endWithdrawal', caseId: stopped, outcome: 'rejected', by: by(4, 1) })
  const adjustment = await caseOf({ type: 'askAdjustment', accountId, amount: usd(5), by: by(4) })
  await act({ type: 'endAdjustment', caseId: adjustment, outcome: 'approved', by: by(1) })

  const voided = await withdrawal()
  await act({ type: 'approveWithdrawal', caseId: voided, by: by(3) })
  await act({ type: 'askAdjustment', accountId, amount: usd(6), by: by(3) })
  await act({ type: 'setOperator', operatorId: 3, role: 'support', isActive: true, by: by(1, 2) })
  await act({ type: 'approveWithdrawal', caseId: voided, by: by(4) })
  await act({ type: 'setOperator', operatorId: 6, role: 'finance', isActive: true, by: by(1, 2) })
  await act({ type: 'joinOperator', by: by(6) })

  const { settings } = engine.state()
  const raised = { ...settings, fourEyesLimit: usd(20_000) }
  const change = { kind: 'settings', settings: raised } as const
  await act({ type: 'setTerms', change, effectiveAt: null, by: by(1, 2) })
  const lowered = { kind: 'settings', settings } as const
  await act({ type: 'setTerms', change: lowered, effectiveAt: clock.at + 3_600_000, by: by(1, 2) })
  const [changeId = 0] = engine.state().announced.keys()
  await act({ type: 'withdrawTerms', changeId, by: by(1, 2) })
  const held = { instrumentId: EURUSD.id, bid: price(120_000), ask: price(120_010), source: 'a source' }
  await act({ type: 'admitReference', ...held, market: null, by: by(5, 2) })
  await harness.tick(108_000)
  const orderId = orderIdOf(await engine.execute(marketOrder(accountId)))
  await act({ type: 'closeByOperator', accountId, orderId, ground: 'accountEnds', by: by(5, 2) })
  const halt = { type: 'haltInstrument', instrumentId: EURUSD.id } as const
  await act({ ...halt, reason: 'odd prices', by: by(5) })
  await act({ ...halt, reason: null, by: by(5) })
  await act({ ...halt, reason: 'odd prices again', by: by(5, 1) })
  await act({ ...halt, reason: null, by: by(5) })
  const off = { kind: 'instrument', instrument: { ...EURUSD, isEnabled: false }, listing: null } as const
  await act({ type: 'setTerms', change: off, effectiveAt: null, by: by(5, 1) })
  await act({ type: 'setAccountStatus', accountId, status: 'frozen', by: by(2) })
  await act({ type: 'setOperator', operatorId: 5, role: 'dealing', isActive: false, by: by(1) })

  const lost = {
    operatorId: 4,
    name: 'Dee',
    role: 'finance',
    reason: 'a lost phone',
    digest: 'of two keys',
  } as const
  await act({ type: 'announceRecovery', ...lost, by: DEPLOYMENT })
  clock.at += 72 * HOUR_MS
  await harness.tick(108_000)
  await act({ type: 'useRecovery', operatorId: 4, by: DEPLOYMENT })
  await engine.caughtUp()
  expect(harness.errors).toEqual([])
  await engine.stop()
}

type Type = Event['type']
type EventOf<Name extends Type> = Extract<Event, { type: Name }>
type Forgery = readonly [edit: EntryEdit, difference: RegExp]

/** Changes the first entry that begins with an event of the type; null from `forge` leaves it. */
const onEntry =
  <Name extends Type>(
    type: Name,
    forge: (entry: Entry, event: EventOf<Name>) => ReturnType<EntryEdit>,
  ): EntryEdit =>
  (entry) => {
    const [event] = entry.events
    return event?.type === type ? forge(entry, event as EventOf<Name>) : null
  }

/** Another operator, or another second one, as the author. */
const byOther = (entry: Entry, given: Partial<Operator>): Entry | null =>
  entry.author.type === 'operator' ? { ...entry, author: { ...entry.author, ...given } } : null

const isOfTwo = ({ author }: Entry): boolean => author.type === 'operator' && author.second !== null

/** The first entry of two operators that begins with this event, as one of the first alone. */
const alone = <Name extends Type>(
  type: Name,
  edit: (event: EventOf<Name>) => Event = (event) => event,
): EntryEdit =>
  onEntry(type, (entry, event) =>
    isOfTwo(entry)
      ? byOther({ ...entry, events: [edit(event), ...entry.events.slice(1)] }, { second: null })
      : null,
  )

const without = (entry: Entry, type: Type): Entry | null => {
  const events = entry.events.filter((event) => event.type !== type)
  return events.length < entry.events.length ? { ...entry, events } : null
}

const NEEDS_TWO = /decision is "refused: secondOperatorNeeded", it should be "accepted"$/
const NOT_ENTITLED = /decision is "refused: operatorNotEntitled", it should be "accepted"$/
const SAME = /decision is "refused: sameOperator", it should be "accepted"$/

const MONEY: Readonly<Record<string, Forgery>> = {
  'a credit above the limit of a day': [
    alone('depositEnded', (event) => ({ ...event, operators: event.operators?.slice(0, 1) ?? [] })),
    NEEDS_TWO,
  ],
  'a credit whose second operator is the first': [
    onEntry('depositEnded', (entry) => (isOfTwo(entry) ? byOther(entry, { second: named(3) }) : null)),
    SAME,
  ],
  'a credit whose second operator is unknown': [
    onEntry('depositEnded', (entry) =>
      isOfTwo(entry) ? byOther(entry, { second: { id: 99, role: 'finance' } }) : null,
    ),
    NOT_ENTITLED,
  ],
  'a credit that counts for nobody': [
    onEntry('depositEnded', (entry, event) => ({ ...entry, events: [{ ...event, operators: [] }] })),
    /depositEnded: operators 0 is missing, it should be 3$/,
  ],
  'a rate far from that of the market': [
    onEntry('depositEnded', (entry, event) =>
      event.arrived ? byOther({ ...entry, events: [{ ...event, operators: [4] }] }, { second: null }) : null,
    ),
    NEEDS_TWO,
  ],
  'a payment by its approver': [
    onEntry('withdrawalPaying', (entry, event) =>
      byOther({ ...entry, events: [{ ...event, operatorId: 3 }, ...entry.events.slice(1)] }, { id: 3 }),
    ),
    SAME,
  ],
  'a payment that nobody approved': [
    onEntry('withdrawalApproved', () => []),
    /withdrawalPaying: decision is "refused: withdrawalNotApproved"/,
  ],
  'a payment to another destination': [
    onEntry('withdrawalPaying', (entry, event) => ({
      ...entry,
      events: [{ ...event, destination: 8 }, ...entry.events.slice(1)],
    })),
    /withdrawalPaying: destination is 8, it should be null$/,
  ],
  'a payment in progress that one operator rejects': [alone('withdrawalEnded'), NEEDS_TWO],
  'an adjustment approved by its requester': [
    onEntry('adjustmentEnded', (entry, event) =>
      byOther({ ...entry, events: [{ ...event, operators: [4, 4] }] }, named(4)),
    ),
    SAME,
  ],
}

const OPERATORS: Readonly<Record<string, Forgery>> = {
  'an operator without rights': [
    onEntry('withdrawalApproved', (entry, event) =>
      event.operatorId === 4
        ? byOther({ ...entry, events: [{ ...event, operatorId: 3 }] }, { id: 3, role: 'finance' })
        : null,
    ),
    NOT_ENTITLED,
  ],
  'a role given by one operator': [alone('operatorSet'), NEEDS_TWO],
  'an operator invited by one': [
    onEntry('operatorSet', (entry, { operatorId }) =>
      operatorId === 6 ? byOther(entry, { second: null }) : null,
    ),
    NEEDS_TWO,
  ],
  'a role that its new owner agreed to': [
    onEntry('operatorSet', (entry) => byOther(entry, { second: named(3) })),
    SAME,
  ],
  'a role that another of finance agreed to': [
    onEntry('operatorSet', (entry) => byOther(entry, { second: named(4) })),
    NOT_ENTITLED,
  ],
  'an approval that outlives the role of its operator': [
    onEntry('operatorSet', (entry) => without(entry, 'withdrawalApprovalVoided')),
    /operatorSet: event 1 .*is .*, it should be /,
  ],
  'an approval voided without a reason': [
    onEntry('withdrawalApproved', (entry, { caseId, accountId }) => [
      entry,
      { ...entry, events: [{ type: 'withdrawalApprovalVoided', caseId, accountId }] },
    ]),
    /withdrawalApprovalVoided: decision is "alone", it should be "with a change of an operator"$/,
  ],
  'an adjustment refused although its requester stays': [
    onEntry('operatorSet', (entry, event) =>
      event.role === 'support'
        ? null
        : {
            ...entry,
            events: [
              ...entry.events,
              { type: 'adjustmentEnded', caseId: 1, accountId: 1, outcome: 'refused', transfers: [] },
            ],
          },
    ),
    /operatorSet: event 1 is .*, it should be missing$/,
  ],
  'single-operator mode that did not end': [
    onEntry('operatorsAdopted', (entry) => without(entry, 'singleOperatorEnded')),
    /operatorsAdopted: event \d+ is missing, it should be \{"type":"singleOperatorEnded"\}$/,
  ],
  'an end of single-operator mode that never was': [
    onEntry('operatorJoined', (entry) => ({
      ...entry,
      events: [...entry.events, { type: 'singleOperatorEnded' }],
    })),
    /operatorJoined: event 1 is \{"type":"singleOperatorEnded"\}, it should be missing$/,
  ],
  'one operator who may pay alone': [
    onEntry('operatorsAdopted', (entry, event) => ({
      ...entry,
      events: [{ ...event, mayPayAlone: true }, ...entry.events.slice(1)],
    })),
    /operatorsAdopted: event 0 mayPayAlone is true, it should be false$/,
  ],
  'somebody who joined without an invitation': [
    onEntry('operatorJoined', (entry, event) =>
      byOther({ ...entry, events: [{ ...event, operatorId: 8 }] }, { id: 8 }),
    ),
    NOT_ENTITLED,
  ],
  'a recovery without its notice': [
    onEntry('recoveryAnnounced', (entry, event) => ({
      ...entry,
      events: [{ ...event, effectiveAt: event.effectiveAt - HOUR_MS }],
    })),
    /recoveryAnnounced: effectiveAt is \d+, it should be \d+$/,
  ],
  'a recovery of somebody else': [
    onEntry('recoveryUsed', (entry) => ({ ...entry, events: [{ type: 'recoveryUsed', operatorId: 5 }] })),
    /recoveryUsed: decision is "refused: recoveryNotOpen", it should be "accepted"$/,
  ],
}

const MARKET_AND_USERS: Readonly<Record<string, Forgery>> = {
  'a limit raised by one operator': [alone('termsSet'), NEEDS_TWO],
  'a limit raised by a second one of finance': [
    onEntry('termsSet', (entry) => byOther(entry, { second: named(4) })),
    /termsSet: decision is "refused: \w+", it should be "accepted"$/,
  ],
  'an announced limit withdrawn by one operator': [alone('termsWithdrawn'), NEEDS_TWO],
  'adverse terms at short notice by one operator': [
    onEntry('termsSet', (entry, { change }) =>
      change.kind === 'instrument' && isOfTwo(entry) ? byOther(entry, { second: null }) : null,
    ),
    NEEDS_TWO,
  ],
  'a held price admitted by one operator': [alone('referenceAdmitted'), NEEDS_TWO],
  'a held price admitted by a second one of finance': [
    onEntry('referenceAdmitted', (entry) => byOther(entry, { second: named(4) })),
    NEEDS_TWO,
  ],
  'a position closed by one operator': [alone('positionClosed'), NEEDS_TWO],
  'a halt by one operator that lasts': [
    onEntry('instrumentHalted', (entry, event) => ({ ...entry, events: [{ ...event, endsAt: null }] })),
    /instrumentHalted: endsAt is null, it should be \d+$/,
  ],
  'a halt by one operator within four hours of the last': [
    onEntry('instrumentHalted', (entry, event) =>
      isOfTwo(entry)
        ? byOther({ ...entry, events: [{ ...event, endsAt: entry.at + HOUR_MS / 2 }] }, { second: null })
        : null,
    ),
    NEEDS_TWO,
  ],
  'a freeze by one operator that lasts': [
    onEntry('accountStatusSet', (entry, { alone: _alone, ...event }) => ({ ...entry, events: [event] })),
    /accountStatusSet: alone is missing, it should be /,
  ],
  'a freeze that counts from later than it began': [
    onEntry('accountStatusSet', (entry, { recentFreeze, ...event }) =>
      recentFreeze?.endedAt === null
        ? { ...entry, events: [{ ...event, recentFreeze: { since: recentFreeze.since + 1, endedAt: null } }] }
        : null,
    ),
    /accountStatusSet: recentFreeze since is \d+, it should be \d+/,
  ],
  'a payout method of a frozen account': [
    onEntry('accountStatusSet', (entry, { accountId }) => [
      entry,
      {
        at: entry.at,
        author: { type: 'user', accountId },
        request: null,
        events: [{ type: 'payoutMethodBound', accountId, ...BOUND, destination: 8 }],
      },
    ]),
    /payoutMethodBound: account status is "frozen", it should be "active"$/,
  ],
}

const FORGERIES = { ...MONEY, ...OPERATORS, ...MARKET_AND_USERS }

/** The forgery of each rule by which one operator did it alone; forged-rows.test.ts has those of the tables. */
const BY_ONE: Readonly<Record<Exclude<TwoOperatorRuleName, RuleOfTables>, string>> = {
  finishDeposit: 'a credit above the limit of a day',
  rejectApprovedWithdrawal: 'a payment in progress that one operator rejects',
  inviteOperator: 'an operator invited by one',
  changeOperator: 'a role given by one operator',
  terms: 'adverse terms at short notice by one operator',
  limits: 'a limit raised by one operator',
  heldPrice: 'a held price admitted by one operator',
  closeOrder: 'a position closed by one operator',
  halt: 'a halt by one operator that lasts',
  freeze: 'a freeze by one operator that lasts',
  adjustment: 'an adjustment approved by its requester',
  withdrawal: 'a payment by its approver',
}

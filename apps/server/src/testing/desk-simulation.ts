/** A simulated deployment with an audit entry of each kind of operator action. */
import { DEPLOYMENT, money, price, type PayoutQuote, type State } from '@fairlot/core'
import { createAuditLog, type AuditEntry } from '../desk/audit-log/audit-log.ts'
import { readChainHeads } from '../desk/audit-log/chain-mail.ts'
import { createEngineCommands, type OperatorCommand } from '../desk/audit-log/engine-commands.ts'
import { createFollowUps } from '../engine/follow-ups.ts'
import { createApprovals } from '../desk/approvals/approvals.ts'
import { createDeskHub } from '../desk/desk-socket.ts'
import { addOperator } from '../desk/operators/operators.ts'
import { createDayBook } from '../risk/reports/day-book.ts'
import { createHaltRequests } from '../market/desk/halts.ts'
import type { Database, Queries } from '../platform/database/open.ts'
import { isRefusal } from '../platform/refusal.ts'
import { writeFirstLegalTexts } from '../content/legal-texts.ts'
import { identityCase } from '../platform/database/identity-schema.ts'
import { noteActivity, type ActivityKind } from '../platform/database/user-activity.ts'
import { accountKey } from '../funds/account-numbers.ts'
import { destinationNumber, methodDigest, newSalt } from '../funds/receiving-methods.ts'
import { saveCandles } from '../market/candles.ts'
import { saveQuotes } from '../market/quote-store.ts'
import { accountIdOf, entryOf, EURUSD, marketOrder, orderIdOf } from '../../../../testing/test-world.ts'
import { createHarness, type Harness } from './engine-harness.ts'

/** An hour before 17:00 in New York. */
const START = Date.UTC(2026, 0, 5, 21)
const HOUR_MS = 3_600_000
const BID = 108_000

const ADA = { id: 1, name: 'Ada', role: 'finance' } as const
const BO = { id: 2, name: 'Bo', role: 'administrator' } as const
const CY = { id: 3, name: 'Cy', role: 'compliance' } as const
const DEE = { id: 4, name: 'Dee', role: 'dealing' } as const

/** An odd amount, so that its text differs from every other. */
const DEPOSITED = money(499_999_999n)
const WITHDRAWN = money(100_000_000n)
const FEE = money(5_000_000n)
const CORRECTED = money(7_500_000n)

/** The ids of a real and a demo account, of a real one whose owner the first invited, and of one that was closed. */
const [REAL, DEMO, INVITED, GONE] = [1, 2, 3, 4]

type Action = Omit<AuditEntry, 'reason'> & { readonly reason?: string }

/** The desk of one run of the server; the clock moves with each action. */
function deskOn({ engine, clock }: Harness, queries: Queries) {
  const now = () => (clock.at += 1)
  const auditLog = createAuditLog(queries, now, () => undefined)
  const followUps = createFollowUps({ queries, engine, now })
  const approvals = createApprovals({
    queries,
    auditLog,
    now,
    settle: followUps.settle,
    isSingleOperator: () => false,
  })
  const engineCommands = createEngineCommands(followUps, auditLog, approvals.endOf)
  const hub = createDeskHub()
  const requestHalt = createHaltRequests({ approvals, engineCommands, hub, deployment: { engine } })
  return {
    approvals,
    requestHalt,
    /** Executes an engine command in the name of an operator. */
    command: async (act: Action, command: OperatorCommand) => {
      clock.at += 1
      const answer = await engineCommands.execute({ reason: `a reason to ${act.act}`, ...act }, command)
      if (isRefusal(answer)) throw new Error(`${act.act} was refused: ${answer.rejected}`)
      return answer
    },
    /** Changes the tables in the name of an operator. */
    change: async (act: Action, effect: (within: Queries) => Promise<unknown>) => {
      await auditLog.perform({ reason: `a reason to ${act.act}`, ...act }, async (within) => {
        await effect(within)
        return null
      })
    },
  }
}

type Desk = ReturnType<typeof deskOn>

export async function simulateDesk(database: Database): Promise<void> {
  const { queries } = database
  const harness = await createHarness(database, { startAt: START })
  const { engine, clock } = harness
  const desk = deskOn(harness, queries)
  for (const { name, role } of [ADA, BO, CY, DEE])
    await queries.transaction().execute((within) => addOperator(within, { name, role }, clock.at))
  entryOf(
    await engine.execute({
      type: 'adoptOperators',
      by: DEPLOYMENT,
      operators: [ADA, BO, CY, DEE].map(({ id, role }) => ({
        operatorId: id,
        role,
        isActive: true,
        hasJoined: true,
      })),
    }),
  )
  await harness.tick(BID)
  accountIdOf(await engine.execute({ type: 'openAccount', ledger: 'real' }))
  await harness.openAccount()
  for (const _id of [INVITED, GONE])
    accountIdOf(await engine.execute({ type: 'openAccount', ledger: 'real' }))
  await createUsers(queries, clock.at)
  await closeAccount(harness, queries)
  await moveMoney(harness, desk, queries)
  await restrictAndClose(harness, desk)
  await changeMarket(engine.state(), desk)
  await changeUser(desk)
  await checkIdentity(desk, queries, clock.at)
  await changeOwnLogIn(desk, clock.at)
  await setUpPayments(desk)
  await switchOff(desk, queries)
  await engine.stop()
  // Another run of the server.
  const next = await createHarness(database, { startAt: clock.at + 1 })
  await passRollover(next)
  await next.engine.caughtUp()
  await saveMarket(queries, next.engine.state())
  const book = createDayBook({
    queries,
    now: () => next.clock.at,
    onError: (error) => {
      throw error
    },
  })
  await book.counted()
  await book.stop()
  const { journal, acts } = await readChainHeads(queries)
  await queries
    .insertInto('mailed_hash')
    .values({
      day: '2026-01-06',
      at: BigInt(next.clock.at),
      journal_seq: BigInt(journal.number),
      journal_hash: journal.hash,
      act_id: BigInt(acts.number),
      act_hash: acts.hash,
      recipients: 'somebody@outside.example',
    })
    .execute()
  await next.engine.stop()
}

/** The users of the accounts. */
async function createUsers(queries: Queries, at: number): Promise<void> {
  const created_at = BigInt(at)
  const user = (id: number, isDemo: boolean) => ({
    id: BigInt(id),
    is_demo: isDemo ? 1n : 0n,
    demo_hash: isDemo ? 'a hash' : null,
    invite_code: String(id).padStart(16, '0'),
    credit_score: 100n,
    created_at,
    closed_at: null,
  })
  const real = [REAL, INVITED, GONE]
  await writeFirstLegalTexts(queries, at)
  await queries
    .insertInto('app_user')
    .values([user(DEMO, true), ...real.map((id) => user(id, false))])
    .execute()
  await queries
    .insertInto('member')
    .values(
      real.map((id) => ({
        user_id: BigInt(id),
        email: `User${id}@mail.example`,
        email_key: `user${id}@mail.example`,
        phone: null,
        calling_code: null,
        national_number: null,
        area: 'HK',
        language: 'en',
        password_hash: 'a hash',
        invited_by: id === INVITED ? BigInt(REAL) : null,
      })),
    )
    .execute()
  await queries
    .insertInto('consent')
    .values(
      real.map((id) => ({
        user_id: BigInt(id),
        version: '2026-11-21',
        language: 'en',
        address: '',
        at: created_at,
      })),
    )
    .execute()
  for (const id of real) await note(queries, id, 'registered', at)
  await setUpLogIn(queries, at)
}

const note = (queries: Queries, userId: number, kind: ActivityKind, at: number) =>
  noteActivity(queries, { userId, kind, at, device: '', address: '' })

/** One user has an authenticator app and a passkey. */
async function setUpLogIn(queries: Queries, at: number): Promise<void> {
  const confirmed_at = BigInt(at)
  await queries
    .insertInto('second_factor')
    .values({ user_id: BigInt(REAL), secret: 'a secret', confirmed_at, last_step: 0n })
    .execute()
  await note(queries, REAL, 'secondFactorOn', at)
  await queries
    .insertInto('passkey')
    .values({ ...passkey('of a user', at), user_id: BigInt(REAL) })
    .execute()
  await note(queries, REAL, 'passkeyAdded', at)
}

const passkey = (name: string, at: number) => ({
  id: `a passkey ${name}`,
  user_id: null,
  operator_id: null,
  domain: 'trading.example',
  name,
  public_key: 'a key',
  counter: 0n,
  transports: '[]',
  is_synced: 0n,
  created_at: BigInt(at),
  used_at: null,
})

/** As the server erases a closed account's data. */
async function closeAccount({ engine, clock }: Harness, queries: Queries): Promise<void> {
  entryOf(await engine.execute({ type: 'closeAccount', accountId: GONE, leftMax: money(0n) }))
  await queries
    .updateTable('app_user')
    .set({ closed_at: BigInt(clock.at), invite_code: `closed ${GONE}` })
    .where('id', '=', BigInt(GONE))
    .execute()
  await queries.deleteFrom('member').where('user_id', '=', BigInt(GONE)).execute()
  await note(queries, GONE, 'accountClosed', clock.at)
}

async function moveMoney({ engine }: Harness, desk: Desk, queries: Queries): Promise<void> {
  const caseOf = (answer: Parameters<typeof entryOf>[0]): number => {
    const opened = entryOf(answer).events.find((event) => 'caseId' in event)
    return opened && 'caseId' in opened ? opened.caseId : 0
  }
  const deposit = async () =>
    caseOf(await engine.execute({ type: 'openDeposit', accountId: REAL, amount: DEPOSITED }))
  const decide = async (
    act: 'decideDeposit' | 'decideWithdrawal',
    subject: string,
    given: Partial<Action>,
  ) => ({
    operator: ADA,
    act,
    subject,
    caseKey: subject,
    accountId: REAL,
    ...given,
  })
  const first = await deposit()
  await desk.command(
    await decide('decideDeposit', `deposit:${first}`, {
      before: { told: '499.999999', status: 'open' },
      after: { credited: '499.999999', status: 'finished' },
    }),
    { type: 'endDeposit', caseId: first, outcome: 'finished', amount: DEPOSITED },
  )
  const second = await deposit()
  await desk.command(
    await decide('decideDeposit', `deposit:${second}`, {
      before: { told: '499.999999', status: 'open' },
      after: { status: 'rejected' },
    }),
    { type: 'endDeposit', caseId: second, outcome: 'rejected', amount: money(0n) },
  )
  for (const id of [first, second]) await insertDeposit(queries, id)
  const payout = await bindMethod(engine, queries)
  const requested = await engine.execute({
    type: 'requestWithdrawal',
    accountId: REAL,
    amount: WITHDRAWN,
    fee: FEE,
    payout,
  })
  await payWithdrawal(desk, queries, caseOf(requested))
  const correction = await desk.command(
    {
      operator: ADA,
      act: 'askAdjustment',
      subject: `person:${REAL}`,
      accountId: REAL,
      after: { amount: CORRECTED },
    },
    { type: 'askAdjustment', accountId: REAL, amount: CORRECTED },
  )
  const id = caseOf(correction)
  await desk.command(
    {
      operator: BO,
      act: 'decideAdjustment',
      subject: `adjustment:${id}`,
      caseKey: `adjustment:${id}`,
      accountId: REAL,
      before: { amount: '7.5', status: 'open' },
      after: { amount: '7.5', status: 'approved' },
    },
    { type: 'endAdjustment', caseId: id, outcome: 'approved' },
  )
}

const DETAILS = {
  address: 'TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC',
  bankName: '',
  bankAddress: '',
  bic: '',
  iban: '',
  payeeName: '',
  payeeAccount: '',
  payeeAddress: '',
  routeNumber: '',
  postCode: '',
  accountType: null,
}

/** Binds a payout address; returns the terms of a withdrawal to it. */
async function bindMethod(engine: Harness['engine'], queries: Queries): Promise<PayoutQuote> {
  const destination = await destinationNumber(queries, DETAILS)
  const row = {
    id: 1n,
    user_id: BigInt(REAL),
    currency_id: 1n,
    kind: 'coin',
    details: JSON.stringify(DETAILS),
    account_key: accountKey(DETAILS),
    bound_at: BigInt(START),
    removed_at: null,
    destination: BigInt(destination),
    salt: newSalt(),
  }
  const digest = methodDigest(row, row.salt)
  entryOf(
    await engine.execute({ type: 'bindPayoutMethod', accountId: REAL, methodId: 1, destination, digest }),
  )
  await queries.insertInto('receiving_method').values(row).execute()
  return { methodId: 1, destination, currencyId: 1, price: 10_000_000_000n, received: 9_500_000_000n }
}

async function insertDeposit(queries: Queries, id: number): Promise<void> {
  await queries
    .insertInto('deposit')
    .values({
      case_id: BigInt(id),
      user_id: BigInt(REAL),
      kind: 'coin',
      channel_id: 1n,
      currency_code: 'USDT',
      protocol_code: 'TRC20',
      address: 'an address',
      tag: '',
      shown_address: 'an address',
      proof: `proof ${id}`,
      proof_hash: `hash ${id}`,
      reference: '',
      reference_key: '',
      told_at: BigInt(START),
    })
    .execute()
}

async function payWithdrawal(desk: Desk, queries: Queries, id: number): Promise<void> {
  const subject = `withdrawal:${id}`
  const on = { act: 'decideWithdrawal', subject, caseKey: subject, accountId: REAL } as const
  await queries
    .insertInto('withdrawal')
    .values({
      case_id: BigInt(id),
      user_id: BigInt(REAL),
      currency_id: 1n,
      code: 'USDT',
      protocol: 'TRC20',
      kind: 'coin',
      price: '1',
      received: '95',
      method_id: 1n,
      method: JSON.stringify(DETAILS),
      memo: '',
      asked_at: BigInt(START),
      reference: 'a transfer',
      reference_key: 'atransfer',
    })
    .execute()
  await desk.command(
    { ...on, operator: BO, before: { amount: '100.00', status: 'held' }, after: { status: 'approved' } },
    { type: 'approveWithdrawal', caseId: id },
  )
  await desk.command(
    {
      ...on,
      operator: ADA,
      second: BO,
      before: { amount: '100.00', status: 'approved' },
      after: { status: 'paid', reference: 'a transfer' },
    },
    { type: 'endWithdrawal', caseId: id, outcome: 'paid' },
  )
}

async function restrictAndClose({ engine }: Harness, desk: Desk): Promise<void> {
  const entry = { operator: CY, act: 'restrictPerson', subject: `person:${REAL}`, accountId: REAL } as const
  for (const [was, status] of [
    ['active', 'closeOnly'],
    ['closeOnly', 'active'],
  ] as const)
    await desk.command(
      { ...entry, before: { status: was }, after: { status } },
      { type: 'setAccountStatus', accountId: REAL, status },
    )
  const orderId = orderIdOf(await engine.execute(marketOrder(REAL)))
  await desk.command(
    {
      operator: DEE,
      second: BO,
      act: 'closeOrder',
      subject: `order:${orderId}`,
      accountId: REAL,
    },
    { type: 'closeByOperator', accountId: REAL, orderId, ground: 'accountEnds' },
  )
}

async function changeMarket({ settings }: State, desk: Desk): Promise<void> {
  const halt = { operator: DEE, act: 'halt', subject: 'instrument:EURUSD' } as const
  const instrumentId = EURUSD.id
  const resume = () =>
    desk.command(
      { ...halt, after: { resumed: [EURUSD.code] } },
      { type: 'haltInstrument', instrumentId, reason: null },
    )
  await desk.command(
    { ...halt, after: { halted: [EURUSD.code] } },
    { type: 'haltInstrument', instrumentId, reason: 'a reason to halt' },
  )
  await resume()
  const requested = await desk.requestHalt(ADA, { instrumentId, reason: 'odd prices' })
  if (isRefusal(requested)) throw new Error(`the halt was refused: ${requested.rejected}`)
  await desk.approvals.decide(BO, requested.approvalId, true, 'I see it too')
  await resume()
  await desk.requestHalt(ADA, { instrumentId, reason: 'odd again' })
  // Better for traders, so it may take effect at once.
  const stopOutLevel = settings.stopOutLevel - 1
  await desk.command(
    {
      operator: DEE,
      second: BO,
      act: 'changeTerms',
      subject: 'terms:settings',
      before: { stopOutLevel: String(settings.stopOutLevel) },
      after: { stopOutLevel: String(stopOutLevel), holdsFrom: 'at once' },
    },
    {
      type: 'setTerms',
      change: { kind: 'settings', settings: { ...settings, stopOutLevel } },
      effectiveAt: null,
    },
  )
}

async function changeUser(desk: Desk): Promise<void> {
  const entry = { operator: CY, subject: `person:${REAL}`, accountId: REAL } as const
  await desk.change(
    { ...entry, act: 'setCreditScore', before: { creditScore: 100 }, after: { creditScore: 80 } },
    (within) =>
      within.updateTable('app_user').set({ credit_score: 80n }).where('id', '=', BigInt(REAL)).execute(),
  )
  const verified = { ...entry, second: BO, act: 'verifyPerson', after: { identity: 'verified' } } as const
  await desk.change(verified, (within) =>
    within
      .insertInto('verified_person')
      .values({
        user_id: BigInt(REAL),
        at: BigInt(START),
        operator_id: BigInt(CY.id),
        reason: 'a reason to verifyPerson',
      })
      .execute(),
  )
  await desk.change({ ...entry, act: 'notePerson' }, (within) =>
    within
      .insertInto('person_note')
      .values({
        id: 1n,
        account_id: BigInt(REAL),
        at: BigInt(START),
        operator_id: BigInt(CY.id),
        operator_name: CY.name,
        role: CY.role,
        text: 'called back',
      })
      .execute(),
  )
  await desk.change(
    {
      ...entry,
      act: 'recordStaff',
      before: { worksForBroker: false },
      after: { worksForBroker: true, hidden: [] },
    },
    (within) =>
      within
        .insertInto('staff_user')
        .values({ user_id: BigInt(REAL) })
        .execute(),
  )
  await desk.change(
    {
      operator: BO,
      act: 'changeSettings',
      subject: 'setting:news_kept_days',
      before: { value: '1' },
      after: { value: '2' },
    },
    (within) => within.insertInto('setting').values({ name: 'news_kept_days', value: '2' }).execute(),
  )
  await desk.change(
    {
      operator: BO,
      second: CY,
      act: 'changeSettings',
      subject: 'setting:payout_wait_hours',
      before: { value: '24' },
      after: { value: '48' },
    },
    (within) => within.insertInto('setting').values({ name: 'payout_wait_hours', value: '48' }).execute(),
  )
}

/** The documents of a user are returned with a fault. */
async function checkIdentity(desk: Desk, queries: Queries, at: number): Promise<void> {
  const [user_id, moment] = [BigInt(INVITED), BigInt(at)]
  const case_key = identityCase(INVITED)
  for (const key of ['front', 'reverse'])
    await queries
      .insertInto('stored_file')
      .values({
        key,
        user_id,
        operator_id: null,
        kind: 'proof',
        content_type: 'image/webp',
        bytes: 1n,
        width: 1n,
        height: 1n,
        sha256: key,
        original_sha256: key,
        look: '',
        created_at: moment,
        used_by: case_key,
      })
      .execute()
  const faults = [{ field: 'reverse', fault: 'unreadable', words: '' }]
  await desk.change(
    {
      operator: CY,
      act: 'verifyPerson',
      subject: case_key,
      caseKey: case_key,
      accountId: INVITED,
      before: { identity: 'waiting' },
      after: { identity: 'rejected', faults },
    },
    (within) =>
      within
        .insertInto('identity_check')
        .values({
          user_id,
          status: 'rejected',
          name: 'A Name',
          number: 'sealed',
          number_mark: 'a mark',
          front: 'front',
          reverse: 'reverse',
          sent_at: moment,
          times_sent: 1n,
          decided_at: moment,
          faults: JSON.stringify(faults),
        })
        .execute(),
  )
}

/** An operator sets up a second factor and a passkey. */
async function changeOwnLogIn(desk: Desk, at: number): Promise<void> {
  const entry = { operator: ADA, act: 'ownAccess', subject: `operator:${ADA.id}` } as const
  await desk.change({ ...entry, after: { secondFactor: 'on' } }, (within) =>
    within
      .updateTable('operator')
      .set({ totp_secret: 'a secret', totp_confirmed_at: BigInt(at) })
      .where('id', '=', BigInt(ADA.id))
      .execute(),
  )
  await desk.change({ ...entry, after: { passkeyAdded: 'a key ring' } }, (within) =>
    within
      .insertInto('passkey')
      .values({ ...passkey('a key ring', at), operator_id: BigInt(ADA.id) })
      .execute(),
  )
}

const PLACED = { is_on: 1n, version: 1n, changed_at: BigInt(START) } as const
const NO_LIMITS = { dayLimit: 'none', personDayLimit: 'none' } as const

/** Where deposits go and what payouts cost; a second deposit address is switched off again by one operator. */
async function setUpPayments(desk: Desk): Promise<void> {
  const act = { operator: ADA, second: BO, act: 'editPaymentSetup' } as const
  const limits = { day_limit: null, person_day_limit: null, fixed_rate: null }
  for (const [id, address] of [DETAILS.address, 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'].entries())
    await desk.change(
      {
        ...act,
        subject: 'depositChannel:new',
        after: {
          currencyCode: 'USDT',
          protocolCode: 'TRC20',
          address,
          tag: '',
          fixedRate: 'that of the market',
          ...NO_LIMITS,
          state: 'on',
        },
      },
      (within) =>
        within
          .insertInto('deposit_channel')
          .values({
            id: BigInt(id + 1),
            currency_code: 'USDT',
            protocol_code: 'TRC20',
            address,
            tag: '',
            ...limits,
            ...PLACED,
          })
          .execute(),
    )
  await desk.change(
    {
      operator: ADA,
      act: 'editPaymentSetup',
      subject: 'depositChannel:2',
      before: { isOn: true },
      after: { isOn: false },
    },
    (within) => within.updateTable('deposit_channel').set({ is_on: 0n }).where('id', '=', 2n).execute(),
  )
  const bank = {
    currencyCode: 'EUR',
    bankName: 'A bank',
    bankAddress: 'A street',
    bankSwift: 'DEUTDEFF',
    payeeName: 'A broker',
    payeeAccount: 'DE89370400440532013000',
    bankRemark: 'your number',
  }
  await desk.change(
    {
      ...act,
      subject: 'wireAccount:new',
      after: { ...bank, fixedRate: '1.1', ...NO_LIMITS, dayLimit: '5000.000000', state: 'on' },
    },
    (within) =>
      within
        .insertInto('wire_account')
        .values({
          id: 1n,
          currency_code: bank.currencyCode,
          bank_name: bank.bankName,
          bank_address: bank.bankAddress,
          bank_swift: bank.bankSwift,
          payee_name: bank.payeeName,
          payee_account: bank.payeeAccount,
          bank_remark: bank.bankRemark,
          ...limits,
          fixed_rate: 11_000_000_000n,
          day_limit: 5_000_000_000n,
          ...PLACED,
        })
        .execute(),
  )
  const currency = { code: 'USDT', protocol: 'TRC20', kind: 'coin' } as const
  await desk.change(
    {
      ...act,
      subject: 'withdrawalCurrency:new',
      after: {
        ...currency,
        feeType: 'fixed',
        fee: '5.000000',
        usdPrice: '1',
        minimum: '10.000000',
        maximum: 'none',
        personDayLimit: 'none',
        state: 'on',
      },
    },
    (within) =>
      within
        .insertInto('withdrawal_currency')
        .values({
          id: 1n,
          ...currency,
          fee_type: 'fixed',
          fee: FEE,
          usd_price: '1',
          minimum: 10_000_000n,
          maximum: null,
          person_day_limit: null,
          ...PLACED,
        })
        .execute(),
  )
}

/** One operator switches another one off. */
async function switchOff(desk: Desk, queries: Queries): Promise<void> {
  await desk.command(
    {
      operator: BO,
      act: 'changeOperators',
      subject: `operator:${DEE.id}`,
      before: { role: DEE.role, isOn: true },
      after: { role: DEE.role, isOn: false },
    },
    { type: 'setOperator', operatorId: DEE.id, role: DEE.role, isActive: false },
  )
  await queries.updateTable('operator').set({ is_on: 0n }).where('id', '=', BigInt(DEE.id)).execute()
}

/** A position of the demo account is charged a swap. */
async function passRollover(harness: Harness): Promise<void> {
  await harness.tick(BID)
  entryOf(await harness.engine.execute(marketOrder(DEMO)))
  harness.clock.at = START + 2 * HOUR_MS
  await harness.tick(BID + 10)
  entryOf(await harness.engine.execute(marketOrder(DEMO)))
}

/** Saves prices as a server does. */
async function saveMarket(queries: Queries, { quotes }: State): Promise<void> {
  const all = [...quotes.values()]
  await saveQuotes(queries, all)
  const [low, high] = [price(BID), price(BID + 20)]
  const bars = [START, START + 2 * HOUR_MS].map(
    (time) =>
      ({
        instrumentId: EURUSD.id,
        source: 'live',
        period: '1min',
        candle: { time, open: low, high, low, close: high, volume: 2 },
      }) as const,
  )
  await saveCandles(queries, bars)
}

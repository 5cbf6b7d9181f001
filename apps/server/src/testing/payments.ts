import {
  bindReceivingMethod,
  reportCoinDeposit,
  valueOf,
  type Client,
  type DepositView,
  type ReceivingMethod,
} from '@fairlot/contract'
import { isRejection, money, type Money } from '@fairlot/core'
import { clientOf } from '../../../../testing/client.ts'
import { hashOfAuditEntry, NOTHING_BEFORE } from '../platform/database/audit-hash.ts'
import type { DeskActTable } from '../platform/database/desk-schema.ts'
import type { Queries } from '../platform/database/open.ts'
import { isNotDone, isUnavailable } from '../engine/engine.ts'
import { endSingleOperatorMode, journalOperator } from './engine-setup.ts'
import { newUser, PASSWORD, type TestUser } from './accounts.ts'
import type { RunningServer } from './running-server.ts'

/** Addresses with valid check digits. */
export const TRON_ADDRESS = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'
export const BITCOIN_ADDRESS = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'
export const IBAN = 'DE89370400440532013000'

/** An amount in whole units as money. */
export const units = (whole: number): Money => money(BigInt(Math.round(whole * 1_000_000)))

/** An amount in whole units of the currency that was sent. */
export const sentUnits = (whole: number): bigint => BigInt(Math.round(whole * 1e8))

const PLACED = { is_on: 1n, version: 1n, changed_at: 0n } as const

/**
 * Sets up deposits and withdrawals. Deposit address 1 accepts at most 5,000 a day; bank account 1 is in euros, each
 * credited as one dollar. Withdrawal currency 1 is USDT for a fixed fee of 12, 2 is BTC for one per cent at 0.00001, 3 is
 * EUR by bank for one per cent at 0.9.
 */
export async function setUpPayments(server: Pick<RunningServer, 'deployment'>): Promise<void> {
  const { deployment } = server
  await addColleagues(server)
  const { queries } = deployment.database
  await queries
    .insertInto('deposit_channel')
    .values({
      id: 1n,
      currency_code: 'USDT',
      protocol_code: 'TRC20',
      address: TRON_ADDRESS,
      tag: '',
      day_limit: units(5_000),
      person_day_limit: null,
      fixed_rate: null,
      ...PLACED,
    })
    .execute()
  await queries
    .insertInto('wire_account')
    .values({
      id: 1n,
      currency_code: 'EUR',
      bank_name: 'A bank',
      bank_address: 'A street',
      bank_swift: 'DEUTDEFF',
      payee_name: 'A broker',
      payee_account: IBAN,
      bank_remark: 'your number',
      day_limit: null,
      person_day_limit: null,
      // As if two operators had fixed it: these servers have no price of the euro unless a test sends one.
      fixed_rate: 10_000_000_000n,
      ...PLACED,
    })
    .execute()
  const limits = { minimum: units(10), maximum: units(100_000), person_day_limit: null }
  await queries
    .insertInto('withdrawal_currency')
    .values([
      {
        id: 1n,
        code: 'USDT',
        protocol: 'TRC20',
        kind: 'coin',
        fee_type: 'fixed',
        fee: units(12),
        usd_price: '1',
        ...limits,
        ...PLACED,
      },
      {
        id: 2n,
        code: 'BTC',
        protocol: 'bitcoin',
        kind: 'coin',
        fee_type: 'rate',
        fee: 10_000n,
        usd_price: '0.00001',
        ...limits,
        ...PLACED,
      },
      {
        id: 3n,
        code: 'EUR',
        protocol: '',
        kind: 'bank',
        fee_type: 'rate',
        fee: 10_000n,
        usd_price: '0.9',
        ...limits,
        ...PLACED,
      },
    ])
    .execute()
  await recordChanges(
    server,
    queries,
    ['depositChannel', 'wireAccount', ...Array.from({ length: 3 }, () => 'withdrawalCurrency')].map(
      (kind) => ({
        act: 'editPaymentSetup',
        subject: `${kind}:new`,
        account_id: null,
        // Only the state: some tests change the other values in the tables.
        after: { state: 'on' },
      }),
    ),
  )
}

/** A user with a real account, and a client of the contract. */
export type Payer = TestUser & { readonly client: Client<AbortSignal> }

/** A user whose identity is verified. */
export async function newPayer(server: RunningServer): Promise<Payer> {
  await addColleagues(server)
  const registered = await newUser(server)
  await recordVerified(server, registered.user.id)
  return { ...registered, client: clientOf(server.url, registered.token) }
}

/** Operators with ids that no test uses: who verifies users, who sets up payments, and the second one. */
const [VERIFIER, PAYER, SECOND] = [
  { id: 999_999n, name: 'a colleague', role: 'compliance' },
  { id: 999_997n, name: 'a third colleague', role: 'finance' },
  { id: 999_998n, name: 'another colleague', role: 'compliance' },
] as const

/** Journals them, since verify finds audit entries of operators who did not exist. */
async function addColleagues(server: Pick<RunningServer, 'deployment'>): Promise<void> {
  await endSingleOperatorMode(server)
  for (const { id, role } of [VERIFIER, PAYER, SECOND])
    await journalOperator(server.deployment, { operatorId: Number(id), role, hasJoined: false })
}

type AuditFacts = Pick<DeskActTable, 'act' | 'subject' | 'account_id'> & { readonly after: object }

/** Records changes of tables that a test makes, as if two operators had made them at the desk. */
async function recordChanges(
  { deployment }: Pick<RunningServer, 'deployment'>,
  within: Queries,
  entries: readonly AuditFacts[],
): Promise<void> {
  const last = await within
    .selectFrom('desk_act')
    .select(['id', 'hash'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  let [id, previous] = [last?.id ?? 0n, last?.hash ?? NOTHING_BEFORE]
  for (const { after, ...entry } of entries) {
    id += 1n
    const first = entry.act === 'verifyPerson' ? VERIFIER : PAYER
    const row = {
      id,
      at: BigInt(Math.floor(deployment.wallClock())),
      operator_id: first.id,
      operator_name: first.name,
      role: first.role,
      second_id: SECOND.id,
      second_name: SECOND.name,
      reason: 'seen',
      before: null,
      after: JSON.stringify(after),
      case_key: null,
      outcome: 'done',
      journal_at: null,
      ...entry,
      previous_hash: previous,
    }
    previous = hashOfAuditEntry(row)
    await within
      .insertInto('desk_act')
      .values({ ...row, hash: previous })
      .execute()
  }
}

/** Records a verified identity in its table and in the audit log. */
async function recordVerified(server: Pick<RunningServer, 'deployment'>, userId: number): Promise<void> {
  const user = BigInt(userId)
  const at = BigInt(Math.floor(server.deployment.wallClock()))
  await server.deployment.database.queries.transaction().execute(async (within) => {
    await within
      .insertInto('verified_person')
      .values({ user_id: user, at, operator_id: VERIFIER.id, reason: 'seen' })
      .execute()
    const act = { act: 'verifyPerson', subject: `person:${userId}`, account_id: user }
    await recordChanges(server, within, [{ ...act, after: { identity: 'verified' } }])
  })
}

/** Opens a deposit without a picture; returns its number. */
export async function openedDeposit(
  { deployment: { engine } }: RunningServer,
  accountId: number,
  amount: Money,
): Promise<number> {
  const answer = await engine.execute({ type: 'openDeposit', accountId, amount })
  if (isRejection(answer) || isUnavailable(answer) || isNotDone(answer)) throw new Error('not opened')
  const [opened] = answer.entry.events
  if (opened?.type !== 'depositOpened') throw new Error('no deposit')
  return opened.caseId
}

/** A withdrawal at the current fee and price. */
export const NO_QUOTE = { quotedFee: null, quotedPrice: null, quotedReceived: null }

const NO_DETAILS = {
  address: '',
  tag: '',
  hasNoTag: false,
  bankName: '',
  bankAddress: '',
  bic: '',
  payeeName: '',
  payeeAccount: '',
  routeNumber: '',
  payeeAddress: '',
  postCode: '',
  iban: '',
  accountType: null,
  remark: '',
  authCode: null,
}

/** A form that binds a USDT address; `given` overrides fields. */
export const methodForm = (given: object = {}) => ({
  ...NO_DETAILS,
  currencyId: 1,
  kind: 'coin' as const,
  address: TRON_ADDRESS,
  password: PASSWORD,
  ...given,
})

export const bankForm = (given: object = {}) => ({
  ...NO_DETAILS,
  currencyId: 3,
  kind: 'bank' as const,
  bankName: 'Another bank',
  bic: 'DEUTDEFF',
  payeeName: 'Ada',
  iban: IBAN,
  accountType: 'checking' as const,
  password: PASSWORD,
  ...given,
})

/** Binds a USDT address, or what is given, and backdates it, so that withdrawals to it are possible at once. */
export async function oldMethod(
  { deployment }: RunningServer,
  payer: Payer,
  given: object = {},
): Promise<ReceivingMethod> {
  const method = valueOf(await payer.client.call(bindReceivingMethod, methodForm(given)))
  await deployment.database.queries
    .updateTable('receiving_method')
    .set({ bound_at: 0n })
    .where('id', '=', BigInt(method.id))
    .execute()
  return method
}

/** Reports a coin deposit with a picture as its proof. */
export const reportDeposit = async (
  payer: Payer,
  whole: number,
  proof: string,
  reference = '',
): Promise<DepositView> =>
  valueOf(
    await payer.client.call(reportCoinDeposit, {
      amount: sentUnits(whole),
      proof,
      address: TRON_ADDRESS,
      channelId: 1,
      reference,
    }),
  )

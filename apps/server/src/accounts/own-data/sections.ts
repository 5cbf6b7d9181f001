import {
  availableOf,
  decimalText,
  formatDecimal,
  fromUnits,
  LOTS_DECIMALS,
  MONEY_DECIMALS,
  RATE_DECIMALS,
  RATIO_DECIMALS,
  SENT_DECIMALS,
} from '@fairlot/core'
import { type SelectQueryBuilder, sql } from 'kysely'
import { arrivalCodec, sentCodec } from '../../engine/journal/event-codec.ts'
import { REMOVAL } from '../../platform/database/file-schema.ts'
import { identityNumber } from '../../platform/database/identity-schema.ts'
import type { Queries } from '../../platform/database/open.ts'
import type { MoneyCaseTable, OrderTable, Tables } from '../../platform/database/schema.ts'
import type { Vault } from '../../platform/database/vault.ts'
import { csvOf, type CsvRow } from '../../platform/http/csv.ts'
import type { Translate } from '../../platform/i18n/translate.ts'
import { activitiesIn } from '../activity.ts'

/** One list of a user's data, page by page: only one page is in memory. */
export type Section = {
  /** The name of its files. */
  readonly name: string
  readonly columns: readonly string[]
  pages(): AsyncIterable<readonly CsvRow[]>
}

/** Rows of a page. */
const SECTION_ROWS = 200

/** Pages of a query in the order of a running number from 1, which is in the column `key`. */
async function* byNumber<From extends keyof Tables, Row, Key extends keyof Row & string>(
  rowsOf: SelectQueryBuilder<Tables, From, Row>,
  key: Key,
  shown: (row: Row) => CsvRow,
): AsyncGenerator<readonly CsvRow[]> {
  const column = sql.ref<bigint>(key)
  for (let after = 0n; ;) {
    const rows = await rowsOf.where(column, '>', after).orderBy(column).limit(SECTION_ROWS).execute()
    const last = rows.at(-1)
    if (last !== undefined) yield rows.map(shown)
    if (last === undefined || rows.length < SECTION_ROWS) return
    after = last[key] as bigint
  }
}

/** Pages of a query without a running number. */
const byOffset = <From extends keyof Tables, Row>(
  rowsOf: SelectQueryBuilder<Tables, From, Row>,
  shown: (row: Row) => CsvRow,
): AsyncGenerator<readonly CsvRow[]> =>
  pagesOf(({ offset, limit }) => rowsOf.limit(limit).offset(offset).execute(), shown)

async function* pagesOf<Row>(
  load: (part: { readonly offset: number; readonly limit: number }) => Promise<readonly Row[]>,
  shown: (row: Row) => CsvRow,
): AsyncGenerator<readonly CsvRow[]> {
  for (let offset = 0; ; offset += SECTION_ROWS) {
    const rows = await load({ offset, limit: SECTION_ROWS })
    if (rows.length > 0) yield rows.map(shown)
    if (rows.length < SECTION_ROWS) return
  }
}

/** A section as a JSON array, one row per line. */
export async function* jsonOf({ pages }: Section): AsyncGenerator<string> {
  let separator = '[\n'
  for await (const rows of pages()) {
    yield separator + rows.map((row) => JSON.stringify(row)).join(',\n')
    separator = ',\n'
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n'
}

/** A section as CSV. */
export const csvFileOf = ({ columns, pages }: Section): AsyncGenerator<string> => csvOf(columns, pages())

/** A time in UTC (ISO 8601); null for none. */
const moment = (at: bigint | number | null): string | null =>
  at === null ? null : new Date(Number(at)).toISOString()

/** Demo accounts that the user has named as their own. */
const demoAccounts = ({ queries, userId }: DataOf): Section => ({
  name: 'demo-accounts',
  columns: ['number'],
  pages: () =>
    byOffset(
      queries
        .selectFrom('demo_owner')
        .select('demo_id')
        .where('user_id', '=', BigInt(userId))
        .orderBy('demo_id'),
      ({ demo_id }) => ({ number: String(100_000n + demo_id) }),
    ),
})

/** What the user reported about strategies of others. */
const strategyReports = ({ queries, userId }: DataOf): Section => ({
  name: 'strategy-reports',
  columns: ['strategy', 'reason', 'at', 'answeredAt'],
  pages: () =>
    byNumber(
      queries.selectFrom('strategy_report').selectAll().where('user_id', '=', BigInt(userId)),
      'id',
      (row) => ({
        strategy: String(row.strategy_id),
        reason: row.reason,
        at: moment(row.at),
        answeredAt: moment(row.answered_at),
      }),
    ),
})

/** Money with all its decimals. */
const amount = (units: bigint): string => formatDecimal(units, MONEY_DECIMALS)

const lotsText = (units: bigint): string => formatDecimal(units, LOTS_DECIMALS)

const priceText = (ticks: bigint | null, decimals: number): string | null =>
  ticks === null ? null : formatDecimal(ticks, decimals)

/** What the sections read from. Every query is restricted to `userId`. */
export type DataOf = {
  readonly userId: number
  readonly queries: Queries
  readonly vault: Vault
  readonly instrumentOf: (id: number) => { readonly code: string; readonly priceDecimals: number }
  readonly translate: Translate
}

/** The user's profile, activity and messages. */
export const userSections = (of: DataOf): readonly Section[] => [
  profile(of),
  demoAccounts(of),
  identity(of),
  activity(of),
  sessions(of),
  passkeys(of),
  consents(of),
  invitations(of),
  watched(of),
  messages(of),
  notices(of),
  pushDevices(of),
  alerts(of),
  supportChat(of),
  uploads(of),
]

const profile = ({ queries, userId }: DataOf): Section => ({
  name: 'profile',
  columns: [
    'id',
    'number',
    'isDemo',
    'email',
    'phone',
    'area',
    'language',
    'inviteCode',
    'creditScore',
    'status',
    'statusReason',
    'secondFactor',
    'verifiedAt',
    'worksForBroker',
    'registeredAt',
  ],
  pages: () =>
    byOffset(
      queries
        .selectFrom('app_user')
        .leftJoin('member', 'member.user_id', 'app_user.id')
        .leftJoin('account', 'account.id', 'app_user.id')
        .leftJoin('verified_person', 'verified_person.user_id', 'app_user.id')
        .leftJoin('second_factor', 'second_factor.user_id', 'app_user.id')
        .leftJoin('staff_user', 'staff_user.user_id', 'app_user.id')
        .select('staff_user.user_id as staff_id')
        .select(['app_user.id', 'is_demo', 'invite_code', 'credit_score', 'app_user.created_at'])
        .select(['email', 'phone', 'area', 'language', 'account.status', 'account.status_reason'])
        .select(['verified_person.at as verified_at', 'second_factor.confirmed_at'])
        .where('app_user.id', '=', BigInt(userId)),
      (row) => ({
        id: String(row.id),
        number: String(100_000n + row.id),
        isDemo: row.is_demo === 1n ? 'yes' : 'no',
        email: row.email,
        phone: row.phone,
        area: row.area,
        language: row.language,
        inviteCode: row.invite_code,
        creditScore: Number(row.credit_score),
        status: row.status,
        statusReason: row.status_reason,
        secondFactor: row.confirmed_at === null ? 'off' : 'on',
        verifiedAt: moment(row.verified_at),
        worksForBroker: row.staff_id === null ? 'no' : 'yes',
        registeredAt: moment(row.created_at),
      }),
    ),
})

const passkeys = ({ queries, userId }: DataOf): Section => ({
  name: 'passkeys',
  columns: ['name', 'domain', 'isSynced', 'createdAt', 'usedAt'],
  pages: () =>
    byOffset(
      queries
        .selectFrom('passkey')
        .selectAll()
        .where('user_id', '=', BigInt(userId))
        .orderBy('created_at')
        .orderBy('id'),
      (row) => ({
        name: row.name,
        domain: row.domain,
        isSynced: row.is_synced === 1n ? 'yes' : 'no',
        createdAt: moment(row.created_at),
        usedAt: moment(row.used_at),
      }),
    ),
})

/** The document number is in plain text: the user has authenticated again for the archive. */
const identity = ({ queries, vault, userId }: DataOf): Section => ({
  name: 'identity',
  columns: ['status', 'name', 'number', 'front', 'reverse', 'sentAt', 'timesSent', 'decidedAt', 'faults'],
  pages: () =>
    byOffset(
      queries.selectFrom('identity_check').selectAll().where('user_id', '=', BigInt(userId)),
      (row) => ({
        status: row.status,
        name: row.name,
        number: vault.open(row.number, identityNumber(userId)),
        front: row.front,
        reverse: row.reverse,
        sentAt: moment(row.sent_at),
        timesSent: Number(row.times_sent),
        decidedAt: moment(row.decided_at),
        faults: row.faults,
      }),
    ),
})

/** Log-ins, changes and operators' decisions, as listed on the screen. */
const activity = ({ queries, userId, translate }: DataOf): Section => ({
  name: 'activity',
  columns: ['at', 'by', 'text', 'role', 'reason', 'device', 'address'],
  pages: () =>
    pagesOf(
      (part) => activitiesIn(queries, userId, part, translate),
      ({ at, by, text, role, reason, device, address }) => ({
        at: moment(at),
        by,
        text,
        role,
        reason,
        device,
        address,
      }),
    ),
})

/** The browsers that notices are pushed to. */
const pushDevices = ({ queries, userId }: DataOf): Section => ({
  name: 'push-devices',
  columns: ['addedAt', 'device', 'language', 'endpoint'],
  pages: () =>
    byOffset(
      queries
        .selectFrom('push_subscription')
        .select(['created_at', 'device', 'language', 'endpoint'])
        .where('user_id', '=', BigInt(userId))
        .orderBy('created_at')
        .orderBy('id'),
      (row) => ({
        addedAt: moment(row.created_at),
        device: row.device,
        language: row.language,
        endpoint: row.endpoint,
      }),
    ),
})

const sessions = ({ queries, userId }: DataOf): Section => ({
  name: 'sessions',
  columns: ['startedAt', 'seenAt', 'device', 'address'],
  pages: () =>
    byOffset(
      queries
        .selectFrom('session')
        .select(['created_at', 'seen_at', 'device', 'address'])
        .where('user_id', '=', BigInt(userId))
        .orderBy('created_at')
        .orderBy('token_hash'),
      (row) => ({
        startedAt: moment(row.created_at),
        seenAt: moment(row.seen_at),
        device: row.device,
        address: row.address,
      }),
    ),
})

const notices = ({ queries, userId }: DataOf): Section => ({
  name: 'notices',
  columns: ['at', 'kind', 'facts', 'readAt'],
  pages: () =>
    byOffset(
      queries
        .selectFrom('notice')
        .select(['at', 'kind', 'facts', 'read_at'])
        .where('user_id', '=', BigInt(userId))
        .orderBy('at')
        .orderBy('id'),
      (row) => ({ at: moment(row.at), kind: row.kind, facts: row.facts, readAt: moment(row.read_at) }),
    ),
})

/** Alerts, with the tick that last fired each. */
const alerts = ({ queries, userId }: DataOf): Section => ({
  name: 'alerts',
  columns: ['id', 'setAt', 'condition', 'pauseMs', 'expiresAt', 'state', 'endedAt', 'firedAt', 'firing'],
  pages: () =>
    byNumber(
      queries.selectFrom('alert').selectAll().where('account_id', '=', BigInt(userId)),
      'id',
      (row) => ({
        id: Number(row.id),
        setAt: moment(row.set_at),
        condition: row.condition,
        pauseMs: row.pause_ms === null ? null : Number(row.pause_ms),
        expiresAt: moment(row.expires_at),
        state: row.state,
        endedAt: moment(row.ended_at),
        firedAt: moment(row.fired_at),
        firing: row.firing,
      }),
    ),
})

/** The support chat; operators appear as "support". */
const supportChat = ({ queries, userId }: DataOf): Section => ({
  name: 'supportChat',
  columns: ['at', 'by', 'text', 'picture'],
  pages: () =>
    byNumber(
      queries
        .selectFrom('chat_message')
        .select(['id', 'operator_id', 'text', 'picture', 'sent_at'])
        .where('user_id', '=', BigInt(userId)),
      'id',
      (row) => ({
        at: moment(row.sent_at),
        by: row.operator_id === null ? 'user' : 'support',
        text: row.text,
        picture: row.picture,
      }),
    ),
})

const consents = ({ queries, userId }: DataOf): Section => ({
  name: 'consents',
  columns: ['version', 'language', 'at', 'address'],
  pages: () =>
    byOffset(
      queries
        .selectFrom('consent')
        .selectAll()
        .where('user_id', '=', BigInt(userId))
        .orderBy('at')
        .orderBy('version'),
      ({ version, language, at, address }) => ({ version, language, at: moment(at), address }),
    ),
})

/** Only the dates, as the rest is data of other users. */
const invitations = ({ queries, userId }: DataOf): Section => ({
  name: 'invitations',
  columns: ['joinedAt'],
  pages: () =>
    byOffset(
      queries
        .selectFrom('member')
        .innerJoin('app_user', 'app_user.id', 'member.user_id')
        .select(['created_at'])
        .where('invited_by', '=', BigInt(userId))
        .orderBy('app_user.id'),
      (row) => ({ joinedAt: moment(row.created_at) }),
    ),
})

const watched = ({ queries, userId, instrumentOf }: DataOf): Section => ({
  name: 'watch-list',
  columns: ['instrument'],
  pages: () =>
    byOffset(
      queries
        .selectFrom('watched_instrument')
        .select('instrument_id')
        .where('user_id', '=', BigInt(userId))
        .orderBy('instrument_id'),
      (row) => ({ instrument: instrumentOf(Number(row.instrument_id)).code }),
    ),
})

/** Mails and text messages, with codes masked, without those sent to the address before this account existed. */
const messages = ({ queries, userId }: DataOf): Section => ({
  name: 'messages',
  columns: ['at', 'channel', 'recipient', 'subject', 'text', 'state', 'sentAt'],
  pages: () =>
    byOffset(
      queries
        .selectFrom('outbox')
        .innerJoin('member', (join) =>
          join.on(({ eb, ref, or }) =>
            or([
              eb('outbox.recipient', '=', ref('member.email')),
              eb('outbox.recipient', '=', ref('member.phone')),
            ]),
          ),
        )
        .innerJoin('app_user', 'app_user.id', 'member.user_id')
        .select(['outbox.created_at', 'channel', 'recipient', 'subject', 'shown', 'state', 'sent_at'])
        .where('member.user_id', '=', BigInt(userId))
        .whereRef('outbox.created_at', '>=', 'app_user.created_at')
        .orderBy('outbox.created_at')
        .orderBy('outbox.id'),
      (row) => ({
        at: moment(row.created_at),
        channel: row.channel,
        recipient: row.recipient,
        subject: row.subject,
        text: row.shown,
        state: row.state,
        sentAt: moment(row.sent_at),
      }),
    ),
})

/** The pictures themselves are files of the archive, named by key. */
const uploads = ({ queries, userId }: DataOf): Section => ({
  name: 'uploads',
  columns: ['key', 'type', 'bytes', 'width', 'height', 'sha256', 'usedBy', 'at'],
  pages: () =>
    byOffset(
      queries
        .selectFrom('stored_file')
        .selectAll()
        .where('user_id', '=', BigInt(userId))
        .where(({ eb, or }) => or([eb('used_by', 'is', null), eb('used_by', '!=', REMOVAL)]))
        .orderBy('created_at')
        .orderBy('key'),
      (row) => ({
        key: row.key,
        type: row.content_type,
        bytes: Number(row.bytes),
        width: Number(row.width),
        height: Number(row.height),
        sha256: row.sha256,
        usedBy: row.used_by,
        at: moment(row.created_at),
      }),
    ),
})

/** Deposits, withdrawals and receiving methods. Operators appear by role. */
export const moneySections = (of: DataOf): readonly Section[] => [
  cases(of),
  deposits(of),
  withdrawals(of),
  receivingMethods(of),
]

const shownCase = (row: MoneyCaseTable) => ({
  id: String(row.id),
  kind: row.kind,
  status: row.status,
  amount: amount(row.amount),
  fee: amount(row.fee),
  credited: amount(row.credited),
  ...shownRates(row),
  openedAt: moment(row.opened_at),
  askedReason: row.asked_reason,
  endedAt: moment(row.ended_at),
  endedReason: row.ended_reason,
  endedBy: row.ended_at === null ? null : row.ended_by === null ? 'user' : 'operator',
})

/** For a deposit in its own currency: what was sent, what arrived, and the rate at which it was credited. */
function shownRates({ sent, arrived }: MoneyCaseTable) {
  const reported = sent === null ? null : sentCodec.read(JSON.parse(sent))
  const counted = arrived === null ? null : arrivalCodec.read(JSON.parse(arrived))
  const text = (units: bigint | undefined, decimals: number) =>
    units === undefined ? null : decimalText(fromUnits(units, decimals))
  return {
    sentCurrency: reported?.currency ?? null,
    sentAmount: text(reported?.amount, SENT_DECIMALS),
    arrivedAmount: text(counted?.amount, SENT_DECIMALS),
    arrivedAt: moment(counted === null ? null : BigInt(counted.at)),
    rate: text(counted?.rate, RATE_DECIMALS),
  }
}

const cases = ({ queries, userId }: DataOf): Section => ({
  name: 'money-cases',
  columns: [
    'id',
    'kind',
    'status',
    'amount',
    'fee',
    'credited',
    'sentCurrency',
    'sentAmount',
    'arrivedAmount',
    'arrivedAt',
    'rate',
    'openedAt',
    'askedReason',
    'endedAt',
    'endedReason',
    'endedBy',
  ],
  pages: () =>
    byNumber(
      queries.selectFrom('money_case').selectAll().where('account_id', '=', BigInt(userId)),
      'id',
      shownCase,
    ),
})

const deposits = ({ queries, userId }: DataOf): Section => ({
  name: 'deposits',
  columns: [
    'case',
    'kind',
    'currency',
    'network',
    'address',
    'tag',
    'shownAddress',
    'reference',
    'proof',
    'toldAt',
  ],
  pages: () =>
    byNumber(
      queries.selectFrom('deposit').selectAll().where('user_id', '=', BigInt(userId)),
      'case_id',
      (row) => ({
        case: String(row.case_id),
        kind: row.kind,
        currency: row.currency_code,
        network: row.protocol_code,
        address: row.address,
        tag: row.tag,
        shownAddress: row.shown_address,
        reference: row.reference,
        proof: row.proof,
        toldAt: moment(row.told_at),
      }),
    ),
})

const withdrawals = ({ queries, userId }: DataOf): Section => ({
  name: 'withdrawals',
  columns: [
    'case',
    'kind',
    'currency',
    'network',
    'price',
    'received',
    'method',
    'memo',
    'askedAt',
    'approvedAt',
    'approvedRole',
    'reference',
  ],
  pages: () =>
    byNumber(
      queries
        .selectFrom('withdrawal')
        .innerJoin('money_case', 'money_case.id', 'withdrawal.case_id')
        .leftJoin('operator', 'operator.id', 'money_case.approved_by')
        .selectAll('withdrawal')
        .select(['approved_at', 'operator.role as approved_role'])
        .where('user_id', '=', BigInt(userId)),
      'case_id',
      (row) => ({
        case: String(row.case_id),
        kind: row.kind,
        currency: row.code,
        network: row.protocol,
        price: row.price,
        received: row.received,
        method: row.method,
        memo: row.memo,
        askedAt: moment(row.asked_at),
        approvedAt: moment(row.approved_at),
        approvedRole: row.approved_role,
        reference: row.reference,
      }),
    ),
})

const receivingMethods = ({ queries, userId }: DataOf): Section => ({
  name: 'receiving-methods',
  columns: ['id', 'kind', 'details', 'boundAt', 'removedAt'],
  pages: () =>
    byNumber(
      queries.selectFrom('receiving_method').selectAll().where('user_id', '=', BigInt(userId)),
      'id',
      (row) => ({
        id: String(row.id),
        kind: row.kind,
        details: row.details,
        boundAt: moment(row.bound_at),
        removedAt: moment(row.removed_at),
      }),
    ),
})

/**
 * Orders, open and closed, with their receipts, and every movement of the own account and of those of copies; then the
 * user's strategies and copies.
 */
export const tradingSections = (of: DataOf): readonly Section[] => [
  orders(of),
  receipts(of),
  movements(of),
  strategies(of),
  copies(of),
  skippedOrders(of),
  strategyReports(of),
]

/** The user's own account and those of copies. */
const accountsOf = ({ queries, userId }: DataOf) =>
  queries.selectFrom('account').select('id').where('owner_id', '=', BigInt(userId))

const orders = (of: DataOf): Section => ({
  name: 'orders',
  columns: [
    'id',
    'parent',
    'instrument',
    'side',
    'kind',
    'status',
    'endReason',
    'lots',
    'leverage',
    'targetPrice',
    'acceptedPrice',
    'openPrice',
    'closePrice',
    'takeProfit',
    'stopLoss',
    'trailingDistance',
    'margin',
    'fee',
    'profit',
    'createdAt',
    'openedAt',
    'endedAt',
    'expiresAt',
    'account',
    'copiedOrder',
  ],
  pages: () =>
    byNumber(
      of.queries.selectFrom('trade_order').selectAll().where('account_id', 'in', accountsOf(of)),
      'id',
      (row) => shownOrder(row, of.instrumentOf(Number(row.instrument_id))),
    ),
})

const shownOrder = (row: OrderTable, { code, priceDecimals }: ReturnType<DataOf['instrumentOf']>) => ({
  id: String(row.id),
  parent: row.parent_id === null ? null : String(row.parent_id),
  instrument: code,
  side: row.side,
  kind: row.kind,
  status: row.status,
  endReason: row.end_reason,
  lots: lotsText(row.lots),
  leverage: Number(row.leverage),
  targetPrice: priceText(row.target_price, priceDecimals),
  acceptedPrice: priceText(row.accepted_price, priceDecimals),
  openPrice: priceText(row.open_price, priceDecimals),
  closePrice: priceText(row.close_price, priceDecimals),
  takeProfit: priceText(row.take_profit, priceDecimals),
  stopLoss: priceText(row.stop_loss, priceDecimals),
  trailingDistance: priceText(row.trailing_distance, priceDecimals),
  margin: amount(row.margin),
  fee: amount(row.fee),
  profit: amount(row.profit),
  createdAt: moment(row.created_at),
  openedAt: moment(row.opened_at),
  endedAt: moment(row.ended_at),
  expiresAt: moment(row.expires_at),
  account: String(row.account_id),
  copiedOrder: row.copied_order_id === null ? null : String(row.copied_order_id),
})

/** `body` is the exact text that was hashed, so users can verify the hash. */
const receipts = (of: DataOf): Section => ({
  name: 'receipts',
  columns: ['number', 'order', 'at', 'previousHash', 'hash', 'body', 'account'],
  pages: () =>
    byNumber(
      of.queries.selectFrom('receipt').selectAll().where('account_id', 'in', accountsOf(of)),
      'id',
      (row) => ({
        number: Number(row.number),
        order: String(row.order_id),
        at: moment(row.at),
        previousHash: row.previous_hash,
        hash: row.hash,
        body: row.body,
        account: String(row.account_id),
      }),
    ),
})

/** Income is above zero, with the balance after it. */
const movements = (of: DataOf): Section => ({
  name: 'movements',
  columns: ['id', 'at', 'kind', 'amount', 'balance', 'order', 'case', 'account'],
  pages: () =>
    byNumber(
      of.queries.selectFrom('transfer').selectAll().where('account_id', 'in', accountsOf(of)),
      'id',
      (row) => {
        const isIncome = row.credit === availableOf(Number(row.account_id))
        return {
          id: String(row.id),
          at: moment(row.at),
          kind: row.kind,
          amount: amount(isIncome ? row.amount : -row.amount),
          balance: amount(isIncome ? row.credit_balance : row.debit_balance),
          order: row.order_id === null ? null : String(row.order_id),
          case: row.case_id === null ? null : String(row.case_id),
          account: String(row.account_id),
        }
      },
    ),
})

const strategies = ({ queries, userId }: DataOf): Section => ({
  name: 'strategies',
  columns: [
    ...(['id', 'name', 'description', 'hiddenFor'] as const),
    ...(['feePercent', 'publishedAt', 'endedAt', 'endReason'] as const),
  ],
  pages: () =>
    byNumber(
      queries
        .selectFrom('strategy')
        .leftJoin('strategy_text', 'strategy_text.strategy_id', 'strategy.id')
        .selectAll('strategy')
        .select(['name', 'description', 'hidden_for'])
        .where('account_id', '=', BigInt(userId)),
      'id',
      (row) => ({
        id: String(row.id),
        name: row.name,
        description: row.description,
        hiddenFor: row.hidden_for,
        feePercent: decimalText(fromUnits(row.fee_share, PERCENT_DECIMALS)),
        publishedAt: moment(row.published_at),
        endedAt: moment(row.ended_at),
        endReason: row.end_reason,
      }),
    ),
})

/** A ratio of 1e-6 read as percent. */
const PERCENT_DECIMALS = RATIO_DECIMALS - 2

const copies = ({ queries, userId }: DataOf): Section => ({
  name: 'copies',
  columns: [
    'account',
    'strategy',
    'multiplier',
    'exposureLimit',
    'stopLossPercent',
    'feePercent',
    'status',
    'endReason',
    'amount',
    'base',
    'mark',
    'carriedLoss',
    'startedAt',
    'endedAt',
  ],
  pages: () =>
    byNumber(
      queries.selectFrom('copy').selectAll().where('owner_id', '=', BigInt(userId)),
      'account_id',
      (row) => ({
        account: String(row.account_id),
        strategy: String(row.strategy_id),
        multiplier: decimalText(fromUnits(row.multiplier, RATIO_DECIMALS)),
        exposureLimit: Number(row.exposure_limit),
        stopLossPercent: Number(row.stop_loss),
        feePercent: decimalText(fromUnits(row.fee_share, PERCENT_DECIMALS)),
        status: row.status,
        endReason: row.end_reason,
        amount: amount(row.amount),
        base: amount(row.base),
        mark: amount(row.mark),
        carriedLoss: amount(row.carried_loss),
        startedAt: moment(row.started_at),
        endedAt: moment(row.ended_at),
      }),
    ),
})

/** Orders of providers that the user's copies skipped. */
const skippedOrders = (of: DataOf): Section => ({
  name: 'skipped-orders',
  columns: ['account', 'providersOrder', 'reason', 'equity', 'at'],
  pages: () =>
    byOffset(
      of.queries
        .selectFrom('copy_skip')
        .selectAll()
        .where('account_id', 'in', accountsOf(of))
        .orderBy('at')
        .orderBy('id'),
      (row) => ({
        account: String(row.account_id),
        providersOrder: String(row.provider_order_id),
        reason: row.reason,
        equity: row.equity === null ? null : amount(row.equity),
        at: moment(row.at),
      }),
    ),
})

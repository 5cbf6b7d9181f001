import {
  decimalText,
  formatDecimal,
  fromUnits,
  money,
  MONEY_DECIMALS,
  type Request,
  checkRate,
  pathFrom,
  rateText,
  type State,
} from '@fairlot/core'
import {
  coinLabel,
  coinNetworkOf,
  coinTagLabels,
  lineOf,
  takesCoinTag,
  wireAccountLabels,
} from '@fairlot/contract'
import type { CaseNotice, DeskOutcome, DepositChannel, WireAccount } from '@fairlot/contract/desk'
import type { Transaction } from 'kysely'
import type { Queries } from '../../platform/database/open.ts'
import type { DepositChannelTable, WireAccountTable } from '../../platform/database/content-schema.ts'
import type { Tables } from '../../platform/database/schema.ts'
import { accountFacts, channelFacts, referenceRate } from '../deposit-channels.ts'
import { atField, isRefusal, refuse, type Refusal } from '../../platform/refusal.ts'
import { announcedFacts, limitColumns, type LimitColumns, loweredLimits } from '../day-limits.ts'
import { announcementOf, announceParts, changedValues, type PaymentChange } from '../payment-changes.ts'
import { refusalOfReason } from '../../desk/audit-log/audit-log.ts'
import type { DeskServices } from '../../desk/desk-services.ts'
import type { RiskSign } from '../../desk/waiting/waiting-list.ts'
import { nextId } from '../../platform/database/next-id.ts'
import type { DeskOperator } from '../../desk/operators/operators.ts'
import { announcementTexts, textsForEveryone } from '../../desk/approvals/user-texts.ts'
import {
  type ChannelForm,
  channelRow,
  receivingKeyOf,
  readChannel,
  readWire,
  refusalOfChannel,
  refusalOfNetwork,
  refusalOfWire,
  shownChannel,
  shownWire,
  trimmed,
  type WireForm,
  wireRow,
} from './payment-forms.ts'

/** A receiving address or bank account, as entered. */
export type Receiving =
  | { readonly kind: 'channel'; readonly form: ChannelForm }
  | { readonly kind: 'wire'; readonly form: WireForm }
type Place = { readonly id: number | null; readonly version: number }
type ReceivingChange = Receiving & Place

const TABLES = { channel: 'deposit_channel', wire: 'wire_account' } as const
const ACT = 'editPaymentSetup'

type Parts = Pick<DeskServices, 'queries' | 'approvals' | 'auditLog' | 'hub' | 'now'> & {
  /** Called after a change was announced to users. */
  readonly announced: () => void
  /** Where the rates of deposits come from. */
  readonly market: () => Market
}

type Market = Pick<State, 'instruments' | 'settings' | 'quotes'>

/**
 * Addresses and accounts that receive deposits. One operator alone could divert all deposits, so every change needs a
 * second operator; switching one off does not.
 */
export function createReceivingAccounts({
  queries,
  approvals,
  auditLog,
  hub,
  now,
  announced,
  market,
}: Parts) {
  const find = (within: Queries, kind: Receiving['kind'], id: number) =>
    findRow(within, { market: market(), kind, id, now: now() })
  const announcement = (before: Shown, form: ChannelForm | WireForm) =>
    announcementOf(shownChange(before, form), loweredLimits(before, form), {
      at: now(),
      noticeMs: market().settings.noticeMs,
    })
  approvals.register('receivingAccount', {
    name: 'Receiving accounts',
    signsOf: (body) => [
      { weight: 3, why: 'all deposits would be sent there' },
      ...signsOfChannel(readBody(body)),
    ],
    textsOf: async (body, reason) => {
      const change = readBody(body)
      const { id, kind, form } = change
      const before = id === null ? null : await find(queries, kind, id)
      const shown = before ? announcementTexts(announcement(before, form), { reason, at: now() }) : []
      return [...payInTexts(change), ...shown]
    },
    execute: async (body, approved) => {
      const change = readBody(body)
      const { id, kind, form } = change
      const refused = refusalOfRate(market(), form) ?? (await refusalOfDuplicate(queries, change))
      if (refused) return refused
      const before = id === null ? null : await find(queries, kind, id)
      const subject = subjectOf(kind, id)
      const shown = before && announcement(before, form)
      const at = now()
      const limits = limitColumns(before, form, shown?.from ?? at)
      const done = await auditLog.perform(
        {
          ...approved,
          act: ACT,
          subject,
          before: before && factsOf(before),
          after: { ...factsOf({ ...form, isOn: true }), ...announcedFacts(limits) },
        },
        async (within) => {
          const refusal = await write(within, change, { ...limits, at })
          if (refusal || !shown) return refusal
          await announceParts(within, shown, { subject, reason: approved.reason, at })
          return null
        },
      )
      if (!isRefusal(done)) {
        hub.changed('payments')
        announced()
      }
      return done
    },
  })

  return {
    request: async (
      operator: DeskOperator,
      {
        reason,
        isUnlistedNetwork = false,
        ...given
      }: ReceivingChange & { readonly reason: string; readonly isUnlistedNetwork?: boolean },
      request?: Request,
    ): Promise<DeskOutcome | Refusal> => {
      const change = readChange({ ...given, form: trimmed(given.form) } as ReceivingChange)
      if (isRefusal(change)) return change
      const refusal =
        change.kind === 'channel'
          ? (refusalOfChannel(change.form) ??
            refusalOfNetwork(change.form.protocolCode, 'protocolCode', isUnlistedNetwork))
          : refusalOfWire(change.form)
      const { kind, id, version, form } = change
      const refused = refusal ?? refusalOfRate(market(), form) ?? refusalOfReason(reason)
      if (refused) return refused
      const before = id === null ? null : await find(queries, kind, id)
      if (id !== null && !before) return refuse('paymentRowNotFound')
      if (before && before.version !== version) return refuse('formOutdated')
      const duplicate = await refusalOfDuplicate(queries, change)
      if (duplicate) return duplicate
      return approvals.request(operator, {
        kind: 'receivingAccount',
        subject: subjectOf(kind, id),
        body: change,
        reason,
        request,
        before: before && factsOf(before),
        after: factsOf({ ...form, isOn: true }),
      })
    },

    switchOff: async (
      operator: DeskOperator,
      { kind, id, version, reason }: { kind: Receiving['kind']; id: number; version: number; reason: string },
    ): Promise<null | Refusal> => {
      const done = await auditLog.perform(
        {
          operator,
          act: ACT,
          subject: subjectOf(kind, id),
          reason,
          before: { isOn: true },
          after: { isOn: false },
        },
        (within) => renew(within, { kind, id, version }, { is_on: 0n }, now()),
      )
      if (!isRefusal(done)) hub.changed('payments')
      return done
    },
  }
}

/** The texts that users see on the deposit page once the change is approved. */
const payInTexts = (change: Receiving): CaseNotice[] =>
  textsForEveryone((translate) => {
    if (change.kind === 'wire')
      return wireAccountLabels(translate, accountFacts(wireRow(change.form))).map((line) =>
        approved(lineOf(translate, line)),
      )
    const channel = channelFacts(channelRow(change.form))
    const { currency, network, address } = channel
    const tag = coinTagLabels(translate, channel).map((line) => lineOf(translate, line))
    return [`${currency} · ${network}`, address, ...tag, coinLabel(translate, channel)].map(approved)
  })

const approved = (text: string) => ({ when: 'approved', text }) as const

/** What the second operator should look at, as nothing else does. */
function signsOfChannel({ kind, form }: ReceivingChange): RiskSign[] {
  if (kind !== 'channel') return []
  const { protocolCode, tag } = form
  return [
    ...(coinNetworkOf(protocolCode) === null
      ? [{ weight: 3, why: 'the network is not on the list: nothing can check the address' } as const]
      : []),
    ...(takesCoinTag(protocolCode) === 'yes' && tag === ''
      ? [{ weight: 2, why: 'no tag or memo: an address of an exchange needs one' } as const]
      : []),
  ]
}

/** A change as it is stored. */
function readChange(change: ReceivingChange): ReceivingChange | Refusal {
  if (change.kind !== 'channel') return { ...change, form: readWire(change.form) }
  const form = readChannel(change.form)
  return isRefusal(form) ? form : { ...change, form }
}

const subjectOf = (kind: Receiving['kind'], id: number | null): string =>
  `${kind === 'channel' ? 'depositChannel' : 'wireAccount'}:${id ?? 'new'}`

/** The values as operators read them: without internal fields, with amounts in full. */
function factsOf(row: Shown): object {
  const { id: _id, version: _version, changedAt: _changedAt, rateNow: _rateNow, ...shown } = row
  const { comingLimits: _coming, ...own } = shown
  const { dayLimit, personDayLimit, fixedRate, isOn, ...texts } = own
  const limits = { dayLimit: limitText(dayLimit), personDayLimit: limitText(personDayLimit) }
  const rate = fixedRate === null ? 'that of the market' : rateText(fixedRate)
  return { ...texts, fixedRate: rate, ...limits, state: isOn ? 'on' : 'off' }
}

const SHOWN = ['fixedRate', 'dayLimit', 'personDayLimit'] as const

/** A change of rate or limits as announced to users. */
function shownChange(before: Shown, form: ChannelForm | WireForm): Pick<PaymentChange, 'about' | 'fields'> {
  const shownOf = ({ fixedRate, dayLimit, personDayLimit }: Pick<Shown, LimitName | 'fixedRate'>) => ({
    fixedRate: fixedRate === null ? '' : rateText(fixedRate),
    dayLimit: limitOrBlank(dayLimit),
    personDayLimit: limitOrBlank(personDayLimit),
  })
  const about =
    'protocolCode' in form
      ? `${form.currencyCode} · ${form.protocolCode}`
      : `${form.currencyCode} · ${form.bankName}`
  return { about, fields: changedValues(SHOWN, shownOf(before), shownOf(form)) }
}

const limitOrBlank = (limit: bigint | null): string =>
  limit === null ? '' : decimalText(fromUnits(limit, MONEY_DECIMALS))

const limitText = (limit: bigint | null): string =>
  limit === null ? 'none' : formatDecimal(limit, MONEY_DECIMALS)

type Numbers = Partial<Pick<DepositChannel, 'id' | 'version' | 'changedAt' | 'rateNow' | 'comingLimits'>>
type Shown = (ChannelForm | WireForm) & Numbers & { readonly isOn: boolean }

/** Reads a stored request, whose amounts are text in JSON. */
function readBody(body: unknown): ReceivingChange {
  const stored = body as ReceivingChange & {
    readonly form: Readonly<Record<LimitName | 'fixedRate', string | null | undefined>>
  }
  const { dayLimit, personDayLimit, fixedRate } = stored.form
  const form = {
    // Requests from before there were tags have none.
    ...(stored.kind === 'channel' && { tag: '' }),
    ...stored.form,
    dayLimit: readLimit(dayLimit),
    personDayLimit: readLimit(personDayLimit),
    fixedRate: typeof fixedRate === 'string' ? BigInt(fixedRate) : null,
  }
  return { ...stored, form } as ReceivingChange
}

type LimitName = 'dayLimit' | 'personDayLimit'
/** Requests from older versions have no limit for each user. */
const readLimit = (text: string | null | undefined) => (typeof text === 'string' ? money(BigInt(text)) : null)

/** Refuses a fixed rate that is not positive or implausible, and a missing one if the currency has no market rate. */
function refusalOfRate(
  market: Market,
  { currencyCode: currency, fixedRate }: ChannelForm | WireForm,
): Refusal | null {
  if (fixedRate !== null) {
    const refused = checkRate(fixedRate, referenceRate(market, currency))
    return refused && atField(refused, 'fixedRate')
  }
  const { accountCurrency } = market.settings
  return pathFrom(market, currency) === null && referenceRate(market, currency) === null
    ? refuse('fixedRateNeeded', { currency, accountCurrency, field: 'fixedRate' })
    : null
}

/** The refusal of an account that already exists, however it is written; null if it does not. */
async function refusalOfDuplicate(
  queries: Queries,
  { id, ...change }: ReceivingChange,
): Promise<Refusal | null> {
  const key = receivingKeyOf(change)
  const rows =
    change.kind === 'channel'
      ? (await queries.selectFrom('deposit_channel').selectAll().execute()).map((row) => ({
          id: Number(row.id),
          key: receivingKeyOf({ kind: 'channel', form: channelForm(row) }),
        }))
      : (await queries.selectFrom('wire_account').selectAll().execute()).map((row) => ({
          id: Number(row.id),
          key: receivingKeyOf({ kind: 'wire', form: wireForm(row) }),
        }))
  const duplicate = rows.find((row) => row.id !== id && row.key === key)
  const field = change.kind === 'channel' ? 'address' : 'payeeAccount'
  return duplicate ? refuse('receivingAddressTaken', { number: String(duplicate.id), field }) : null
}

const channelForm = (row: DepositChannelTable) => ({
  currencyCode: row.currency_code,
  protocolCode: row.protocol_code,
  address: row.address,
  tag: row.tag,
})
const wireForm = (row: WireAccountTable) => ({
  currencyCode: row.currency_code,
  payeeAccount: row.payee_account,
})

async function findRow(
  queries: Queries,
  {
    market,
    kind,
    id,
    now,
  }: { readonly market: Market; readonly kind: Receiving['kind']; readonly id: number; readonly now: number },
): Promise<DepositChannel | WireAccount | null> {
  const rows = queries.selectFrom(TABLES[kind] as 'deposit_channel').selectAll()
  const row = await rows.where('id', '=', BigInt(id)).executeTakeFirst()
  if (!row) return null
  return kind === 'channel'
    ? shownChannel(market, row, now)
    : shownWire(market, row as unknown as WireAccountTable, now)
}

async function write(
  within: Transaction<Tables>,
  { id, version, ...change }: ReceivingChange,
  { at, ...limits }: LimitColumns & { readonly at: number },
): Promise<null | Refusal> {
  const { kind } = change
  const own = change.kind === 'channel' ? channelRow(change.form) : wireRow(change.form)
  const row = { ...own, ...limits } as Own
  if (id !== null) return renew(within, { kind, id, version }, { ...row, is_on: 1n }, at)
  await within
    .insertInto(TABLES[kind] as 'deposit_channel')
    .values({
      ...row,
      id: await nextId(within, TABLES[kind]),
      is_on: 1n,
      version: 1n,
      changed_at: BigInt(at),
    })
    .execute()
  return null
}

/** Both tables are written by the same statements; these columns are the type of either. */
type Own = Omit<DepositChannelTable, 'id' | 'is_on' | 'version' | 'changed_at'>

async function renew(
  within: Transaction<Tables>,
  { kind, id, version }: { readonly kind: Receiving['kind']; readonly id: number; readonly version: number },
  change: Partial<DepositChannelTable>,
  at: number,
): Promise<null | Refusal> {
  const { numUpdatedRows } = await within
    .updateTable(TABLES[kind] as 'deposit_channel')
    .set({ ...change, version: BigInt(version + 1), changed_at: BigInt(at) })
    .where('id', '=', BigInt(id))
    .where('version', '=', BigInt(version))
    .executeTakeFirst()
  if (numUpdatedRows === 1n) return null
  const rows = within.selectFrom(TABLES[kind] as 'deposit_channel').select('id')
  const isThere = await rows.where('id', '=', BigInt(id)).executeTakeFirst()
  return refuse(isThere ? 'formOutdated' : 'paymentRowNotFound')
}

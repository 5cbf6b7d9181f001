import { formatDecimal, money, MONEY_DECIMALS, type Request } from '@fairlot/core'
import { coinWords, wireWords } from '@fairlot/contract'
import type { CaseWords, DeskOutcome, DepositChannel, WireAccount } from '@fairlot/contract/desk'
import type { Transaction } from 'kysely'
import type { Queries } from '../../database/open.ts'
import type { DepositChannelTable, WireAccountTable } from '../../database/content-schema.ts'
import type { Tables } from '../../database/schema.ts'
import { accountFacts, channelFacts } from '../../funds/charge-channels.ts'
import { isRefusal, refuse, type Refusal } from '../../http/refusal.ts'
import type { DeskServices } from '../desk-services.ts'
import { nextId } from '../next-id.ts'
import type { DeskOperator } from '../operator.ts'
import { everyonesWords } from '../waiting/trader-words.ts'
import {
  refusalOfChannel,
  refusalOfWire,
  withoutMargins,
  type ChannelForm,
  type WireForm,
} from './payment-forms.ts'
import { channelRow, shownChannel, shownWire, wireRow } from './payment-rows.ts'

/** What deposits go to, in the two forms there are. */
export type Receiving =
  | { readonly kind: 'channel'; readonly form: ChannelForm }
  | { readonly kind: 'wire'; readonly form: WireForm }
type Place = { readonly id: number | null; readonly version: number }
type Asked = Receiving & Place

const TABLES = { channel: 'deposit_channel', wire: 'wire_account' } as const
const ACT = 'editPaymentSetup'

/**
 * Addresses and accounts that deposits go to. Whoever could change one alone could take everybody's money, so a second person agrees to
 * each, always; switching one off is done by one.
 */
type Parts = Pick<DeskServices, 'queries' | 'approvals' | 'acts' | 'hub' | 'now'>

export function createReceivingAccounts({ queries, approvals, acts, hub, now }: Parts) {
  approvals.register('receivingAccount', {
    ...{ name: 'Receiving accounts', askAct: ACT, decideAct: 'decidePaymentSetup' },
    signsOf: () => [{ weight: 3, why: 'everybody’s deposits would go there' }],
    wordsOf: (body) => payInWords(readBody(body)),
    execute: async (body, { asked, second, reason, caseKey, approval }) => {
      const change = readBody(body)
      const { id, kind, form } = change
      const before = id === null ? null : await find(queries, kind, id)
      const subject = subjectOf(kind, id)
      const done = await acts.perform(
        {
          ...{ operator: asked, second, act: ACT, subject, reason, caseKey, approval },
          ...{ before: before && told(before), after: told({ ...form, isOn: true }) },
        },
        (within) => write(within, change, now()),
      )
      if (!isRefusal(done)) hub.changed('payments')
      return done
    },
  })

  return {
    ask: async (
      operator: DeskOperator,
      { reason, ...given }: Asked & { readonly reason: string },
      request?: Request,
    ): Promise<DeskOutcome | Refusal> => {
      const change = { ...given, form: withoutMargins(given.form) } as Asked
      const refusal = change.kind === 'channel' ? refusalOfChannel(change.form) : refusalOfWire(change.form)
      if (refusal) return refusal
      const { kind, id, version, form } = change
      const before = id === null ? null : await find(queries, kind, id)
      if (id !== null && !before) return refuse('paymentRowNotFound')
      if (before && before.version !== version) return refuse('formOutdated')
      const approvalId = await approvals.ask(operator, {
        ...{ kind: 'receivingAccount', subject: subjectOf(kind, id), body: change, reason, request },
        ...{ before: before && told(before), after: told({ ...form, isOn: true }) },
      })
      if (isRefusal(approvalId)) return approvalId
      hub.changed('waiting')
      return { approvalId }
    },

    switchOff: async (
      operator: DeskOperator,
      { kind, id, version, reason }: { kind: Receiving['kind']; id: number; version: number; reason: string },
    ): Promise<null | Refusal> => {
      const done = await acts.perform(
        {
          ...{ operator, act: ACT, subject: subjectOf(kind, id), reason },
          ...{ before: { isOn: true }, after: { isOn: false } },
        },
        (within) => renew(within, { kind, id, version }, { is_on: 0n }, now()),
      )
      if (!isRefusal(done)) hub.changed('payments')
      return done
    },
  }
}

/** What whoever pays in will read, as the page for it says it. */
const payInWords = (change: Receiving): CaseWords[] =>
  everyonesWords((translate) => {
    if (change.kind === 'wire')
      return wireWords(translate, accountFacts(wireRow(change.form))).map(({ label, value }) =>
        approved(`${label}: ${value}`),
      )
    const channel = channelFacts(channelRow(change.form))
    const { currency, network, address } = channel
    return [`${currency} · ${network}`, address, coinWords(translate, channel)].map(approved)
  })

const approved = (text: string) => ({ when: 'approved', text }) as const

const subjectOf = (kind: Receiving['kind'], id: number | null): string =>
  `${kind === 'channel' ? 'depositChannel' : 'wireAccount'}:${id ?? 'new'}`

/** As whoever decides reads it: what is not theirs to judge is left out, and amounts are written out. */
function told(row: Shown): object {
  const { id: _id, version: _version, changedAt: _changedAt, dayLimit, personDayLimit, isOn, ...texts } = row
  const limits = { dayLimit: limitText(dayLimit), personDayLimit: limitText(personDayLimit) }
  return { ...texts, ...limits, state: isOn ? 'on' : 'off' }
}

const limitText = (limit: bigint | null): string =>
  limit === null ? 'none' : formatDecimal(limit, MONEY_DECIMALS)

type Numbers = Partial<Pick<DepositChannel, 'id' | 'version' | 'changedAt'>>
type Shown = (ChannelForm | WireForm) & Numbers & { readonly isOn: boolean }

/** Amounts come back from JSON as text. */
function readBody(body: unknown): Asked {
  const asked = body as Asked & { readonly form: Readonly<Record<LimitName, string | null | undefined>> }
  const { dayLimit, personDayLimit } = asked.form
  const form = { ...asked.form, dayLimit: readLimit(dayLimit), personDayLimit: readLimit(personDayLimit) }
  return { ...asked, form } as Asked
}

type LimitName = 'dayLimit' | 'personDayLimit'
/** What was asked for by an older version says nothing of a limit for a person. */
const readLimit = (text: string | null | undefined) => (typeof text === 'string' ? money(BigInt(text)) : null)

async function find(
  queries: Queries,
  kind: Receiving['kind'],
  id: number,
): Promise<DepositChannel | WireAccount | null> {
  const rows = queries.selectFrom(TABLES[kind] as 'deposit_channel').selectAll()
  const row = await rows.where('id', '=', BigInt(id)).executeTakeFirst()
  if (!row) return null
  return kind === 'channel' ? shownChannel(row) : shownWire(row as unknown as WireAccountTable)
}

async function write(
  within: Transaction<Tables>,
  { id, version, ...change }: Asked,
  at: number,
): Promise<null | Refusal> {
  const { kind } = change
  const row = (change.kind === 'channel' ? channelRow(change.form) : wireRow(change.form)) as Own
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

/** The columns that both tables have are all that their statements differ by. */
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
  return refuse((await find(within, kind, id)) ? 'formOutdated' : 'paymentRowNotFound')
}

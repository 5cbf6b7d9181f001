import type { NoticeGroup, OrderView } from '@fairlot/contract'
import { decimalText, fromUnits, MONEY_DECIMALS } from '@fairlot/core'
import type { Transaction } from 'kysely'
import type { Queries } from '../database/open.ts'
import type { NoticeTable } from '../database/notice-schema.ts'
import type { Tables } from '../database/schema.ts'
import { faultLines } from '../i18n/identity-faults.ts'
import { languageOf, translatorFor } from '../i18n/translate.ts'
import { switchedOff } from './notice-choices.ts'
import { GROUP_OF, type NoticeFact, type NoticeKind } from './notice-fact.ts'
import { factOfRow } from './notice-row.ts'
import { noticeIn } from './notice-words.ts'
import type { Addressee, NotificationName, Notifier } from './notifier.ts'

const POLL_MS = 5_000
const AT_ONCE = 50
const HOUR_MS = 3_600_000

/** Mails of a group within an hour; what comes beyond it stands in the app only. */
const MAILS_PER_HOUR: Readonly<Record<NoticeGroup, number>> = {
  ...{ margin: 2, stopOut: 4, account: 6, deposit: 20, withdrawal: 20, identity: 6 },
  // Of these there is nothing to hold back: no mails, or such as nobody must miss.
  ...{ orders: 0, news: 0, support: 0, security: Infinity },
}

type Orders = ReadonlyMap<number, OrderView>

export type NoticeMailOptions = {
  readonly queries: Queries
  readonly notifier: Notifier
  /** Null for who has left no address, such as a demo account. */
  readonly contactOf: (userId: number) => Promise<Addressee | null>
  readonly ordersOf: (userId: number, orderIds: readonly number[]) => Promise<Orders>
  readonly currency: () => string
  /** Real time, epoch ms. */
  readonly now: () => number
  readonly onError: (error: unknown, doing: string) => void
}

export type NoticeMails = {
  /** Looks for notices that a mail is due for. */
  wake(): void
  stop(): Promise<void>
}

/** Writes the mails of notices, each in one transaction with the mark that it is written: none is lost, and none comes twice. */
export function startNoticeMails(options: NoticeMailOptions): NoticeMails {
  const { queries, notifier, onError } = options
  let isStopped = false
  let isAgain = false
  let working: Promise<void> | null = null
  const work = async () => {
    do {
      isAgain = false
      const due = queries
        .selectFrom('notice')
        .selectAll()
        .where('mail', '=', 'due')
        .orderBy('at')
        .limit(AT_ONCE)
      const rows = await due.execute()
      const settled = await settleAll(options, rows, () => isStopped)
      if (rows.length > 0) notifier.send()
      isAgain ||= rows.length === AT_ONCE && settled > 0
    } while (isAgain && !isStopped)
  }
  const wake = () => {
    isAgain = true
    if (isStopped) return
    working ??= work()
      .catch((error: unknown) => isStopped || onError(error, 'writing mails of notices'))
      .then(() => void (working = null))
  }
  const polling = setInterval(wake, POLL_MS)
  wake()
  return {
    wake,
    stop: async () => {
      isStopped = true
      clearInterval(polling)
      await working
    },
  }
}

/** One that fails keeps none of the others waiting. Answers how many did not. */
async function settleAll(
  options: NoticeMailOptions,
  rows: readonly NoticeTable[],
  isOver: () => boolean,
): Promise<number> {
  let settled = 0
  for (const row of rows) {
    if (isOver()) return settled
    try {
      await settle(options, row)
      settled += 1
    } catch (error) {
      options.onError(error, 'writing the mail of a notice')
    }
  }
  return settled
}

async function settle(options: NoticeMailOptions, row: NoticeTable): Promise<void> {
  const { queries, contactOf, notifier, now } = options
  const fact = factOfRow(row)
  const userId = Number(row.user_id)
  const contact = (await isWanted(options, row, GROUP_OF[fact.kind])) ? await contactOf(userId) : null
  const mail = contact && (await mailOf(options, userId, fact, contact))
  await queries.transaction().execute(async (within) => {
    const marked = await within
      .updateTable('notice')
      .set(mail ? { mail: 'written', mailed_at: BigInt(Math.floor(now())) } : { mail: 'none' })
      .where('id', '=', row.id)
      .where('mail', '=', 'due')
      .executeTakeFirst()
    if (mail && marked.numUpdatedRows === 1n)
      await notifier.write(mail.name, contact, mail.values, within as Transaction<Tables>)
  })
}

/** Neither switched off nor one too many. */
async function isWanted(
  { queries, now }: NoticeMailOptions,
  { user_id }: NoticeTable,
  group: NoticeGroup,
): Promise<boolean> {
  if ((await switchedOff(queries, Number(user_id))).has(`${group}.mail`)) return false
  const most = MAILS_PER_HOUR[group]
  if (most === Infinity) return true
  const { count } = await queries
    .selectFrom('notice')
    .select(({ fn }) => fn.countAll<bigint>().as('count'))
    .where('user_id', '=', user_id)
    .where('kind', 'in', kindsOf([group]))
    .where('mailed_at', '>', BigInt(Math.floor(now() - HOUR_MS)))
    .executeTakeFirstOrThrow()
  return Number(count) < most
}

/** The kinds of groups. */
export const kindsOf = (groups: readonly NoticeGroup[]): NoticeKind[] =>
  (Object.keys(GROUP_OF) as NoticeKind[]).filter((kind) => groups.includes(GROUP_OF[kind]))

type Mail = { readonly name: NotificationName; readonly values: Readonly<Record<string, string>> }

/** Steps of money and of an identity have mails of their own, which say more; all else says what the notice says. */
async function mailOf(
  { queries, ordersOf, currency }: NoticeMailOptions,
  userId: number,
  fact: NoticeFact,
  { language }: Addressee,
): Promise<Mail> {
  const name = caseMail(fact)
  const translate = translatorFor(languageOf(language))
  if (name && 'caseId' in fact) {
    const isToldAmount = 'amount' in fact && !(fact.kind === 'depositEnded' && fact.outcome !== 'finished')
    const amount = isToldAmount ? fact.amount : await amountOf(queries, fact.caseId)
    const reason = 'reason' in fact ? fact.reason : ''
    return { name, values: { number: String(fact.caseId), amount, reason, currency: currency() } }
  }
  if (fact.kind === 'identityRejected')
    return { name: fact.kind, values: { faults: faultLines(translate, fact.faults) } }
  if (fact.kind === 'identityUnverified') return { name: fact.kind, values: { reason: fact.reason } }
  if (fact.kind === 'identityVerified') return { name: fact.kind, values: {} }
  const orders = await ordersOf(userId, 'orderId' in fact ? [fact.orderId] : [])
  return { name: 'notice', values: noticeIn(translate, fact, orders) }
}

async function amountOf(queries: Queries, caseId: number): Promise<string> {
  const row = queries.selectFrom('money_case').select('amount').where('id', '=', BigInt(caseId))
  const amount = (await row.executeTakeFirst())?.amount ?? 0n
  return decimalText(fromUnits(amount, MONEY_DECIMALS), 2)
}

const DEPOSIT_ENDS = {
  finished: 'depositFinished',
  rejected: 'depositRejected',
  invalid: 'depositInvalid',
} as const
const WITHDRAWAL_ENDS = { paid: 'withdrawalPaid', rejected: 'withdrawalRejected' } as const

function caseMail(fact: NoticeFact): NotificationName | null {
  if (fact.kind === 'depositEnded') return DEPOSIT_ENDS[fact.outcome]
  if (fact.kind === 'withdrawalEnded') return WITHDRAWAL_ENDS[fact.outcome]
  return 'caseId' in fact ? fact.kind : null
}

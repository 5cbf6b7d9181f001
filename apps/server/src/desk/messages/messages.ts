import {
  DESK_PAGE_ROWS,
  getMessage,
  listMessages,
  resendMessage,
  type Message,
  type MessageDetail,
} from '@fairlot/contract/desk'
import type { Queries } from '../../database/open.ts'
import type { OutboxTable } from '../../database/people-schema.ts'
import { isRefusal, refuse } from '../../http/refusal.ts'
import { MESSAGE_USEFUL_MS } from '../../notifications/notifier.ts'
import { CSV_ROWS_MAX } from '../../http/csv.ts'
import { csvRowOf } from '../csv-row.ts'
import type { DeskServices } from '../desk-services.ts'

/** Never `body`: it holds codes that are still good. */
const COLUMNS = [
  ...(['id', 'channel', 'recipient', 'subject', 'state', 'name', 'created_at', 'tries'] as const),
  ...(['error', 'has_secret', 'shown', 'sent_at', 'next_try_at', 'again_of'] as const),
] as const
type Row = Pick<OutboxTable, (typeof COLUMNS)[number]>

/** Mails and text messages: what became of them, and sending one again. */
export function registerMessages({ api, queries, acts, outbox, hub }: DeskServices): void {
  api.operator(listMessages, async ({ input: { page, ...filter } }) => {
    const fitting = fittingRows(queries, filter)
    const { total } = await fitting
      .select((select) => select.fn.countAll().as('total'))
      .executeTakeFirstOrThrow()
    const rows = await newestOf(fitting)
      .limit(DESK_PAGE_ROWS)
      .offset((page - 1) * DESK_PAGE_ROWS)
      .execute()
    return { messages: rows.map(headOf), total: Number(total) }
  })

  api.csv(listMessages, CSV_COLUMNS, async ({ input: { page: _page, ...filter } }) => {
    const rows = await newestOf(fittingRows(queries, filter)).limit(CSV_ROWS_MAX).execute()
    return rows.map((row) => {
      const head = headOf(row)
      return csvRowOf({ ...head, createdAt: new Date(head.createdAt).toISOString() }, CSV_COLUMNS)
    })
  })

  api.operator(getMessage, async ({ input: { id } }) => {
    const row = await find(queries, id)
    return row ? detailOf(row) : refuse('messageNotFound')
  })

  api.operator(resendMessage, async ({ operator, input: { id, reason } }) => {
    const row = await find(queries, id)
    if (!row) return refuse('messageNotFound')
    const { recipient, channel, name } = row
    const done = await acts.perform(
      {
        ...{ operator, act: 'resendMessage', subject: `message:${id}`, reason },
        after: { recipient, channel, name },
      },
      async (within) => {
        const now = await find(within, id)
        if (!now) return refuse('messageNotFound')
        if (now.has_secret === 1n) return refuse('messageHasSecret')
        // Twice by two operators, or by one who does not wait: the person would get it twice.
        const again = await within
          .selectFrom('outbox')
          .select('id')
          .where('again_of', '=', id)
          .where('state', '=', 'waiting')
          .executeTakeFirst()
        if (now.state === 'waiting' || again) return refuse('messageWaits')
        const sent = await outbox.add(
          {
            ...{ channel: now.channel as 'email' | 'sms', recipient: now.recipient, subject: now.subject },
            ...{ body: now.shown, shown: now.shown, name: now.name, againOf: id },
            usefulForMs: MESSAGE_USEFUL_MS,
          },
          within,
        )
        return { id: sent }
      },
    )
    if (isRefusal(done)) return done
    outbox.wake()
    hub.changed('messages')
    return done
  })
}

const CSV_COLUMNS = ['createdAt', 'channel', 'recipient', 'subject', 'name', 'state', 'tries', 'error']

const newestOf = (fitting: ReturnType<typeof fittingRows>) =>
  fitting.select(COLUMNS).orderBy('created_at', 'desc').orderBy('id')

const find = (queries: Queries, id: string): Promise<Row | undefined> =>
  queries.selectFrom('outbox').select(COLUMNS).where('id', '=', id).executeTakeFirst()

type Filter = {
  readonly state: string | null
  readonly channel: string | null
  readonly search: string
}

function fittingRows(queries: Queries, { state, channel, search }: Filter) {
  let rows = queries.selectFrom('outbox')
  if (state !== null) rows = rows.where('state', '=', state)
  if (channel !== null) rows = rows.where('channel', '=', channel)
  const words = search
    .trim()
    .toLowerCase()
    .replace(/[%_\\]/g, '')
  if (words === '') return rows
  return rows.where(({ eb, or, fn }) =>
    or([
      eb(fn<string>('lower', ['recipient']), 'like', `%${words}%`),
      eb(fn<string>('lower', ['subject']), 'like', `%${words}%`),
    ]),
  )
}

const headOf = (row: Row): Message => ({
  ...{ id: row.id, recipient: row.recipient, subject: row.subject, name: row.name, error: row.error },
  ...{ channel: row.channel as Message['channel'], state: row.state as Message['state'] },
  ...{ createdAt: Number(row.created_at), tries: Number(row.tries), hasSecret: row.has_secret === 1n },
})

const detailOf = (row: Row): MessageDetail => ({
  ...headOf(row),
  ...{ text: row.shown, againOf: row.again_of },
  sentAt: row.sent_at === null ? null : Number(row.sent_at),
  nextTryAt: row.state === 'waiting' ? Number(row.next_try_at) : null,
})

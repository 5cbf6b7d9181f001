import {
  DESK_PAGE_ROWS,
  getMessage,
  listMessages,
  messagesFile,
  resendMessage,
  type Message,
  type MessageDetail,
} from '@fairlot/contract/desk'
import type { Queries } from '../../platform/database/open.ts'
import type { OutboxTable } from '../../platform/database/user-schema.ts'
import { isRefusal, refuse } from '../../platform/refusal.ts'
import { MESSAGE_USEFUL_MS } from '../../notices/message-writer.ts'
import type { DeskServices } from '../../desk/desk-services.ts'

/** Never `body`: it may contain a valid code. */
const COLUMNS = [
  ...(['id', 'channel', 'recipient', 'subject', 'state', 'name', 'created_at', 'tries'] as const),
  ...(['error', 'has_secret', 'shown', 'sent_at', 'next_try_at', 'again_of', 'language'] as const),
] as const
type Row = Pick<OutboxTable, (typeof COLUMNS)[number]>

/** Mails and text messages: their state, and resending one. */
export function registerMessages({ api, queries, auditLog, outbox, hub }: DeskServices): void {
  const readPage = async (
    { page, ...filter }: Filter & { readonly page: number },
    limit = DESK_PAGE_ROWS,
  ) => {
    const fitting = matchingRows(queries, filter)
    const { total } = await fitting
      .select((select) => select.fn.countAll().as('total'))
      .executeTakeFirstOrThrow()
    const rows = await newestOf(fitting)
      .limit(limit)
      .offset((page - 1) * limit)
      .execute()
    return { messages: rows.map(headOf), total: Number(total) }
  }
  api.list(listMessages, ({ input }, limit) => readPage(input, limit), {
    file: messagesFile,
    rowsOf: ({ messages }) => messages,
  })

  api.operator(getMessage, async ({ input: { id } }) => {
    const row = await find(queries, id)
    return row ? detailOf(row) : refuse('messageNotFound')
  })

  api.operator(resendMessage, async ({ operator, input: { id, reason } }) => {
    const row = await find(queries, id)
    if (!row) return refuse('messageNotFound')
    const { recipient, channel, name } = row
    const done = await auditLog.perform(
      {
        operator,
        act: 'resendMessage',
        subject: `message:${id}`,
        reason,
        after: { recipient, channel, name },
      },
      async (within) => {
        const now = await find(within, id)
        if (!now) return refuse('messageNotFound')
        if (now.has_secret === 1n) return refuse('messageHasSecret')
        // Two operators, or two clicks, must not send it twice.
        const again = await within
          .selectFrom('outbox')
          .select('id')
          .where('again_of', '=', id)
          .where('state', '=', 'waiting')
          .executeTakeFirst()
        if (now.state === 'waiting' || again) return refuse('messageWaits')
        const sent = await outbox.add(
          {
            channel: now.channel as 'email' | 'sms',
            recipient: now.recipient,
            subject: now.subject,
            body: now.shown,
            shown: now.shown,
            name: now.name,
            language: now.language,
            againOf: id,
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

const newestOf = (fitting: ReturnType<typeof matchingRows>) =>
  fitting.select(COLUMNS).orderBy('created_at', 'desc').orderBy('id')

const find = (queries: Queries, id: string): Promise<Row | undefined> =>
  queries
    .selectFrom('outbox')
    .select(COLUMNS)
    .where('id', '=', id)
    .where('channel', '!=', 'push')
    .executeTakeFirst()

type Filter = {
  readonly state: string | null
  readonly channel: string | null
  readonly search: string
}

function matchingRows(queries: Queries, { state, channel, search }: Filter) {
  // Pushes repeat notices, which operators see with the user.
  let rows = queries.selectFrom('outbox').where('channel', '!=', 'push')
  if (state !== null) rows = rows.where('state', '=', state)
  if (channel !== null) rows = rows.where('channel', '=', channel)
  const text = search
    .trim()
    .toLowerCase()
    .replace(/[%_\\]/g, '')
  if (text === '') return rows
  return rows.where(({ eb, or, fn }) =>
    or([
      eb(fn<string>('lower', ['recipient']), 'like', `%${text}%`),
      eb(fn<string>('lower', ['subject']), 'like', `%${text}%`),
    ]),
  )
}

const headOf = (row: Row): Message => ({
  id: row.id,
  recipient: row.recipient,
  subject: row.subject,
  name: row.name,
  error: row.error,
  channel: row.channel as Message['channel'],
  state: row.state as Message['state'],
  createdAt: Number(row.created_at),
  tries: Number(row.tries),
  hasSecret: row.has_secret === 1n,
})

const detailOf = (row: Row): MessageDetail => ({
  ...headOf(row),
  text: row.shown,
  againOf: row.again_of,
  sentAt: row.sent_at === null ? null : Number(row.sent_at),
  nextTryAt: row.state === 'waiting' ? Number(row.next_try_at) : null,
})

import { userNumber } from '@fairlot/contract'
import {
  answerChat,
  type DeskChatMessage,
  listUserChat,
  markUserChatSeen,
  settleChat,
  uploadChatPicture,
  viewChatPicture,
} from '@fairlot/contract/desk'
import type { AuditEntry } from '../../desk/audit-log/audit-log.ts'
import type { DeskServices } from '../../desk/desk-services.ts'
import type { DeskOperator } from '../../desk/operators/operators.ts'
import type { CaseContents, WaitingItem, WaitingSource } from '../../desk/waiting/waiting-list.ts'
import type { ChatMessageTable, ChatTable } from '../../platform/database/chat-schema.ts'
import { isRefusal, type Refusal, refuse } from '../../platform/refusal.ts'
import { type Answer, type Chat, chatKeyOf, chatOf, messagesOf, refusalOfMessage } from '../chat.ts'

/** The support chat at the desk. */
export function registerSupportDesk(services: DeskServices, chat: Chat): void {
  const { api, auditLog, queries, hub, waiting, assignments, shared } = services
  const { pictures, takeIn } = shared
  waiting.register(chatSource(services))
  chat.onChanged(() => hub.changed('waiting', 'support'))

  api.operator(listUserChat, async ({ input: { id, before } }) => {
    const { rows, hasMore } = await messagesOf(queries, id, before)
    const known = await chatOf(queries, id)
    return {
      messages: rows.map(shownMessage),
      hasMore,
      unanswered: Number(known?.unanswered ?? 0n),
      lastSeenId: Number(known?.user_seen_id ?? 0n),
    }
  })
  api.operator(markUserChatSeen, async ({ input: { id, to } }) => {
    await chat.noteSeenByDesk(id, to)
    return null
  })

  /** Releases the case once no message of the user is unanswered. */
  const deciding = <T>(operator: DeskOperator, id: number, decide: () => Promise<T | Refusal>) => {
    const caseKey = chatKeyOf(id)
    return assignments.decideUnlessTaken(operator, { caseKey, act: 'answerChat' }, async () => {
      const done = await decide()
      if ((await chatOf(queries, id))?.waiting_since === null) await assignments.clear(caseKey)
      return done
    })
  }
  api.operator(answerChat, async ({ operator, input: { id, text, picture, seen } }) => {
    const refusal = refusalOfMessage(text, picture !== null)
    if (refusal) return refusal
    if (!(await isKnown(services, id))) return refuse('accountNotFound')
    const row = await deciding(operator, id, () =>
      answerOf(services, chat, operator, { userId: id, text, picture, seen }),
    )
    return isRefusal(row) ? row : shownMessage(row)
  })
  api.operator(settleChat, async ({ operator, input: { id, seen, reason } }) =>
    deciding(operator, id, async () => {
      if (!(await chatOf(queries, id))) return refuse('chatNotFound')
      const entry = { ...entryFor(operator, id), reason, after: { settled: true } }
      return chat.withLock(id, () => auditLog.perform(entry, (within) => chat.settle(within, id, seen)))
    }),
  )

  // An upload is not recorded; sending it is.
  api.upload(uploadChatPicture, ({ operator, ...sent }) =>
    takeIn(`operator ${operator.id}`, sent, (original) => pictures.keepToHandOver(operator.id, original)),
  )
  api.file(viewChatPicture, async ({ operator, input: { key } }) => {
    const file = await pictures.find(key)
    const bytes = file?.usedBy?.startsWith('chat:') ? await pictures.bytesOf(file) : null
    if (!file || !bytes) return refuse('fileUnknown')
    return auditLog.performWithoutReason(
      {
        operator,
        act: 'viewChat',
        subject: file.usedBy ?? '',
        accountId: file.userId,
        caseKey: file.usedBy,
        after: { picture: key, sha256: file.sha256 },
      },
      () => Promise.resolve({ bytes, type: file.type, name: 'picture.jpg' }),
    )
  })
}

const entryFor = (operator: DeskOperator, id: number): AuditEntry => {
  const caseKey = chatKeyOf(id)
  return { operator, act: 'answerChat', subject: caseKey, accountId: id, caseKey }
}

type NewAnswer = Omit<Answer, 'operator'>

/** Writes an answer and its audit entry. The entry omits the text: the chat keeps it and cannot be edited. */
const answerOf = (
  { auditLog }: DeskServices,
  chat: Chat,
  operator: DeskOperator,
  answer: NewAnswer,
): Promise<ChatMessageTable | Refusal> =>
  chat.withLock(
    answer.userId,
    () =>
      auditLog.performWithoutReason(
        { ...entryFor(operator, answer.userId), after: afterOf(answer) },
        (within) => chat.addAnswer(within, { ...answer, operator }),
      ),
    answer.text,
  )

const afterOf = ({ text, picture }: NewAnswer) => ({
  characters: text.length,
  ...(picture !== null && { picture }),
})

async function isKnown({ queries }: DeskServices, id: number): Promise<boolean> {
  const row = await queries
    .selectFrom('app_user')
    .select('id')
    .where('id', '=', BigInt(id))
    .executeTakeFirst()
  return row !== undefined
}

const shownMessage = (row: ChatMessageTable): DeskChatMessage => ({
  id: Number(row.id),
  operator: row.operator_name,
  text: row.text,
  picture: row.picture,
  time: Number(row.sent_at),
})

type Row = Pick<ChatTable, 'user_id' | 'waiting_since' | 'unanswered'>

/** Users who wait for an answer. The list omits their messages, which only the support role may read. */
function chatSource({ queries }: Pick<DeskServices, 'queries'>): WaitingSource {
  const waiting = () =>
    queries
      .selectFrom('chat')
      .select(['user_id', 'waiting_since', 'unanswered'])
      .where('waiting_since', 'is not', null)
  return {
    name: 'chat',
    list: async (limit) => (await waiting().orderBy('waiting_since').limit(limit).execute()).map(itemOf),
    count: async () => {
      const { count } = await queries
        .selectFrom('chat')
        .select(({ fn }) => fn.countAll<bigint>().as('count'))
        .where('waiting_since', 'is not', null)
        .executeTakeFirstOrThrow()
      return Number(count)
    },
    find: async (id) => {
      const row = await waiting().where('user_id', '=', BigInt(id)).executeTakeFirst()
      return row ? itemOf(row) : null
    },
    contents: (item) => Promise.resolve(contentsOf(item)),
  }
}

const itemOf = ({ user_id: id, waiting_since: since, unanswered }: Row): WaitingItem => ({
  id: Number(id),
  kind: 'chat',
  kindName: 'Messages',
  title: `Chat with ${userNumber(id)}`,
  summary: unanswered === 1n ? '1 unanswered message' : `${unanswered} unanswered messages`,
  accountId: Number(id),
  amount: null,
  since: Number(since ?? 0n),
  requestedBy: null,
  needsSecond: false,
  decidePermission: 'answerChat',
  signs: [],
})

const contentsOf = ({ since, summary }: WaitingItem): CaseContents => ({
  reason: '',
  facts: [],
  changes: [],
  texts: [],
  decision: 'chat',
  noTexts: 'Users see your answer as you write it. They are not shown who answered.',
  steps: [
    { title: 'Message received', state: 'done', by: null, at: since, note: summary },
    { title: 'Answered by support', state: 'now', by: null, at: null, note: 'shown to the user at once' },
  ],
})

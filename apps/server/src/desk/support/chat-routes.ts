import {
  answerChat,
  listPersonChat,
  noteChatSeen,
  settleChat,
  uploadChatPicture,
  viewChatPicture,
  type DeskChatMessage,
} from '@fairlot/contract/desk'
import type { ChatMessageTable } from '../../database/chat-schema.ts'
import { isRefusal, refuse, type Refusal } from '../../http/refusal.ts'
import { chatKeyOf, type Answer } from '../../support/chat.ts'
import { chatOf, messagesOf } from '../../support/chat-rows.ts'
import { refusalOfMessage } from '../../support/message-text.ts'
import type { Act } from '../acts/act-log.ts'
import type { DeskServices } from '../desk-services.ts'
import type { DeskOperator } from '../operator.ts'
import { chatSource } from './chat-source.ts'

/** The chat with people, at the desk. */
export function registerSupportDesk(services: DeskServices): void {
  const { api, acts, queries, hub, waiting, holders, traders } = services
  const { chat, pictures, takeIn } = traders
  waiting.register(chatSource(services))
  chat.onChanged(() => hub.changed('waiting', 'support'))

  api.operator(listPersonChat, async ({ input: { id, before } }) => {
    const { rows, hasMore } = await messagesOf(queries, id, before)
    const known = await chatOf(queries, id)
    return {
      ...{ messages: rows.map(shownMessage), hasMore, unanswered: Number(known?.unanswered ?? 0n) },
      seenTo: Number(known?.user_seen_id ?? 0n),
    }
  })
  api.operator(noteChatSeen, async ({ input: { id, to } }) => {
    await chat.noteSeenByDesk(id, to)
    return null
  })

  /** Not while somebody else has the case; nobody has it once nothing waits any more. */
  const deciding = async <T>(operator: DeskOperator, id: number, decide: () => Promise<T | Refusal>) => {
    const caseKey = chatKeyOf(id)
    const held = await holders.refusalOf(operator, caseKey)
    if (held) {
      await acts.tellRefused({ operator, act: 'answerChat', subject: caseKey, caseKey }, held)
      return held
    }
    const done = await decide()
    if ((await chatOf(queries, id))?.waiting_since === null) await holders.forget(caseKey)
    return done
  }
  api.operator(answerChat, async ({ operator, input: { id, text, picture, seen } }) => {
    const refusal = refusalOfMessage(text, picture !== null)
    if (refusal) return refusal
    if (!(await isKnown(services, id))) return refuse('accountNotFound')
    const row = await deciding(operator, id, () =>
      answerOf(services, operator, { userId: id, text, picture, seen }),
    )
    return isRefusal(row) ? row : shownMessage(row)
  })
  api.operator(settleChat, async ({ operator, input: { id, seen, reason } }) =>
    deciding(operator, id, async () => {
      if (!(await chatOf(queries, id))) return refuse('chatNotFound')
      const act = { ...actOn(operator, id), reason, after: { settled: true } }
      return chat.inTurn(id, () => acts.perform(act, (within) => chat.settle(within, id, seen)))
    }),
  )

  // What nobody was sent yet is no act; that it is sent is one.
  api.upload(uploadChatPicture, ({ operator, ...sent }) =>
    takeIn(`operator ${operator.id}`, sent, (original) => pictures.keepToHandOver(operator.id, original)),
  )
  api.file(viewChatPicture, async ({ operator, input: { key } }) => {
    const file = await pictures.find(key)
    const bytes = file?.usedBy?.startsWith('chat:') ? await pictures.bytesOf(file) : null
    if (!file || !bytes) return refuse('fileUnknown')
    const seen = { operator, act: 'viewChat', subject: file.usedBy ?? '', accountId: file.userId } as const
    const answer = { bytes, type: file.type, name: 'picture.jpg' }
    return acts.note({ ...seen, caseKey: file.usedBy, after: { picture: key, sha256: file.sha256 } }, () =>
      Promise.resolve(answer),
    )
  })
}

const actOn = (operator: DeskOperator, id: number): Act => {
  const caseKey = chatKeyOf(id)
  return { operator, act: 'answerChat', subject: caseKey, accountId: id, caseKey }
}

type Said = Omit<Answer, 'operator'>

/** An answer, and among the acts that it was given: its words stand in the chat, which nobody can change. */
const answerOf = (
  { acts, traders: { chat } }: DeskServices,
  operator: DeskOperator,
  said: Said,
): Promise<ChatMessageTable | Refusal> =>
  chat.inTurn(
    said.userId,
    () =>
      acts.note({ ...actOn(operator, said.userId), after: afterOf(said) }, (within) =>
        chat.addAnswer(within, { ...said, operator }),
      ),
    said.text,
  )

const afterOf = ({ text, picture }: Said) => ({
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
  ...{ id: Number(row.id), operator: row.operator_name, text: row.text, picture: row.picture },
  time: Number(row.sent_at),
})

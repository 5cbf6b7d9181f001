import type { Queries } from '../database/open.ts'
import type { Addressee, Notifier } from '../notifications/notifier.ts'

type MailOptions = {
  readonly queries: Queries
  readonly notifier: Notifier
  /** Null for whoever can be sent nothing, such as a demo account. */
  readonly contactOf: (userId: number) => Promise<Addressee | null>
  /** Whether a screen of this person is open now. */
  readonly isOnline: (userId: number) => boolean
  /** Real time, epoch ms. */
  readonly now: () => number
}

/** So many at once. */
const AT_ONCE = 200
/** Whoever is here is looked for again after so long, ms. */
const AGAIN_MS = 60_000

/** Mails those who were answered, have not seen it for a while and are not here. The mail does not hold the answer: that is read here. */
export async function mailUnseenAnswers(options: MailOptions): Promise<void> {
  const { queries, notifier, contactOf, isOnline, now } = options
  const due = await queries
    .selectFrom('chat')
    .select('user_id')
    .where('mail_due_at', '<=', BigInt(Math.floor(now())))
    .orderBy('mail_due_at')
    .limit(AT_ONCE)
    .execute()
  for (const { user_id: id } of due) {
    const isHere = isOnline(Number(id))
    const contact = isHere ? null : await contactOf(Number(id))
    await queries.transaction().execute(async (within) => {
      if (contact) await notifier.write('supportAnswered', contact, {}, within)
      await within
        .updateTable('chat')
        .set({ mail_due_at: isHere ? BigInt(Math.floor(now()) + AGAIN_MS) : null })
        .where('user_id', '=', id)
        .execute()
    })
  }
  if (due.length > 0) notifier.send()
}

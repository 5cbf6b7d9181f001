import { randomUUID } from 'node:crypto'
import {
  addPushDevice,
  getPushKey,
  listPushDevices,
  type PushedNotice,
  removePushDevice,
} from '@fairlot/contract'
import { GROUP_OF, isShown, type NoticeFact } from '../engine/projection/notice-facts.ts'
import type { Queries } from '../platform/database/open.ts'
import type { Api } from '../platform/http/api.ts'
import type { Sessions } from '../platform/http/login-sessions.ts'
import {
  languageCodeOf,
  languageOf,
  tagOf,
  translatorFor,
  type Translate,
} from '../platform/i18n/translate.ts'
import type { Message } from '../platform/mail/outbox.ts'
import { areKeysValid, type PushService } from '../platform/push/push-service.ts'
import { refuse } from '../platform/refusal.ts'
import { secretHash } from '../platform/security/secrets.ts'
import { noticeIn, type NoticeSubjects } from './notice-text.ts'

/** A further device takes the place of the one added first. */
const DEVICES_PER_USER = 10
/** A device gets at most this many pushes an hour; further notices appear in the app only. */
const PUSHES_PER_HOUR = 60
const HOUR_MS = 3_600_000
/** A push that could not be handed over by then is given up, ms. */
const USEFUL_MS = 2 * HOUR_MS
/** A push service takes 4,096 bytes in all; the longest characters have three. */
const TEXT_LENGTH_MAX = 600

type PushOptions = {
  readonly queries: Queries
  readonly push: Pick<PushService, 'publicKey' | 'isEndpoint'>
  readonly sessions: Pick<Sessions, 'onEnded'>
  /** Real time, epoch ms. */
  readonly now: () => number
  readonly onError: (error: unknown, doing: string) => void
}

/** The browsers that notices are pushed to: each is added by its user and ends with its session. */
export function registerPushDevices(api: Api, { queries, push, sessions, now, onError }: PushOptions): void {
  api.user(getPushKey, async () => ({ key: await push.publicKey() }))

  api.user(addPushDevice, async ({ user, token, input, language, device }) => {
    if (!push.isEndpoint(input.endpoint)) return refuse('pushAddressRefused', { field: 'endpoint' })
    if (!areKeysValid(input)) return refuse('notUnderstood', { field: 'p256dh' })
    const given = {
      user_id: BigInt(user.id),
      session: secretHash(token ?? ''),
      p256dh: input.publicKey,
      auth: input.secret,
      language,
      device,
    }
    await queries.transaction().execute(async (within) => {
      await within
        .insertInto('push_subscription')
        .values({
          ...given,
          id: randomUUID(),
          endpoint: input.endpoint,
          created_at: BigInt(Math.floor(now())),
        })
        // The same browser, perhaps after another user has logged in.
        .onConflict((conflict) => conflict.column('endpoint').doUpdateSet(given))
        .execute()
      const beyond = within
        .selectFrom('push_subscription')
        .select('id')
        .where('user_id', '=', given.user_id)
        .orderBy('created_at', 'desc')
        .orderBy('id')
        .limit(1_000)
        .offset(DEVICES_PER_USER)
      const ids = (await beyond.execute()).map(({ id }) => id)
      if (ids.length > 0) await within.deleteFrom('push_subscription').where('id', 'in', ids).execute()
    })
    return null
  })

  api.user(listPushDevices, async ({ user, token }) => {
    const rows = await devicesOf(queries, user.id)
    const current = secretHash(token ?? '')
    return {
      devices: rows.map(({ id, device, created_at: at, session }) => ({
        id,
        device,
        addedAt: Number(at),
        isCurrent: session === current,
      })),
    }
  })

  api.user(removePushDevice, async ({ user, input }) => {
    await queries
      .deleteFrom('push_subscription')
      .where('id', '=', input.id)
      .where('user_id', '=', BigInt(user.id))
      .execute()
    return null
  })

  sessions.onEnded(({ tokenHash }) => {
    queries
      .deleteFrom('push_subscription')
      .where('session', '=', tokenHash)
      .execute()
      .catch((error: unknown) => onError(error, 'removing the push subscription of an ended session'))
  })
}

/** Devices in a session that has not ended, the latest first. */
const devicesOf = (queries: Queries, userId: number) =>
  queries
    .selectFrom('push_subscription')
    .innerJoin('session', 'session.token_hash', 'push_subscription.session')
    .selectAll('push_subscription')
    .where('push_subscription.user_id', '=', BigInt(userId))
    .orderBy('push_subscription.created_at', 'desc')
    .orderBy('push_subscription.id')
    .execute()

/** Whether a notice is pushed: not what the user has just done, unless an intruder may have done it. */
const isPushed = (fact: NoticeFact): boolean => isShown(fact) || GROUP_OF[fact.kind] === 'security'

type PushedFact = {
  readonly noticeId: string
  readonly userId: number
  readonly fact: NoticeFact
  /** Title and text, where they are not those of the fact alone. */
  readonly textOf?: (translate: Translate) => { readonly title: string; readonly text: string }
  /** Called only when there is a device to push to. */
  readonly subjects: () => Promise<NoticeSubjects>
}

/** The pushes of a notice, one for each device of its user, in the language of the device. `now`: epoch ms. */
export async function pushesOf(
  queries: Queries,
  { noticeId, userId, fact, textOf, subjects }: PushedFact,
  now: number,
): Promise<readonly Message[]> {
  if (!isPushed(fact)) return []
  const devices = await devicesOf(queries, userId)
  if (devices.length === 0) return []
  const known = await subjects()
  const pushes: Message[] = []
  for (const { id, language } of devices) {
    if (await isLimitReached(queries, id, now)) continue
    const code = languageOf(language)
    const translate = translatorFor(code)
    const { title, text } = textOf ? textOf(translate) : noticeIn(translate, fact, known)
    const notice: PushedNotice = {
      id: noticeId,
      kind: fact.kind,
      group: GROUP_OF[fact.kind],
      title: shortened(title),
      text: shortened(text),
      orderId: 'orderId' in fact ? fact.orderId : null,
      lang: tagOf(languageCodeOf(code)),
    }
    pushes.push({
      channel: 'push',
      recipient: id,
      subject: noticeId,
      body: JSON.stringify(notice),
      usefulForMs: USEFUL_MS,
    })
  }
  return pushes
}

const shortened = (text: string): string =>
  text.length <= TEXT_LENGTH_MAX ? text : `${text.slice(0, TEXT_LENGTH_MAX - 1).toWellFormed()}…`

async function isLimitReached(queries: Queries, deviceId: string, now: number): Promise<boolean> {
  const { count } = await queries
    .selectFrom('outbox')
    .select(({ fn }) => fn.countAll<bigint>().as('count'))
    .where('recipient', '=', deviceId)
    .where('created_at', '>', BigInt(Math.floor(now - HOUR_MS)))
    .executeTakeFirstOrThrow()
  return Number(count) >= PUSHES_PER_HOUR
}

/**
 * After a push has failed for good: has the notice mailed even if its user switched mails off, unless another device
 * has received it or still may.
 */
export async function mailInstead(queries: Queries, push: { id: string; subject: string }): Promise<void> {
  const others = await queries
    .selectFrom('outbox')
    .select('id')
    .where('channel', '=', 'push')
    .where('subject', '=', push.subject)
    .where('id', '!=', push.id)
    .where('state', 'in', ['waiting', 'sent'])
    .executeTakeFirst()
  if (others) return
  await queries
    .updateTable('notice')
    .set({ mail: 'instead' })
    .where('id', '=', push.subject)
    .where('mail', '=', 'none')
    .execute()
}

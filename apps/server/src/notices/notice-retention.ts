import { storedKindsOf } from '../engine/projection/notice-facts.ts'
import type { Queries } from '../platform/database/open.ts'

/** A user keeps this many notices, the newest, so that the table stays bounded. */
export const NOTICES_KEPT = 1_000
const KEPT_MS = 400 * 86_400_000
/** Users per round, and the time between rounds, ms: 100,000 users are checked within a day. */
const USERS_AT_ONCE = 500
const ROUND_MS = 300_000

type Options = {
  readonly queries: Queries
  /** The market clock, which notices are dated by, epoch ms. */
  readonly now: () => number
  readonly onError: (error: unknown, doing: string) => void
}

export type NoticeRetention = {
  /** Removes old notices of the next users. */
  round(): Promise<void>
  stop(): Promise<void>
}

/**
 * Removes notices beyond the newest `NOTICES_KEPT` of a user and those older than 400 days. A notice whose mail is due
 * stays until the mail is written; an unread security notice is never removed.
 */
export function startNoticeRetention({ queries, now, onError }: Options): NoticeRetention {
  let after = -1n
  let inProgress: Promise<void> = Promise.resolve()
  const round = async (): Promise<void> => {
    const users = await queries
      .selectFrom('notice')
      .select('user_id')
      .distinct()
      .where('user_id', '>', after)
      .orderBy('user_id')
      .limit(USERS_AT_ONCE)
      .execute()
    for (const { user_id: userId } of users) {
      await removeOld(queries, userId, now() - KEPT_MS)
      after = userId
    }
    if (users.length < USERS_AT_ONCE) after = -1n
  }
  const timer = setInterval(() => {
    inProgress = inProgress.then(round).catch((error: unknown) => onError(error, 'removing old notices'))
  }, ROUND_MS)
  return {
    round,
    stop: async () => {
      clearInterval(timer)
      await inProgress
    },
  }
}

async function removeOld(queries: Queries, userId: bigint, before: number): Promise<void> {
  const oldestKept = await queries
    .selectFrom('notice')
    .select('at')
    .where('user_id', '=', userId)
    .orderBy('at', 'desc')
    .limit(1)
    .offset(NOTICES_KEPT - 1)
    .executeTakeFirst()
  const byAge = BigInt(Math.floor(before))
  const byCount = oldestKept?.at ?? byAge
  await queries
    .deleteFrom('notice')
    .where('user_id', '=', userId)
    .where('at', '<', byCount > byAge ? byCount : byAge)
    .where('mail', 'not in', ['due', 'instead'])
    .where(({ eb, or }) =>
      or([eb('read_at', 'is not', null), eb('kind', 'not in', storedKindsOf(['security']))]),
    )
    .execute()
}

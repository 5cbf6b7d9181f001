import {
  chooseLanguage,
  closeAccount,
  getClosing,
  getUser,
  listActivity,
  downloadOwnData,
  userNumber,
  type LanguageCode,
  type User,
} from '@fairlot/contract'
import { identityStatusOf } from '../platform/database/identity-schema.ts'
import type { Queries } from '../platform/database/open.ts'
import { noteActivity } from '../platform/database/user-activity.ts'
import type { Engine } from '../engine/engine.ts'
import type { Api } from '../platform/http/api.ts'
import { refuse } from '../platform/refusal.ts'
import { listActivities } from './activity.ts'
import { createClosing } from './own-data/close-account.ts'
import { ARCHIVE_WITHIN_MS, createDataExport, type OwnDataServices } from './own-data/export.ts'

type UserOptions = {
  readonly queries: Queries
  readonly engine: Pick<Engine, 'caughtUp'>
  /** Real time, epoch ms. */
  readonly now: () => number
}

export function registerUser(api: Api, { queries, engine, now }: UserOptions): void {
  api.user(getUser, async ({ user }) => (await findUser(queries, user.id)) ?? refuse('sessionGone'))

  api.user(chooseLanguage, async ({ user, input, device, address }) => {
    await queries.transaction().execute(async (within) => {
      if (!(await setLanguage(within, user.id, input.language))) return
      await noteActivity(within, { userId: user.id, kind: 'languageChosen', at: now(), device, address })
    })
    return null
  })

  api.user(listActivity, async ({ user, input, translate }) => {
    await engine.caughtUp()
    return listActivities(queries, user.id, input.page, translate)
  })
}

/** The download of own data and the closing of accounts. Returns how to complete interrupted closings. */
export function registerOwnData(
  api: Api,
  services: OwnDataServices,
): Pick<ReturnType<typeof createClosing>, 'finish'> {
  const closing = createClosing(services)
  api.file(downloadOwnData, createDataExport(services), { withinMs: ARCHIVE_WITHIN_MS })
  api.user(getClosing, closing.get)
  api.user(closeAccount, closing.close)
  return closing
}

/** A user as in the API; null for an unknown id. */
export async function findUser(queries: Queries, id: number): Promise<User | null> {
  const row = await queries
    .selectFrom('app_user')
    .leftJoin('member', 'member.user_id', 'app_user.id')
    .leftJoin('account', 'account.id', 'app_user.id')
    .leftJoin('verified_person', 'verified_person.user_id', 'app_user.id')
    .leftJoin('identity_check', 'identity_check.user_id', 'app_user.id')
    .select(['verified_person.at as verified_at', 'identity_check.status as identity_status'])
    .select(['is_demo', 'invite_code', 'credit_score', 'email', 'calling_code', 'national_number'])
    .select(['account.status', 'account.status_reason'])
    .where('app_user.id', '=', BigInt(id))
    .executeTakeFirst()
  if (!row) return null
  return {
    id,
    uid: userNumber(id),
    email: row.email,
    phone: row.national_number,
    areaCode: row.calling_code,
    isDemo: row.is_demo === 1n,
    inviteCode: row.is_demo === 1n ? null : row.invite_code,
    creditScore: Number(row.credit_score),
    restriction: restrictionOf(row),
    identityCheck: identityStatusOf(row.verified_at, row.identity_status),
  }
}

const restrictionOf = ({
  status,
  status_reason: reason,
}: {
  readonly status: string | null
  readonly status_reason: string | null
}): User['restriction'] =>
  status === 'closeOnly' || status === 'frozen' ? { status, reason: reason ?? '' } : null

/** Sets a real user's language; false if it was the same before. Demo accounts get no messages, so they have none. */
async function setLanguage(within: Queries, id: number, language: LanguageCode): Promise<boolean> {
  const changed = await within
    .updateTable('member')
    .set({ language })
    .where('user_id', '=', BigInt(id))
    .where('language', '!=', language)
    .executeTakeFirst()
  return changed.numUpdatedRows > 0n
}

import type { OwnProof } from '@fairlot/contract'
import { noteActivity } from '../../database/user-activity.ts'
import type { UserCall } from '../../http/api.ts'
import type { FileAnswer } from '../../http/file-answer.ts'
import { createHolding, createLimit } from '../../http/rate-limits.ts'
import { refuse, type Refusal } from '../../http/refusal.ts'
import { originText } from '../../notifications/origin-text.ts'
import type { OwnDataServices } from '../user-services.ts'
import { archiveOf, type ArchivedPicture } from './archive.ts'
import type { DataOf } from './data-of.ts'
import { moneySections } from './money-sections.ts'
import { personSections } from './person-sections.ts'
import { tradingSections } from './trading-sections.ts'

const DAY_S = 86_400
/** Archives that are made at once: one for each user, and so many in all. */
const OWN_AT_ONCE = 1
const ALL_AT_ONCE = 4
/** Whoever reads more slowly is cut off, ms. */
export const ARCHIVE_WITHIN_MS = 600_000

/** Everything about the caller in one archive. Nothing of anybody else is in it; of operators only the role. */
export function createTakeData(services: OwnDataServices) {
  const { queries, vault, engine, settings, now, checkProof, notifier, contactOf } = services
  const isWithin = createLimit(() => settings.data_downloads_per_day, DAY_S)
  const own = createHolding(OWN_AT_ONCE)
  const all = createHolding(ALL_AT_ONCE)

  const noteTaking = async (userId: number, origin: { device: string; address: string }) => {
    const contact = await contactOf(userId)
    await queries.transaction().execute(async (within) => {
      await noteActivity(within, { userId, kind: 'dataTaken', at: now(), ...origin })
      if (contact) await notifier.write('dataTaken', contact, { origin: originText(origin) }, within)
    })
    notifier.send()
  }

  const make = async ({ user, translate, device, address }: UserCall<OwnProof>) => {
    await noteTaking(user.id, { device, address })
    await engine.caughtUp()
    const of: DataOf = { userId: user.id, queries, vault, translate, instrumentOf: services.instrumentOf }
    return archiveOf({
      about: translate('ownData.about', { number: String(100_000 + user.id) }),
      sections: [...personSections(of), ...moneySections(of), ...tradingSections(of)],
      pictures: await picturesOf(services, user.id),
    })
  }

  return async (call: UserCall<OwnProof>): Promise<FileAnswer | Refusal> => {
    const { user, input } = call
    const barrier = await checkProof(user, input)
    if (barrier) return barrier
    const releases = [own(String(user.id)), all('all')]
    const release = () => releases.forEach((give) => give?.())
    if (releases.includes(null) || !(await isWithin(user.id))) {
      release()
      return refuse('tooManyRequests')
    }
    try {
      const archive = await make(call)
      archive.once('close', release)
      return { bytes: archive, type: 'application/zip', name: `fairlot-${100_000 + user.id}.zip` }
    } catch (error) {
      release()
      throw error
    }
  }
}

/** Their keys alone: the bytes are fetched one after the other. */
async function picturesOf(
  { queries, pictureOf }: OwnDataServices,
  userId: number,
): Promise<readonly ArchivedPicture[]> {
  const rows = await queries
    .selectFrom('stored_file')
    .select('key')
    .where('user_id', '=', BigInt(userId))
    .orderBy('created_at')
    .execute()
  return rows.map(({ key }) => ({ name: `${key}.jpg`, bytes: () => pictureOf(userId, key) }))
}

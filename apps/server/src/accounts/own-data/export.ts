import { Readable } from 'node:stream'
import { type OwnProof, userNumber } from '@fairlot/contract'
import type { ZipFile } from 'yazl'
import type { Engine } from '../../engine/engine.ts'
import { originText } from '../../notices/notice-text.ts'
import type { Addressee, MessageWriter } from '../../notices/message-writer.ts'
import type { Queries } from '../../platform/database/open.ts'
import { noteActivity } from '../../platform/database/user-activity.ts'
import type { Vault } from '../../platform/database/vault.ts'
import type { UserCall } from '../../platform/http/api.ts'
import type { FileAnswer } from '../../platform/http/file-transfer.ts'
import type { Sessions, SessionUser } from '../../platform/http/login-sessions.ts'
import { zip as zipPackage } from '../../platform/lazy-packages.ts'
import { createConcurrencyLimit, createLimit } from '../../platform/rate-limits.ts'
import { type Refusal, refuse } from '../../platform/refusal.ts'
import {
  csvFileOf,
  type DataOf,
  jsonOf,
  moneySections,
  type Section,
  tradingSections,
  userSections,
} from './sections.ts'

/** What the data export and the closing of accounts need. */
export type OwnDataServices = {
  readonly queries: Queries
  readonly engine: Engine
  readonly sessions: Sessions
  readonly vault: Vault
  readonly messageWriter: MessageWriter
  readonly settings: { readonly data_downloads_per_day: number; readonly closing_left_max: number }
  /** Real time, epoch ms. */
  readonly now: () => number
  readonly onError: (error: unknown, doing: string) => void
  readonly instrumentOf: (id: number) => { readonly code: string; readonly priceDecimals: number }
  readonly contactOf: (userId: number) => Promise<Addressee | null>
  /** Null if the proof is right. A demo account needs only its session. */
  readonly checkProof: (
    user: SessionUser,
    proof: OwnProof,
    purpose: 'closing' | 'dataCopy',
  ) => Promise<Refusal | null>
  /** The bytes of a picture of this user; null for anything else. */
  readonly pictureOf: (userId: number, key: string) => Promise<Buffer | null>
}

/** A picture in an archive. Its bytes are read when it is written; null if they were deleted. */
export type ArchivedPicture = { readonly name: string; bytes(): Promise<Buffer | null> }

type Contents = {
  readonly about: string
  readonly sections: readonly Section[]
  readonly pictures: readonly ArchivedPicture[]
}

/**
 * A ZIP archive that is created while it is read, with one page of rows or one picture in memory. Closing the stream
 * stops it; an error while reading destroys the stream with that error.
 */
function archiveOf({ about, sections, pictures }: Contents): Readable {
  const zip = new (zipPackage().ZipFile)()
  const output = zip.outputStream as Readable
  zip.on('error', (error: Error) => output.destroy(error))
  zip.addBuffer(Buffer.from(about), 'about.txt')
  for (const section of sections) {
    addText(zip, `${section.name}.json`, () => jsonOf(section))
    addText(zip, `${section.name}.csv`, () => csvFileOf(section))
  }
  for (const { name, bytes } of pictures)
    zip.addReadStreamLazy(`pictures/${name}`, { compress: false }, (take) => {
      bytes().then(
        (found) => take(null, Readable.from(found === null ? [] : [found])),
        (error: unknown) => take(error, Readable.from([])),
      )
    })
  zip.end()
  return output
}

const addText = (zip: ZipFile, name: string, text: () => AsyncGenerator<string>): void =>
  zip.addReadStreamLazy(name, (take) => take(null, Readable.from(text(), { objectMode: false })))

const DAY_S = 86_400
/** The most archives created at once: for one user, and in total. */
const OWN_AT_ONCE = 1
const ALL_AT_ONCE = 4
/** A download may take this long, ms. */
export const ARCHIVE_WITHIN_MS = 600_000

/** All data of the caller in one archive, with nothing of other users, and of operators only the role. */
export function createDataExport(services: OwnDataServices) {
  const { queries, vault, engine, settings, now, checkProof, messageWriter, contactOf } = services
  const isWithin = createLimit(() => settings.data_downloads_per_day, DAY_S)
  const startOwn = createConcurrencyLimit(OWN_AT_ONCE)
  const startAny = createConcurrencyLimit(ALL_AT_ONCE)

  const recordDownload = async (userId: number, origin: { device: string; address: string }) => {
    const contact = await contactOf(userId)
    await queries.transaction().execute(async (within) => {
      await noteActivity(within, { userId, kind: 'dataTaken', at: now(), ...origin })
      if (contact) await messageWriter.write('dataTaken', contact, { origin: originText(origin) }, within)
    })
    messageWriter.send()
  }

  const make = async ({ user, translate, device, address }: UserCall<OwnProof>) => {
    await recordDownload(user.id, { device, address })
    await engine.caughtUp()
    const of: DataOf = { userId: user.id, queries, vault, translate, instrumentOf: services.instrumentOf }
    return archiveOf({
      about: translate('ownData.about', { number: userNumber(user.id) }),
      sections: [...userSections(of), ...moneySections(of), ...tradingSections(of)],
      pictures: await picturesOf(services, user.id),
    })
  }

  return async (call: UserCall<OwnProof>): Promise<FileAnswer | Refusal> => {
    const { user, input } = call
    const barrier = await checkProof(user, input, 'dataCopy')
    if (barrier) return barrier
    const releases = [startOwn(String(user.id)), startAny('all')]
    const release = () => releases.forEach((releaseOne) => releaseOne?.())
    if (releases.includes(null) || !(await isWithin(user.id))) {
      release()
      return refuse('tooManyRequests')
    }
    try {
      const archive = await make(call)
      archive.once('close', release)
      return { bytes: archive, type: 'application/zip', name: `fairlot-${userNumber(user.id)}.zip` }
    } catch (error) {
      release()
      throw error
    }
  }
}

/** The pictures of a user, by key. */
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

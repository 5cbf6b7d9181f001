import { sql } from 'kysely'
import type { StoredFileTable } from '../database/file-schema.ts'
import type { Queries } from '../database/open.ts'
import { REMOVAL } from '../database/file-schema.ts'
import { bitsBetween, haveSameText, PIECES_MIN, type TextPiece } from './picture-text.ts'

/** A picture of another case that is the same, byte for byte, or looks like it. */
export type SimilarPicture = {
  /** The case that it belongs to, such as `deposit:7`. */
  readonly caseKey: string
  /** Null for one of an operator. */
  readonly userId: number | null
  /** Whether the very same bytes were sent. */
  readonly isSame: boolean
}

type Row = Pick<StoredFileTable, 'key' | 'user_id' | 'original_sha256' | 'look' | 'used_by'>

/** Bits in which two perceptual hashes of pictures without text may differ: what saving a picture again changes. */
const MAX_DIFFERENT_BITS = 3
/** Where the quarters of a hash begin: two hashes that differ in three bits at most share one of the four. */
const QUARTERS = [0, 4, 8, 12] as const
const QUARTER = 4
/** Pictures in one query. */
const AT_ONCE = 100
/** The rarest pieces of text by which other pictures are found: amounts and numbers, which others hardly have. */
const RAREST = 6
/** A piece that pictures of more cases have is a label. */
const CASES_MAX = 500

/** For each picture the same or similar ones of other cases and any user, the earliest first. */
export async function similarPictures(
  queries: Queries,
  keys: readonly string[],
): Promise<ReadonlyMap<string, readonly SimilarPicture[]>> {
  const found = new Map<string, readonly SimilarPicture[]>()
  for (let from = 0; from < keys.length; from += AT_ONCE) {
    const own = await queries
      .selectFrom('stored_file')
      .select(['key', 'user_id', 'original_sha256', 'look', 'used_by'])
      .where('key', 'in', keys.slice(from, from + AT_ONCE))
      .execute()
    const texts = await textsOf(queries, own)
    const candidates = await candidatesOf(queries, own, await keysLike(queries, own, texts))
    const otherTexts = await textsOf(queries, candidates)
    for (const row of own)
      found.set(
        row.key,
        candidates.flatMap((other) =>
          similarityOf(row, other, haveSame(texts.get(row.key), otherTexts.get(other.key))),
        ),
      )
  }
  return found
}

type Text = readonly TextPiece[]

/** The text of each picture, by key; pictures with too little text to compare are left out. */
async function textsOf(queries: Queries, pictures: readonly Row[]): Promise<ReadonlyMap<string, Text>> {
  if (pictures.length === 0) return new Map()
  const keys = pictures.map(({ key }) => key)
  const rows = await queries
    .selectFrom('picture_text')
    .selectAll()
    .where('key', 'in', keys)
    .orderBy('key')
    .orderBy('place')
    .execute()
  const texts = Map.groupBy(rows, ({ key }) => key)
  return new Map(
    [...texts]
      .filter(([, pieces]) => pieces.length >= PIECES_MIN)
      .map(([key, pieces]) => [
        key,
        pieces.map(({ ratio, shape, mark }) => ({ ratio: Number(ratio) / 1_000, shape, mark })),
      ]),
  )
}

/**
 * The keys of pictures that have one of the rarest pieces of text of one of these. Only pieces that pictures of other
 * cases have count: compression spoils a few in each picture, which would else be the rarest, and lead nowhere.
 */
async function keysLike(
  queries: Queries,
  own: readonly Row[],
  texts: ReadonlyMap<string, Text>,
): Promise<readonly string[]> {
  const marks = [...new Set([...texts.values()].flatMap((text) => text.map(({ mark }) => mark)))]
  if (marks.length === 0) return []
  const counted = await comparedPictures(queries)
    .innerJoin('picture_text', 'picture_text.key', 'stored_file.key')
    .select(({ fn }) => ['mark', fn.count<bigint>('used_by').distinct().as('cases')])
    .where('mark', 'in', marks)
    .groupBy('mark')
    .execute()
  const cases = new Map(counted.map(({ mark, cases: count }) => [mark, Number(count)]))
  const rarest = own.flatMap((row) => {
    const others = (mark: string) => (cases.get(mark) ?? 0) - (isCompared(row) ? 1 : 0)
    return [...new Set(texts.get(row.key)?.map(({ mark }) => mark))]
      .filter((mark) => others(mark) > 0 && others(mark) <= CASES_MAX)
      .toSorted((one, other) => others(one) - others(other))
      .slice(0, RAREST)
  })
  if (rarest.length === 0) return []
  const rows = await queries
    .selectFrom('picture_text')
    .select('key')
    .distinct()
    .where('mark', 'in', [...new Set(rarest)])
    .execute()
  return rows.map(({ key }) => key)
}

/** The pictures of cases of users. One sent to support staff does not claim a second transfer. */
const comparedPictures = (queries: Queries) =>
  queries
    .selectFrom('stored_file')
    .where('used_by', 'is not', null)
    .where('used_by', '!=', REMOVAL)
    .where('user_id', 'is not', null)
    .where('used_by', 'not like', `${CHAT}%`)

/** The same of one picture. */
const isCompared = ({ user_id, used_by }: Row): boolean =>
  user_id !== null && used_by !== null && used_by !== REMOVAL && !used_by.startsWith(CHAT)

const CHAT = 'chat:'

/** Whether two pictures have the same text; null where one of them has too little text to compare. */
const haveSame = (own: Text | undefined, other: Text | undefined): boolean | null =>
  own && other ? haveSameText(own, other) : null

/** Pictures of these keys, or that share a byte hash or a quarter of a perceptual hash with one of them; an index finds each. */
async function candidatesOf(
  queries: Queries,
  rows: readonly Row[],
  keys: readonly string[],
): Promise<readonly Row[]> {
  if (rows.length === 0) return []
  const hashes = [...new Set(rows.map((row) => row.original_sha256))]
  const quarters = QUARTERS.map((at) => {
    const parts = rows.map(({ look }) => look.slice(at, at + QUARTER)).filter((part) => !isPlain(part))
    return { at, parts: [...new Set(parts)] }
  })
  return comparedPictures(queries)
    .select(['key', 'user_id', 'original_sha256', 'look', 'used_by'])
    .where((its) =>
      its.or([
        its('original_sha256', 'in', hashes),
        ...(keys.length > 0 ? [its('key', 'in', keys)] : []),
        ...quarters
          .filter(({ parts }) => parts.length > 0)
          .map(({ at, parts }) => its(sql<string>`substr(look, ${sql.lit(at + 1)}, 4)`, 'in', parts)),
      ]),
    )
    .orderBy('created_at')
    .orderBy('key')
    .execute()
}

/** Rows of a single grey: half of all documents have some at their edge, so they identify nothing. */
const isPlain = (part: string): boolean => /^(0+|f+)$/.test(part)

function similarityOf(own: Row, other: Row, hasSameText: boolean | null): SimilarPicture[] {
  if (other.key === own.key || other.used_by === null || other.used_by === own.used_by) return []
  const isSame = other.original_sha256 === own.original_sha256
  if (!isSame && !(hasSameText ?? looksSame(own, other))) return []
  const userId = other.user_id === null ? null : Number(other.user_id)
  return [{ caseKey: other.used_by, userId, isSame }]
}

const looksSame = (own: Row, other: Row): boolean =>
  !isPlain(own.look) && bitsBetween(own.look, other.look) <= MAX_DIFFERENT_BITS

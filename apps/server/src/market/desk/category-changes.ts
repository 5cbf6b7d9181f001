/** Operators' changes of categories: created, renamed, moved, and removed while empty. */
import { CATEGORIES_MAX, CATEGORY_LENGTH, type CategoryName, type DeskCategory } from '@fairlot/contract/desk'
import type { State } from '@fairlot/core'
import type { Transaction } from 'kysely'
import type { Tables } from '../../platform/database/schema.ts'
import { isRefusal, refuse, type Refusal } from '../../platform/refusal.ts'
import { appNamesOf, namesOf, readCategories, type Category } from '../category-book.ts'
import type { DeskServices } from '../../desk/desk-services.ts'
import { nextId } from '../../platform/database/next-id.ts'
import type { DeskOperator } from '../../desk/operators/operators.ts'

type Saved = { readonly id: number; readonly version: number }
type Form = { readonly code: string; readonly names: readonly CategoryName[] }
type CategoryRequest = Form & {
  readonly id: number | null
  readonly version: number
  readonly behind: number | null
  readonly reason: string
}

/** The categories, each with the number of instruments in it now or by announced changes. */
export const categoryRows = (state: State, categories: readonly Category[]): DeskCategory[] =>
  categories.map((category) => ({
    id: category.id,
    version: category.version,
    code: category.code,
    names: namesOf(category),
    instruments: countIn(state, category.code),
  }))

function countIn({ listings, announced }: State, code: string): number {
  const within = new Set([...listings].flatMap(([id, { category }]) => (category === code ? id : [])))
  for (const { change } of announced.values())
    if (change.kind === 'instrument' && change.listing?.category === code) within.add(change.instrument.id)
  return within.size
}

export function createCategoryChanges({ deployment, auditLog, hub }: DeskServices) {
  const { engine, categories } = deployment
  const publish = async (code: string) => {
    await categories.refresh(code)
    hub.changed('market')
  }

  return {
    save: async (
      operator: DeskOperator,
      { reason, ...requested }: CategoryRequest,
    ): Promise<Saved | Refusal> => {
      const form = { code: requested.code.trim(), names: trimmed(requested.names) }
      const known = categories.all()
      const before = known.find(({ id }) => id === requested.id)
      const behind = known.find(({ id }) => id === requested.behind)?.code ?? null
      const saved = await auditLog.perform(
        {
          operator,
          act: 'editCategories',
          subject: `category:${form.code.slice(0, CATEGORY_LENGTH)}`,
          reason,
          before: before ? auditValues(before, behindIn(known, before)) : null,
          after: auditValues(form, behind),
        },
        (within) => write(within, { ...requested, ...form }),
      )
      if (!isRefusal(saved)) await publish(form.code)
      return saved
    },

    remove: async (
      operator: DeskOperator,
      { id, version, reason }: Saved & { readonly reason: string },
    ): Promise<null | Refusal> => {
      const known = categories.all()
      const before = known.find((category) => category.id === id)
      const subject = `category:${before?.code ?? id}`
      const was = before ? auditValues(before, behindIn(known, before)) : null
      const audited = { operator, act: 'editCategories', subject, reason, before: was } as const
      const done = await auditLog.perform<null>(audited, async (within) => {
        const all = await readCategories(within)
        const row = all.find((category) => category.id === id)
        if (!row) return refuse('categoryNotFound')
        if (row.version !== version) return refuse('formOutdated')
        // Not `readEngine`: it would wait for a commit, and this transaction may hold the only connection.
        const count = countIn(engine.state(), row.code)
        if (count > 0) return refuse('categoryInUse', { count })
        await within.deleteFrom('instrument_category').where('id', '=', BigInt(id)).execute()
        const left = all.filter((category) => category !== row)
        await arrange(
          within,
          all,
          left.map((category) => category.id),
        )
        return null
      })
      if (!isRefusal(done) && before) await publish(before.code)
      return done
    },
  }
}

const trimmed = (names: readonly CategoryName[]): CategoryName[] =>
  names.flatMap(({ language, name }) => (name.trim() === '' ? [] : { language, name: name.trim() }))

/** A category as recorded in the audit log. */
const auditValues = (category: Pick<Category, 'code' | 'names'>, behind: string | null) => ({
  code: category.code,
  ...Object.fromEntries(namesOf(category).map(({ language, name }) => [`name.${language}`, name])),
  behind,
})

const behindIn = (categories: readonly Category[], category: Category): string | null =>
  categories[categories.indexOf(category) - 1]?.code ?? null

/** Writes a category at its position; those behind it move. */
async function write(
  within: Transaction<Tables>,
  { id, version, code, names, behind }: Omit<CategoryRequest, 'reason'>,
): Promise<Saved | Refusal> {
  const all = await readCategories(within)
  const row = all.find((category) => category.id === id)
  if (id !== null && !row) return refuse('categoryNotFound')
  if (row && row.version !== version) return refuse('formOutdated')
  const others = all.filter((category) => category !== row)
  if (row && row.code !== code) return refuse('termsFixed', { field: 'code' })
  if (!row && all.length >= CATEGORIES_MAX) return refuse('tooManyCategories', { most: CATEGORIES_MAX })
  const refusal = refusalOf({ code, names }, others)
  if (refusal) return refusal
  if (behind !== null && !others.some((category) => category.id === behind)) return refuse('formOutdated')
  const saved = {
    id: row?.id ?? Number(await nextId(within, 'instrument_category')),
    version: row ? version + 1 : 1,
  }
  const values = { names: storedNames({ code, names }), version: BigInt(saved.version) }
  if (row)
    await within.updateTable('instrument_category').set(values).where('id', '=', BigInt(row.id)).execute()
  else
    await within
      .insertInto('instrument_category')
      .values({ ...values, id: BigInt(saved.id), code, place: 0n })
      .execute()
  const at = others.findIndex((category) => category.id === behind) + 1
  await arrange(within, all, others.map((category) => category.id).toSpliced(at, 0, saved.id))
  return saved
}

/** Names equal to the app's own are stored as null, so that languages added to the app later apply. */
function storedNames(form: Form): string | null {
  const app = appNamesOf(form.code)
  const isSame =
    app.length === form.names.length &&
    app.every(({ language, name }) =>
      form.names.some((other) => other.language === language && other.name === name),
    )
  return isSame ? null : JSON.stringify(form.names)
}

/** Positions count from 1 without gaps; only changed ones are written. */
async function arrange(
  within: Transaction<Tables>,
  before: readonly Category[],
  ids: readonly number[],
): Promise<void> {
  for (const [index, id] of ids.entries()) {
    if (before[index]?.id === id) continue
    await within
      .updateTable('instrument_category')
      .set({ place: BigInt(index + 1) })
      .where('id', '=', BigInt(id))
      .execute()
  }
}

const same = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

/** Why a code or name is not possible beside the other categories; null if it is. */
function refusalOf({ code, names }: Form, others: readonly Category[]): Refusal | null {
  const texts = [['code', code] as const, ...names.map(({ language, name }) => [language, name] as const)]
  const isLine = (text: string) => text !== '' && !/\p{Cc}|[\u2028\u2029]/u.test(text)
  const bad = texts.find(([, text]) => !isLine(text))
  if (bad || names.length === 0) return refuse('categoryInvalid', { field: bad?.[0] ?? 'names' })
  const long = texts.find(([, text]) => text.length > CATEGORY_LENGTH)
  if (long) return refuse('contentTooLong', { field: long[0], most: CATEGORY_LENGTH })
  const repeated = names.find(
    ({ language }, index) => names.findIndex((n) => n.language === language) < index,
  )
  if (repeated) return refuse('categoryInvalid', { field: repeated.language })
  return takenBy({ code, names }, others)
}

/** Refused when another category has the same code, or the same name in a language. */
function takenBy({ code, names }: Form, others: readonly Category[]): Refusal | null {
  if (others.some((other) => same(other.code, code)))
    return refuse('categoryTaken', { field: 'code', name: code })
  const taken = names.find(({ language, name }) =>
    others.some((other) => namesOf(other).some((its) => its.language === language && same(its.name, name))),
  )
  return taken ? refuse('categoryTaken', { field: taken.language, name: taken.name }) : null
}

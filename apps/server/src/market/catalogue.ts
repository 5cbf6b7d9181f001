import type { Queries } from '../database/open.ts'
import { seedInstruments, type InstrumentSeed } from '../seed/seed.ts'

export type CatalogueCategory = { readonly id: number; readonly name: string }
export type CatalogueInstrument = InstrumentSeed & { readonly categoryId: number }

/** Everything on offer, highest rank first. */
export type Catalogue = {
  readonly categories: readonly CatalogueCategory[]
  readonly instruments: readonly CatalogueInstrument[]
  readonly byId: ReadonlyMap<number, CatalogueInstrument>
  readonly byCode: ReadonlyMap<string, CatalogueInstrument>
}

/** Loads what is on offer; a fresh database gets the seeded instruments first. */
export async function loadCatalogue(queries: Queries): Promise<Catalogue> {
  const first = await queries.selectFrom('instrument').select('id').limit(1).executeTakeFirst()
  if (!first) await seedCatalogue(queries)
  const categories = await queries.selectFrom('category').selectAll().orderBy('sort').execute()
  const instruments = await readInstruments(queries)
  return {
    categories: categories.map(({ id, name }) => ({ id: Number(id), name })),
    instruments,
    byId: new Map(instruments.map((listed) => [listed.instrument.id, listed])),
    byCode: new Map(instruments.map((listed) => [listed.instrument.code, listed])),
  }
}

/** The instruments on offer, highest rank first. */
export async function readInstruments(queries: Queries): Promise<CatalogueInstrument[]> {
  const rows = await queries.selectFrom('instrument').selectAll().orderBy('sort', 'desc').execute()
  return rows.map((row) => ({
    ...(JSON.parse(row.terms) as InstrumentSeed),
    categoryId: Number(row.category_id),
  }))
}

async function seedCatalogue(queries: Queries): Promise<void> {
  const seeds = seedInstruments()
  const names = [...new Set(seeds.map((seed) => seed.category))]
  const categoryIds = new Map(names.map((name, index) => [name, BigInt(index + 1)]))
  await queries.transaction().execute(async (transaction) => {
    await transaction
      .insertInto('category')
      .values(names.map((name, index) => ({ id: BigInt(index + 1), name, sort: BigInt(index + 1) })))
      .execute()
    await transaction
      .insertInto('instrument')
      .values(
        seeds.map((seed) => ({
          id: BigInt(seed.instrument.id),
          code: seed.instrument.code,
          category_id: categoryIds.get(seed.category) ?? 1n,
          sort: BigInt(seed.sort),
          terms: JSON.stringify(seed),
        })),
      )
      .execute()
  })
}

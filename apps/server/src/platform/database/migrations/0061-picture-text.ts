import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The pieces of text in pictures. Pictures from before have none, and are compared as a whole. */
export const pictureText = (): Migration => ({
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .createTable('picture_text')
      .addColumn('key', 'text', (column) => column.notNull())
      .addColumn('place', 'bigint', (column) => column.notNull())
      .addColumn('ratio', 'bigint', (column) => column.notNull())
      .addColumn('shape', 'text', (column) => column.notNull())
      .addColumn('mark', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('picture_text_place', ['key', 'place'])
      .execute()
    await db.schema.createIndex('picture_text_mark').on('picture_text').columns(['mark']).execute()
  },
})

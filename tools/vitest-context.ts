/** Values that tools/vitest-setup.ts provides to every test: `inject('postgresUrl')`. */
declare module 'vitest' {
  export interface ProvidedContext {
    /** An empty PostgreSQL database of this run, dropped afterwards; null when no server was found. */
    postgresUrl: string | null
    /** Whether server tests run on every database there is, or on the embedded one only. */
    databases: 'every' | 'one'
    /**
     * Databases with all tables and no rows to copy, because migrating for every test would take most of its time.
     */
    templates: {
      /** A folder with an SQLite database. */
      readonly sqlite: string
      /** The name of a database on the same PostgreSQL server; empty when no server was found. */
      readonly postgres: string
    }
  }
}

export {}

/** What tools/vitest-setup.ts hands to every test: `inject('postgresUrl')`. */
declare module 'vitest' {
  export interface ProvidedContext {
    /** An empty PostgreSQL database of this run alone, dropped afterwards; null when no server was found. */
    postgresUrl: string | null
  }
}

export {}

import type { FastifyServerOptions } from 'fastify'

type Factories = NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>

/**
 * Prevents Fastify from loading schema compilers: the codecs of the contract check requests and answers, and the schemas
 * of routes are for the API page only.
 */
export const NO_SCHEMA_COMPILERS = {
  compilersFactory: {
    buildValidator: (() => () => () => true) as unknown as NonNullable<Factories['buildValidator']>,
    buildSerializer: () => () => (data: unknown) => JSON.stringify(data),
  },
}

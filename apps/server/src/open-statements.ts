import type { Deployment } from './deployment.ts'
import { createStatements, type Statements } from './funds/statement/statements.ts'
import { findUser } from './user/routes.ts'

/** Statements, with what instruments and their owners are called. */
export function openStatements({ database, engine, market, settings }: Deployment): Statements {
  const { queries } = database
  return createStatements({
    ...{ queries, engine, now: () => market.now(), findUser: (id) => findUser(queries, id) },
    instrumentOf: (id) => {
      const listed = market.registry.byId.get(id)
      return { code: listed?.showCode ?? String(id), priceDecimals: listed?.instrument.priceDecimals ?? 0 }
    },
    house: {
      get company() {
        return settings.company_name
      },
      get currency() {
        return market.registry.settings.accountCurrency
      },
    },
  })
}

import type { User } from '@fairlot/contract'
import type { Posting } from '@fairlot/core'
import type { Deployment } from '../deployment/deployment.ts'
import type { Services } from '../deployment/services.ts'
import type { PaymentServices } from './payment-cases.ts'
import { fundsOf, recordsOf } from './records.ts'
import { registerFunds, registerPayments } from './routes.ts'
import { createStatements, type Statements } from './statement/statements.ts'

/** What the funds area needs from the accounts area. */
type AccountsForFunds = {
  readonly contactOf: PaymentServices['contactOf']
  readonly checkSecondFactor: PaymentServices['checkSecondFactor']
  readonly checkEither: PaymentServices['checkIdentity']
  readonly findUser: (id: number) => Promise<User | null>
}

/** Balances, records, statements, deposits and withdrawals. */
export function registerFundsArea(
  { api, deployment, followUps, messageWriter, pictures, totals, submitted }: Services,
  accounts: AccountsForFunds,
): { readonly statements: Statements } {
  const { engine, market, settings, wallClock } = deployment
  const { queries } = deployment.database
  const statements = openStatements(deployment, accounts.findUser)
  registerFunds(api, { engine, queries, totals, statements, now: market.now })
  registerPayments(api, {
    followUps,
    queries,
    engine,
    messageWriter,
    settings,
    now: wallClock,
    contactOf: accounts.contactOf,
    checkSecondFactor: accounts.checkSecondFactor,
    checkIdentity: accounts.checkEither,
    proofs: pictures,
    withCurrency: deployment.payments.withCurrency,
    onSubmitted: () => submitted.emit(null),
  })
  return { statements }
}

function openStatements(
  { database: { queries }, engine, market, settings }: Deployment,
  findUser: AccountsForFunds['findUser'],
): Statements {
  return createStatements({
    queries,
    engine,
    now: market.now,
    findUser,
    instrumentOf: (id) => {
      const listed = market.registry.byId.get(id)
      return { code: listed?.showCode ?? String(id), priceDecimals: listed?.instrument.priceDecimals ?? 0 }
    },
    broker: {
      get company() {
        return settings.company_name
      },
      get currency() {
        return market.registry.settings.accountCurrency
      },
    },
  })
}

/** A user's funds and records as the API returns them, for the private stream. */
export const fundsViews = ({ engine, database: { queries } }: Deployment) => ({
  fundsOf: (userId: number) => fundsOf(engine, userId),
  recordsOf: (userId: number, postings: readonly Posting[]) => recordsOf(engine, queries, userId, postings),
})

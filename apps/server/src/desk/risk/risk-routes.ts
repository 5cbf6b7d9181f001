import {
  exposureFile,
  foretellMove,
  getExposure,
  getHouseSummary,
  listNearAccounts,
  moveFile,
  nearAccountsFile,
  type MoveEffect,
} from '@fairlot/contract/desk'
import { fromUnits, toUnits, type Decimal, type LedgerKind, type State } from '@fairlot/core'
import { isUnavailable, type Unavailable } from '../../engine/pending-command.ts'
import { refuse, type Refusal } from '../../http/refusal.ts'
import type { DeskServices } from '../desk-services.ts'
import { createBookRounds } from './book-rounds.ts'
import { exposureOf } from './exposure.ts'
import { foretell } from './foretell.ts'
import { houseSummary } from './house-summary.ts'
import { nearAccounts } from './near-accounts.ts'

/** A hundredth of a percent is one part in 10,000. */
const PERCENT_DECIMALS = 2

type Asked = { readonly ledger: LedgerKind }
type Move = Asked & {
  readonly percent: Decimal
  readonly instrumentId: number | null
  readonly category: string | null
}

/** What the house stands to lose, as it is and as it might be. */
export function registerRisk(services: DeskServices): void {
  const { api, deployment } = services
  const { engine, market } = deployment
  const rounds = createBookRounds(engine, () => market.now())

  const exposure = async ({ ledger }: Asked) => {
    const round = await rounds.latest()
    if (isUnavailable(round)) return refuse('engineUnavailable')
    const state = engine.state()
    const currency = state.settings.accountCurrency
    return { at: round.at, currency, ...exposureOf(state, round, ledger) }
  }
  api.list(getExposure, ({ input }) => exposure(input), {
    ...{ file: exposureFile, rowsOf: ({ instruments }) => instruments },
  })

  const near = async ({ ledger }: Asked) => {
    const round = await rounds.latest()
    const accounts = isUnavailable(round) ? round : await nearAccounts(engine, round, ledger)
    if (isUnavailable(round) || isUnavailable(accounts)) return refuse('engineUnavailable')
    const { stopOutLevel, warningLevel } = engine.state().settings
    const levels = { stopOutLevel: fromUnits(stopOutLevel, 0), warningLevel: fromUnits(warningLevel, 0) }
    return { at: round.at, ...levels, accounts }
  }
  api.list(listNearAccounts, ({ input }) => near(input), {
    ...{
      file: nearAccountsFile,
      rowsOf: ({ accounts }) => accounts.map((one) => ({ ...one, ...one.largest })),
    },
  })

  const ask = oneAtATime((input: Move) => foretellOn(services, input))
  const foretold = async (input: Move) => {
    const effect = await ask(input)
    return isUnavailable(effect) ? refuse('engineUnavailable') : effect
  }
  api.list(foretellMove, ({ input }) => foretold(input), { file: moveFile, rowsOf: ({ hits }) => hits })

  api.operator(getHouseSummary, async () => {
    const round = await rounds.latest()
    return isUnavailable(round) ? refuse('engineUnavailable') : houseSummary(services, round)
  })
}

/** Looks over all accounts follow each other: two at once would take twice as much of every second. */
function oneAtATime<Input, Output>(
  work: (input: Input) => Promise<Output>,
): (input: Input) => Promise<Output> {
  let last: Promise<unknown> = Promise.resolve()
  return (input) => {
    const mine = last.then(() => work(input))
    last = mine.catch(() => undefined)
    return mine
  }
}

async function foretellOn(
  { deployment: { engine, market } }: Pick<DeskServices, 'deployment'>,
  { ledger, percent, instrumentId, category }: Move,
): Promise<MoveEffect | Refusal | Unavailable> {
  const state = engine.state()
  if (instrumentId !== null && !state.instruments.has(instrumentId)) return refuse('unknownInstrument')
  const instrumentIds = instrumentId === null ? idsOf(state, category) : [instrumentId]
  const part = Number(toUnits(percent, PERCENT_DECIMALS) ?? 0n)
  return foretell(engine, { ledger, part, instrumentIds }, market.now())
}

/** The instruments of a category, or all. */
const idsOf = ({ instruments, listings }: State, category: string | null): number[] =>
  [...instruments.keys()].filter((id) => category === null || listings.get(id)?.category === category)

import {
  getActiveTraders,
  getFills,
  getHouseResult,
  getLosingShare,
  getMoneyFlow,
  type HouseDay,
  type MoneyDay,
} from '@fairlot/contract/desk'
import { NO_MONEY } from '@fairlot/core'
import { translatorFor } from '../../i18n/translate.ts'
import { riskWarningOf } from '../../settings/risk-warning.ts'
import { csvRowOf } from '../csv-row.ts'
import type { DeskServices } from '../desk-services.ts'
import { fillsOf } from './fill-queries.ts'
import { countLosing, shareOf, SHOWN_FROM, shownShareOf } from './losing-share.ts'
import { activeTraders, houseDays, moneyDays, sumOf, type ReportPeriod } from './report-queries.ts'

type Asked = { readonly days: number; readonly ledger: ReportPeriod['ledger'] }

/** Figures by day for whoever answers for the house. */
export function registerReports({ api, queries, deployment, dayBook }: DeskServices): void {
  const { engine, market } = deployment
  const counted = async ({ days, ledger }: Asked) => {
    const at = market.now()
    return { upTo: await dayBook.counted(), period: { at, days, ledger } }
  }

  const house = async (asked: Asked) => {
    const { upTo, period } = await counted(asked)
    const days = await houseDays(queries, period)
    return { upTo, days, sum: sumOf(days) ?? NO_HOUSE_DAY }
  }
  api.operator(getHouseResult, ({ input }) => house(input))
  api.csv(getHouseResult, HOUSE_COLUMNS, async ({ input }) =>
    (await house(input)).days.map((row) => csvRowOf(row, HOUSE_COLUMNS)),
  )

  const flow = async ({ days: count }: { readonly days: number }) => {
    const { upTo, period } = await counted({ days: count, ledger: 'real' })
    const days = await moneyDays(queries, period)
    return { upTo, days, sum: sumOf(days) ?? NO_MONEY_DAY }
  }
  api.operator(getMoneyFlow, ({ input }) => flow(input))
  api.csv(getMoneyFlow, FLOW_COLUMNS, async ({ input }) =>
    (await flow(input)).days.map((row) => csvRowOf(row, FLOW_COLUMNS)),
  )

  const active = async (asked: Asked) => {
    const { upTo, period } = await counted(asked)
    return { upTo, ...(await activeTraders(queries, period)) }
  }
  api.operator(getActiveTraders, ({ input }) => active(input))
  api.csv(getActiveTraders, ACTIVE_COLUMNS, async ({ input }) =>
    (await active(input)).days.map((row) => csvRowOf(row, ACTIVE_COLUMNS)),
  )

  const fills = async (asked: Asked) => {
    const { upTo, period } = await counted(asked)
    return { upTo, ...(await fillsOf(queries, period, engine.state().instruments)) }
  }
  api.operator(getFills, ({ input }) => fills(input))
  api.csv(getFills, FILL_COLUMNS, async ({ input }) =>
    (await fills(input)).instruments.map((row) => csvRowOf(row, FILL_COLUMNS)),
  )

  api.operator(getLosingShare, async () => {
    await dayBook.counted()
    const found = await countLosing(queries, market.now())
    const told = riskWarningOf(translatorFor('en'), shownShareOf(found))
    return { ...found, share: shareOf(found), shownFrom: SHOWN_FROM, told }
  })
}

const HOUSE_COLUMNS = [
  ...['day', 'fees', 'swaps', 'clientResults', 'protection', 'withdrawalFees', 'adjustments', 'total'],
]
const FLOW_COLUMNS = ['day', 'deposits', 'deposited', 'withdrawals', 'withdrawn', 'net']
const ACTIVE_COLUMNS = ['day', 'traders', 'orders']
const FILL_COLUMNS = [
  ...['instrumentId', 'code', 'fills', 'spread', 'slippage', 'better', 'worse', 'delayMs', 'delayMostMs'],
]

const NO_HOUSE_DAY: HouseDay = {
  ...{ day: 0, fees: NO_MONEY, swaps: NO_MONEY, clientResults: NO_MONEY, protection: NO_MONEY },
  ...{ withdrawalFees: NO_MONEY, adjustments: NO_MONEY, total: NO_MONEY },
}
const NO_MONEY_DAY: MoneyDay = {
  ...{ day: 0, deposits: 0, deposited: NO_MONEY, withdrawals: 0, withdrawn: NO_MONEY, net: NO_MONEY },
}

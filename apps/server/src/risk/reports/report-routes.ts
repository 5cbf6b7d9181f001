import type { DayBook } from './day-book.ts'
import {
  activeTradersFile,
  fillsFile,
  getActiveTraders,
  getFills,
  getBrokerResult,
  getLosingShare,
  getMoneyFlow,
  brokerResultFile,
  moneyFlowFile,
  type BrokerDay,
  type MoneyDay,
} from '@fairlot/contract/desk'
import { NO_MONEY } from '@fairlot/core'
import { translatorFor } from '../../platform/i18n/translate.ts'
import { riskWarningOf } from './losing-share.ts'
import type { DeskServices } from '../../desk/desk-services.ts'
import { activeTraders, brokerDays, fillsOf, moneyDays, type ReportPeriod, sumOf } from './report-queries.ts'
import { countLosing, shareOf, SHOWN_FROM, shownShareOf } from './losing-share.ts'

type ReportQuery = { readonly days: number; readonly ledger: ReportPeriod['ledger'] }

/** Reports by day. */
export function registerReports({ api, queries, deployment }: DeskServices, dayBook: DayBook): void {
  const { engine, market } = deployment
  const counted = async ({ days, ledger }: ReportQuery) => {
    const at = market.now()
    return { upTo: await dayBook.counted(), period: { at, days, ledger } }
  }

  const brokerResult = async (query: ReportQuery) => {
    const { upTo, period } = await counted(query)
    const days = await brokerDays(queries, period)
    return { upTo, days, sum: sumOf(days) ?? NO_BROKER_DAY }
  }
  api.list(getBrokerResult, ({ input }) => brokerResult(input), {
    file: brokerResultFile,
    rowsOf: ({ days }) => days,
  })

  const flow = async ({ days: count }: { readonly days: number }) => {
    const { upTo, period } = await counted({ days: count, ledger: 'real' })
    const days = await moneyDays(queries, period)
    return { upTo, days, sum: sumOf(days) ?? NO_MONEY_DAY }
  }
  api.list(getMoneyFlow, ({ input }) => flow(input), { file: moneyFlowFile, rowsOf: ({ days }) => days })

  const active = async (query: ReportQuery) => {
    const { upTo, period } = await counted(query)
    return { upTo, ...(await activeTraders(queries, period)) }
  }
  api.list(getActiveTraders, ({ input }) => active(input), {
    file: activeTradersFile,
    rowsOf: ({ days }) => days,
  })

  const fills = async (query: ReportQuery) => {
    const { upTo, period } = await counted(query)
    return { upTo, ...(await fillsOf(queries, period, engine.state().instruments)) }
  }
  api.list(getFills, ({ input }) => fills(input), {
    file: fillsFile,
    rowsOf: ({ instruments }) => instruments,
  })

  api.operator(getLosingShare, async () => {
    await dayBook.counted()
    const found = await countLosing(queries, market.now())
    const warning = riskWarningOf(translatorFor('en'), shownShareOf(found))
    return { ...found, share: shareOf(found), shownFrom: SHOWN_FROM, told: warning }
  })
}

const NO_BROKER_DAY: BrokerDay = {
  day: 0,
  fees: NO_MONEY,
  swaps: NO_MONEY,
  clientResults: NO_MONEY,
  protection: NO_MONEY,
  withdrawalFees: NO_MONEY,
  adjustments: NO_MONEY,
  total: NO_MONEY,
}
const NO_MONEY_DAY: MoneyDay = {
  day: 0,
  deposits: 0,
  deposited: NO_MONEY,
  withdrawals: 0,
  withdrawn: NO_MONEY,
  net: NO_MONEY,
}

import {
  activeTradersFile,
  fillsFile,
  getActiveTraders,
  getFills,
  getHouseResult,
  getLosingShare,
  getMoneyFlow,
  houseResultFile,
  moneyFlowFile,
  type HouseDay,
  type MoneyDay,
} from '@fairlot/contract/desk'
import { NO_MONEY } from '@fairlot/core'
import { translatorFor } from '../../i18n/translate.ts'
import { riskWarningOf } from '../../settings/risk-warning.ts'
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
  api.list(getHouseResult, ({ input }) => house(input), { file: houseResultFile, rowsOf: ({ days }) => days })

  const flow = async ({ days: count }: { readonly days: number }) => {
    const { upTo, period } = await counted({ days: count, ledger: 'real' })
    const days = await moneyDays(queries, period)
    return { upTo, days, sum: sumOf(days) ?? NO_MONEY_DAY }
  }
  api.list(getMoneyFlow, ({ input }) => flow(input), { file: moneyFlowFile, rowsOf: ({ days }) => days })

  const active = async (asked: Asked) => {
    const { upTo, period } = await counted(asked)
    return { upTo, ...(await activeTraders(queries, period)) }
  }
  api.list(getActiveTraders, ({ input }) => active(input), {
    file: activeTradersFile,
    rowsOf: ({ days }) => days,
  })

  const fills = async (asked: Asked) => {
    const { upTo, period } = await counted(asked)
    return { upTo, ...(await fillsOf(queries, period, engine.state().instruments)) }
  }
  api.list(getFills, ({ input }) => fills(input), {
    file: fillsFile,
    rowsOf: ({ instruments }) => instruments,
  })

  api.operator(getLosingShare, async () => {
    await dayBook.counted()
    const found = await countLosing(queries, market.now())
    const told = riskWarningOf(translatorFor('en'), shownShareOf(found))
    return { ...found, share: shareOf(found), shownFrom: SHOWN_FROM, told }
  })
}

const NO_HOUSE_DAY: HouseDay = {
  ...{ day: 0, fees: NO_MONEY, swaps: NO_MONEY, clientResults: NO_MONEY, protection: NO_MONEY },
  ...{ withdrawalFees: NO_MONEY, adjustments: NO_MONEY, total: NO_MONEY },
}
const NO_MONEY_DAY: MoneyDay = {
  ...{ day: 0, deposits: 0, deposited: NO_MONEY, withdrawals: 0, withdrawn: NO_MONEY, net: NO_MONEY },
}

import {
  admitPrice,
  categoriesFile,
  changeTerms,
  feedsFile,
  getTradingTerms,
  haltTrading,
  heldPricesFile,
  instrumentsFile,
  listDeskCategories,
  listDeskInstruments,
  listDeskSessions,
  listFeeds,
  listHeldPrices,
  listRefusedPrices,
  listTermsHistory,
  previewTerms,
  refusedPricesFile,
  removeCategory,
  resumeTrading,
  saveCategory,
  sessionsFile,
  setTradingMode,
  termsHistoryFile,
  withdrawTerms,
} from '@fairlot/contract/desk'
import { readEngine } from '../../http/refusal.ts'
import type { DeskServices } from '../desk-services.ts'
import { categoryRows, createCategoryChanges } from './category-changes.ts'
import { readFeeds } from './feeds.ts'
import { createHalts } from './halts.ts'
import { createHeldPrices } from './held-prices.ts'
import { categoryCells, changeCells, feedCells, instrumentCells, sessionCells } from './market-cells.ts'
import { instrumentRows, sessionRows, settingsForm } from './market-views.ts'
import { readRefusedPrices } from './refused-prices.ts'
import { createTermsChanges } from './terms-changes.ts'
import { readTermsHistory } from './terms-history.ts'

/** Instruments, hours and settings with their changes; halts; and the feeds. */
export function registerMarketDesk(services: DeskServices): void {
  const { api, deployment, queries } = services
  const { engine, market } = deployment
  const terms = createTermsChanges(services)
  const halts = createHalts(services)
  const categories = createCategoryChanges(services)
  const held = createHeldPrices(services)
  const codeOf = (id: number) => market.registry.byId.get(id)?.instrument.code ?? String(id)

  const instruments = ({ input }: { input: { search: string } }) =>
    readEngine(engine, (state) => instrumentRows(state, market, input.search))
  api.list(listDeskInstruments, instruments, {
    ...{ file: instrumentsFile, rowsOf: (answer) => instrumentCells(answer) },
  })
  const listed = () =>
    readEngine(engine, (state) => ({ categories: categoryRows(state, deployment.categories.all()) }))
  api.list(listDeskCategories, listed, {
    ...{ file: categoriesFile, rowsOf: (answer) => answer.categories.map(categoryCells) },
  })
  api.operator(saveCategory, ({ operator, input }) => categories.save(operator, input))
  api.operator(removeCategory, ({ operator, input }) => categories.remove(operator, input))
  api.list(listDeskSessions, () => readEngine(engine, sessionRows), {
    ...{ file: sessionsFile, rowsOf: ({ sessions }) => sessions.map(sessionCells) },
  })
  api.operator(getTradingTerms, () => readEngine(engine, settingsForm))
  api.list(listTermsHistory, ({ input }, limit) => readTermsHistory(queries, input, codeOf, limit), {
    ...{ file: termsHistoryFile, rowsOf: ({ changes }) => changes.map(changeCells) },
  })
  api.operator(previewTerms, ({ operator, input }) => terms.preview(operator, input))
  api.operator(changeTerms, ({ operator, input, request }) => terms.change(operator, input, request))
  api.operator(withdrawTerms, ({ operator, input }) => terms.withdraw(operator, input.changeId, input.reason))

  api.operator(haltTrading, ({ operator, input }) => halts.halt(operator, input))
  api.operator(resumeTrading, ({ operator, input }) => halts.resume(operator, input))
  api.operator(setTradingMode, ({ operator, input }) => halts.setMode(operator, input.mode, input.reason))

  api.list(listFeeds, readFeeds(services), {
    ...{ file: feedsFile, rowsOf: ({ instruments }) => instruments.map(feedCells) },
  })
  api.list(listHeldPrices, () => ({ prices: held.list() }), {
    ...{ file: heldPricesFile, rowsOf: ({ prices }) => prices },
  })
  api.list(listRefusedPrices, ({ input }, limit) => readRefusedPrices(queries, input, codeOf, limit), {
    ...{ file: refusedPricesFile, rowsOf: ({ prices }) => prices },
  })
  api.operator(admitPrice, ({ operator, input }) => held.admit(operator, input))
}

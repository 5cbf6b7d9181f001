import { ACCESS } from '../protocol/access.ts'
import type { Infer } from '../protocol/codec.ts'
import { defineEndpoint } from '../protocol/endpoint.ts'
import { nothing } from '../protocol/field.ts'
import { order } from '../trading/orders.wire.ts'
import {
  copies,
  copy,
  copyAmount,
  copyChange,
  copyDetails,
  copyForm,
  copyId,
  copyingTerms,
  copyLog,
  copyLogQuery,
  copyPosition,
  copyStopLoss,
  dryRun,
  dryRunQuery,
  followedPage,
  followQuery,
  ownDemo,
  ownStrategy,
  strategyDetails,
  strategyForm,
  strategyId,
  type strategyOrder,
  strategyOrders,
  strategyOrdersQuery,
  strategyPage,
  strategyQuery,
  strategyReport,
  type strategyRow,
} from './copying.wire.ts'

export { COPY_DEFAULTS } from './copying.wire.ts'

/** A row of the ranking. Rates are ratios of 1e-6. */
export type StrategyRow = Infer<typeof strategyRow>
export type StrategyQuery = Infer<typeof strategyQuery>
export type StrategyDetails = Infer<typeof strategyDetails>
/** A closed order of a strategy in the form in which anybody sees it. */
export type StrategyOrder = Infer<typeof strategyOrder>
export type OwnStrategy = Infer<typeof ownStrategy>
export type StrategyForm = Infer<typeof strategyForm>
export type CopyingTerms = Infer<typeof copyingTerms>
export type DryRun = Infer<typeof dryRun>
export type DryRunQuery = Infer<typeof dryRunQuery>
export type CopyForm = Infer<typeof copyForm>
export type CopyChange = Infer<typeof copyChange>
/** A copy of the caller, with its figures at the prices of now. */
export type CopyView = Infer<typeof copy>
export type CopyDetails = Infer<typeof copyDetails>
export type CopyLog = Infer<typeof copyLog>

export const listFollowed = defineEndpoint({
  name: 'listFollowed',
  method: 'GET',
  path: '/api/follow/list',
  access: ACCESS.market,
  request: followQuery,
  response: followedPage,
  summary: 'The strategies that the caller copies; for a visitor the first of the ranking',
})

export const listStrategies = defineEndpoint({
  name: 'listStrategies',
  method: 'GET',
  path: '/api/follow/strategies',
  access: ACCESS.market,
  request: strategyQuery,
  response: strategyPage,
  summary: 'The ranking: strategies with their figures in a window, ten a page',
})

export const getStrategy = defineEndpoint({
  name: 'getStrategy',
  method: 'GET',
  path: '/api/follow/strategy',
  access: ACCESS.market,
  request: strategyId,
  response: strategyDetails,
  summary: 'One strategy: figures of every window, curve, months, instruments, and what copiers got',
})

export const listStrategyOrders = defineEndpoint({
  name: 'listStrategyOrders',
  method: 'GET',
  path: '/api/follow/orders',
  access: ACCESS.market,
  request: strategyOrdersQuery,
  response: strategyOrders,
  summary:
    'The closed orders of a strategy with their receipts in public form, the newest first; open ones stay private',
})

export const getCopyingTerms = defineEndpoint({
  name: 'getCopyingTerms',
  method: 'GET',
  path: '/api/follow/terms',
  access: ACCESS.market,
  request: nothing,
  response: copyingTerms,
  summary: 'The limits of copying, its legal basis, and the version of the ranking method',
})

export const getOwnStrategy = defineEndpoint({
  name: 'getOwnStrategy',
  method: 'GET',
  path: '/api/follow/mine',
  access: ACCESS.trading,
  request: nothing,
  response: ownStrategy,
  summary:
    "The caller's own strategy with copiers, their money and the fees earned, or why none can be published",
})

export const publishStrategy = defineEndpoint({
  name: 'publishStrategy',
  method: 'POST',
  path: '/api/follow/publish',
  access: ACCESS.trading,
  changes: true,
  request: strategyForm,
  response: ownStrategy,
  summary:
    'Publishes the own trading as a strategy, or changes texts and fee of the published one; running copies keep theirs',
})

export const unpublishStrategy = defineEndpoint({
  name: 'unpublishStrategy',
  method: 'POST',
  path: '/api/follow/unpublish',
  access: ACCESS.trading,
  changes: true,
  request: nothing,
  response: nothing,
  summary: 'Ends the own strategy; its copies close their positions and end',
})

export const claimDemo = defineEndpoint({
  name: 'claimDemo',
  method: 'POST',
  path: '/api/follow/own_demo',
  access: ACCESS.identity,
  changes: true,
  request: ownDemo,
  response: nothing,
  summary:
    'Names a demo account, by its secret, as the own one: only with a registered person behind it may it publish',
})

export const reportStrategy = defineEndpoint({
  name: 'reportStrategy',
  method: 'POST',
  path: '/api/follow/report',
  access: ACCESS.trading,
  changes: true,
  request: strategyReport,
  response: nothing,
  summary: 'Reports the name or description of a strategy to the operators',
})

export const tryCopy = defineEndpoint({
  name: 'tryCopy',
  method: 'GET',
  path: '/api/follow/dry_run',
  access: ACCESS.trading,
  request: dryRunQuery,
  response: dryRun,
  summary: 'How a copy with these terms would have gone over the last three months; changes nothing',
})

export const startCopy = defineEndpoint({
  name: 'startCopy',
  method: 'POST',
  path: '/api/follow/start',
  access: ACCESS.trading,
  changes: true,
  request: copyForm,
  response: copy,
  summary: 'Starts a copy with an amount of the own money, after a code of the second factor where it is on',
})

export const pauseCopy = defineEndpoint({
  name: 'pauseCopy',
  method: 'POST',
  path: '/api/follow/pause',
  access: ACCESS.trading,
  changes: true,
  request: copyId,
  response: copy,
  summary: 'No new positions; everything else goes on',
})

export const resumeCopy = defineEndpoint({
  name: 'resumeCopy',
  method: 'POST',
  path: '/api/follow/resume',
  access: ACCESS.trading,
  changes: true,
  request: copyId,
  response: copy,
  summary: 'Copies new orders again',
})

export const stopCopy = defineEndpoint({
  name: 'stopCopy',
  method: 'POST',
  path: '/api/follow/stop',
  access: ACCESS.trading,
  changes: true,
  request: copyId,
  response: copy,
  summary: 'Closes the positions of a copy and returns its money',
})

export const addToCopy = defineEndpoint({
  name: 'addToCopy',
  method: 'POST',
  path: '/api/follow/add',
  access: ACCESS.trading,
  changes: true,
  request: copyAmount,
  response: copy,
  summary: 'Puts more of the own money into a copy',
})

export const takeFromCopy = defineEndpoint({
  name: 'takeFromCopy',
  method: 'POST',
  path: '/api/follow/take_out',
  access: ACCESS.trading,
  changes: true,
  request: copyAmount,
  response: copy,
  summary: 'Takes free money out of a copy, less the performance fee on it',
})

export const setCopyStopLoss = defineEndpoint({
  name: 'setCopyStopLoss',
  method: 'POST',
  path: '/api/follow/stop_loss',
  access: ACCESS.trading,
  changes: true,
  request: copyStopLoss,
  response: copy,
  summary: 'Sets the percent of the money put in at which a copy closes everything and ends',
})

export const setCopyTerms = defineEndpoint({
  name: 'setCopyTerms',
  method: 'POST',
  path: '/api/follow/change',
  access: ACCESS.trading,
  changes: true,
  request: copyChange,
  response: copy,
  summary:
    'Changes the multiplier, the exposure limit and the excluded instruments for the next openings of a copy',
})

export const closeCopyPosition = defineEndpoint({
  name: 'closeCopyPosition',
  method: 'POST',
  path: '/api/follow/close',
  access: ACCESS.trading,
  changes: true,
  request: copyPosition,
  response: order,
  summary: 'Closes a whole position of a copy; answers the closed order',
})

export const listCopies = defineEndpoint({
  name: 'listCopies',
  method: 'GET',
  path: '/api/follow/copies',
  access: ACCESS.trading,
  request: nothing,
  response: copies,
  summary: 'All copies of the caller, running ones first, with their figures at the prices of now',
})

export const getCopy = defineEndpoint({
  name: 'getCopy',
  method: 'GET',
  path: '/api/follow/copy',
  access: ACCESS.trading,
  request: copyId,
  response: copyDetails,
  summary: 'One copy of the caller with its open positions',
})

export const listCopyLog = defineEndpoint({
  name: 'listCopyLog',
  method: 'GET',
  path: '/api/follow/log',
  access: ACCESS.trading,
  request: copyLogQuery,
  response: copyLog,
  summary: "What became of the provider's orders in a copy, and why, the newest first, ten a page",
})

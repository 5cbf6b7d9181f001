import type { Endpoint } from './endpoint.ts'
import * as funds from './funds.ts'
import * as market from './market.ts'
import * as session from './session.ts'
import * as settings from './settings.ts'
import * as trading from './trading.ts'
import * as user from './user.ts'

/** Every call of the API, for the server's routes and the API page. */
export const ENDPOINTS: readonly Endpoint[] = [
  session.createDemoAccount,
  session.logIn,
  session.logOut,
  user.getUser,
  settings.getSetting,
  settings.getBasicInfo,
  market.listInstruments,
  market.listCategories,
  market.listCandles,
  market.listRecentCandles,
  trading.submitOrder,
  trading.listOrders,
  trading.closeOrder,
  trading.cancelOrder,
  trading.setStops,
  trading.closeAllOrders,
  trading.reverseOrder,
  trading.setTrailing,
  trading.getFigures,
  trading.resetDemo,
  funds.getWalletBalance,
  funds.getFunds,
  funds.listLedgerRecords,
]

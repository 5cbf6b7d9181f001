import type { Endpoint } from './endpoint.ts'
import * as funds from './funds.ts'
import * as market from './market.ts'
import * as registration from './registration.ts'
import * as secondFactor from './second-factor.ts'
import * as session from './session.ts'
import * as settings from './settings.ts'
import * as trading from './trading.ts'
import * as user from './user.ts'

/** Every call of the API, for the server's routes and the API page. */
export const ENDPOINTS: readonly Endpoint[] = [
  session.createDemoAccount,
  session.logIn,
  session.logOut,
  session.logOutEverywhere,
  session.listSessions,
  session.endSession,
  session.changePassword,
  registration.listAreas,
  registration.getConsentDocuments,
  registration.getCaptcha,
  registration.sendEmailCode,
  registration.sendSmsCode,
  registration.register,
  registration.resetPassword,
  secondFactor.getSecondFactor,
  secondFactor.prepareSecondFactor,
  secondFactor.confirmSecondFactor,
  secondFactor.removeSecondFactor,
  user.getUser,
  settings.getSetting,
  settings.getBasicInfo,
  market.listInstruments,
  market.listCategories,
  market.listCandles,
  market.listRecentCandles,
  trading.submitOrder,
  trading.listOrders,
  trading.getOrder,
  trading.listReceipts,
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

import type { Endpoint } from './endpoint.ts'
import * as files from './files.ts'
import * as company from './company.ts'
import * as deposits from './deposits.ts'
import * as funds from './funds.ts'
import * as invitations from './invitations.ts'
import * as identity from './identity.ts'
import * as legal from './legal.ts'
import * as market from './market.ts'
import * as newsSeen from './news-seen.ts'
import * as news from './news.ts'
import * as ownData from './own-data.ts'
import * as receivingMethods from './receiving-methods.ts'
import * as registration from './registration.ts'
import * as secondFactor from './second-factor.ts'
import * as session from './auth.ts'
import * as settings from './settings.ts'
import * as support from './support.ts'
import * as termsChanges from './terms-changes.ts'
import * as trading from './trading.ts'
import * as notices from './notices.ts'
import * as user from './user.ts'
import * as watchList from './watch-list.ts'
import * as withdrawals from './withdrawals.ts'

/** Every call of the API, for the server's routes and the API page. */
export const ENDPOINTS: readonly Endpoint[] = [
  session.createDemoAccount,
  session.logIn,
  session.logOut,
  session.logOutEverywhere,
  session.listSessions,
  session.endSession,
  session.changePassword,
  registration.listCountries,
  registration.getConsentDocuments,
  legal.getLegalText,
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
  user.chooseLanguage,
  user.listActivity,
  invitations.listInvited,
  identity.sendIdentity,
  identity.getIdentityCheck,
  ownData.takeData,
  ownData.getClosing,
  ownData.closeAccount,
  notices.listNotices,
  notices.countUnreadNotices,
  notices.readNotices,
  notices.getNoticeChoices,
  notices.switchNotices,
  settings.getSetting,
  settings.getBasicInfo,
  company.listDirectory,
  company.findCompanies,
  company.getCompanyStatus,
  support.getSupportEmail,
  support.listChat,
  support.getChatState,
  support.sendChatMessage,
  support.markChatSeen,
  news.listNews,
  news.getNews,
  newsSeen.getLatestNews,
  newsSeen.getNewsSeen,
  newsSeen.tellNewsSeen,
  market.listInstruments,
  market.listCategories,
  market.listCandles,
  market.listRecentCandles,
  termsChanges.listTermsChanges,
  watchList.getWatchList,
  watchList.setWatched,
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
  funds.getBalanceHistory,
  funds.getStatement,
  files.uploadPicture,
  files.getPicture,
  deposits.listChargeChannels,
  deposits.listChargeCurrencies,
  deposits.listChargeAccounts,
  deposits.tellCoinDeposit,
  deposits.tellWireDeposit,
  deposits.listDeposits,
  deposits.listDepositsAsWell,
  deposits.getDeposit,
  withdrawals.listPayoutCurrencies,
  withdrawals.askWithdrawal,
  withdrawals.listWithdrawals,
  withdrawals.getWithdrawal,
  withdrawals.takeBackWithdrawal,
  receivingMethods.listReceivingMethods,
  receivingMethods.bindReceivingMethod,
  receivingMethods.removeReceivingMethod,
]

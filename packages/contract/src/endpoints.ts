import type { Endpoint } from './protocol/endpoint.ts'
import * as files from './content/files.ts'
import * as company from './content/company.ts'
import * as copying from './copying/copying.ts'
import * as deposits from './funds/deposits.ts'
import * as funds from './funds/funds.ts'
import * as invitations from './accounts/invitations.ts'
import * as identity from './accounts/identity.ts'
import * as legal from './content/legal.ts'
import * as market from './market/market.ts'
import * as newsSeen from './content/news-seen.ts'
import * as news from './content/news.ts'
import * as ownData from './accounts/own-data.ts'
import * as receivingMethods from './funds/receiving-methods.ts'
import * as passkeys from './accounts/passkeys.ts'
import * as registration from './accounts/registration.ts'
import * as secondFactor from './accounts/second-factor.ts'
import * as session from './accounts/login.ts'
import * as settings from './market/settings.ts'
import * as support from './support/support.ts'
import * as termsChanges from './market/terms-changes.ts'
import * as alerts from './trading/alerts.ts'
import * as trading from './trading/trading.ts'
import * as notices from './notices/notices.ts'
import * as push from './notices/push.ts'
import * as user from './accounts/user.ts'
import * as watchList from './market/watch-list.ts'
import * as withdrawals from './funds/withdrawals.ts'

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
  passkeys.preparePasskeyLogin,
  passkeys.logInByPasskey,
  passkeys.listPasskeys,
  passkeys.preparePasskeyProof,
  passkeys.preparePasskey,
  passkeys.addPasskey,
  passkeys.removePasskey,
  passkeys.renewRecoveryCodes,
  user.getUser,
  user.chooseLanguage,
  user.listActivity,
  invitations.listInvited,
  identity.sendIdentity,
  identity.getIdentityCheck,
  ownData.downloadOwnData,
  ownData.getClosing,
  ownData.closeAccount,
  notices.listNotices,
  notices.countUnreadNotices,
  notices.readNotices,
  notices.getNoticeChoices,
  notices.switchNotices,
  push.getPushKey,
  push.addPushDevice,
  push.listPushDevices,
  push.removePushDevice,
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
  newsSeen.reportNewsSeen,
  market.listInstruments,
  market.listCategories,
  market.listCandles,
  market.listRecentCandles,
  termsChanges.listTermsChanges,
  termsChanges.listTermsVersions,
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
  copying.listFollowed,
  copying.listStrategies,
  copying.getStrategy,
  copying.listStrategyOrders,
  copying.getCopyingTerms,
  copying.getOwnStrategy,
  copying.publishStrategy,
  copying.unpublishStrategy,
  copying.claimDemo,
  copying.reportStrategy,
  copying.tryCopy,
  copying.startCopy,
  copying.pauseCopy,
  copying.resumeCopy,
  copying.stopCopy,
  copying.addToCopy,
  copying.takeFromCopy,
  copying.setCopyStopLoss,
  copying.setCopyTerms,
  copying.closeCopyPosition,
  copying.listCopies,
  copying.getCopy,
  copying.listCopyLog,
  alerts.listAlerts,
  alerts.setAlert,
  alerts.removeAlert,
  alerts.listTypedAlerts,
  alerts.addAlert,
  alerts.removeTypedAlert,
  funds.getWalletBalance,
  funds.getFunds,
  funds.listLedgerRecords,
  funds.getBalanceHistory,
  funds.getStatement,
  files.uploadPicture,
  files.getPicture,
  deposits.listDepositAddresses,
  deposits.listDepositCurrencies,
  deposits.listDepositAccounts,
  deposits.reportCoinDeposit,
  deposits.reportWireDeposit,
  deposits.listDeposits,
  deposits.listDepositsAsWell,
  deposits.getDeposit,
  withdrawals.listPayoutCurrencies,
  withdrawals.requestWithdrawal,
  withdrawals.listWithdrawals,
  withdrawals.getWithdrawal,
  withdrawals.cancelWithdrawal,
  receivingMethods.listReceivingMethods,
  receivingMethods.bindReceivingMethod,
  receivingMethods.removeReceivingMethod,
]
